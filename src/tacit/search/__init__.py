"""An index over a collection: nearest, duplicates, clusters, a map."""
