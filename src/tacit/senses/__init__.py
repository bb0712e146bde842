"""The senses of words, induced from text, and which of them an occurrence has."""
