"""Training on more text than fits in memory: partitions, out of core or on Dask."""
