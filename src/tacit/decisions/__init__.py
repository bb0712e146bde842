"""Decisions on pairs of texts: linking of two lists, duplicates of one, and models trained on judgements."""
