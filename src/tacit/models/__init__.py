"""Trained models of one or several languages: vectors, measures, explanations and percentiles."""
