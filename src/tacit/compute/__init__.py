"""What several rooms compute with: threads, register tiles, dot products, one BLAS limiter, k-means."""
