"""Acts on the catalogue and the text that touch more than one row: each in one transaction. Import from the modules."""
