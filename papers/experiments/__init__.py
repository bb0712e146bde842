"""Corpora, models and measurements: what a run is, and the cache of runs."""
