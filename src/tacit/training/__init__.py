"""Trainers: WTMF, BilingualWMF and WMF."""
