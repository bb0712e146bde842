"""Themes of a collection: clusters with names, quotes and sub-themes, whatever the order of the texts."""
