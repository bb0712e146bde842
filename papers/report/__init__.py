"""Reports on tables, and the reproduction page."""
