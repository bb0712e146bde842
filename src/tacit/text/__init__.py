"""Raw text to tokens, terms and sparse tf-idf rows."""

from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary

__all__ = ["TextVectorizer", "Vocabulary"]
