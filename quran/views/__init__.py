"""Pages of the Quran."""
