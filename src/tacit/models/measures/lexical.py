"""``lexical``: cosine of tf-idf weights, the baseline; words of two languages match if they are one term."""

from __future__ import annotations

import numpy as np

from tacit.models.measure import SparseCosine
from tacit.models.ngrams import SparseRows
from tacit.models.text_set import TextSet


def tfidf_rows(texts: TextSet) -> SparseRows:
    """Compute the tf-idf weights of the known words, one column per term of any language."""
    from scipy.sparse import coo_array

    rows, columns, values = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
    for language_id in texts.language_ids_present:
        weights, word_columns = texts.weighted_rows(language_id), texts.tokens.word_columns(language_id)
        term_of_word = np.zeros(weights.shape[1], np.int64)
        known = word_columns >= 0
        term_of_word[word_columns[known]] = texts.tokens.term_ids(language_id)[known]
        rows.append(np.repeat(texts.texts_in(language_id), np.diff(weights.indptr)))
        columns.append(term_of_word[weights.indices])
        values.append(weights.data)
    column = np.concatenate(columns)
    shape = (len(texts), int(column.max(initial=0)) + 1)
    tfidf = coo_array((np.concatenate(values), (np.concatenate(rows), column)), shape).tocsr()
    offsets, sorted_columns = tfidf.indptr.astype(np.int64), tfidf.indices.astype(np.int32)
    return offsets, sorted_columns, tfidf.data.astype(np.float64), shape[1]


SUMMARY = "the cosine of the tf-idf weights of the words they share"
MEASURE = SparseCosine("lexical", SUMMARY, tfidf_rows, needs_known_words=True)
