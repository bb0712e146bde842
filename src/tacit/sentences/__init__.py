"""Vectors and similarity for short texts: WMF for matrices, WTMF for texts."""
