"""Search a collection of texts: nearest texts, duplicates, clusters, a map."""
