"""An HTTP service over a model and an index, and its page."""
