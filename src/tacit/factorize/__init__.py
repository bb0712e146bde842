"""Solvers on arrays, each with a plain numpy reference."""
