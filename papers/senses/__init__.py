"""Word sense induction, SemEval-2010 task 14: data, official scorers, systems and tuning."""
