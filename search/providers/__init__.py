"""Embedders and rerankers behind two small protocols; ``search.providers.choice`` says which ones the settings ask
for.
"""
