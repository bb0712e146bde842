"""Helpers of several tests, imported as ``helpers.NAME``."""
