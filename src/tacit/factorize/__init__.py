"""Arrays in, arrays out: the solvers, each with a readable reference beside it."""
