"""Adapters to other projects; each module imports its project, which must be installed."""
