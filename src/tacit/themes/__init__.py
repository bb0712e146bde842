"""Themes of a collection: clusters with names, quotes and sub-themes, independent of the order of texts."""
