"""Shared numerics: threads, register tiles, cosines, nearest neighbors, k-means."""
