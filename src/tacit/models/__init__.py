"""What is trained: a model of one or several languages, its measures, explanations and percentiles."""
