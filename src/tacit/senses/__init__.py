"""Word sense induction and disambiguation (Van de Cruys & Apidianaki, ACL 2011)."""
