"""``lexical``: the cosine of the tf-idf weights of the words two texts share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacit.models.measure import Array, Measure
from tacit.models.ngrams import SparseRows, row_cosines

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet


class Lexical(Measure):
    """Plain tf-idf: what a model has to beat. Texts of two languages share the terms of the same letters."""

    name, summary = "lexical", "the cosine of the tf-idf weights of the words they share"
    needs_known_words = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The cosine of each pair's weights."""
        if self.name not in texts.cache:
            texts.cache[self.name] = weighted_terms(texts)
        return row_cosines(texts.cache[self.name], left, right)


MEASURE = Lexical()


def weighted_terms(texts: TextSet) -> SparseRows:
    """Texts x terms: the weights of the known words, one column a term, whatever its language."""
    from scipy.sparse import coo_array

    rows, columns, values = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
    for number in texts.language_ids_present:
        of_language, places = texts.weighted_rows(number), texts.tokens.word_columns(number)
        term_of = np.zeros(of_language.shape[1], np.int64)
        term_of[places[places >= 0]] = texts.tokens.term_ids(number)[places >= 0]
        rows.append(np.repeat(texts.texts_in(number), np.diff(of_language.indptr)))
        columns.append(term_of[of_language.indices])
        values.append(of_language.data)
    column = np.concatenate(columns)
    shape = (len(texts), int(column.max(initial=0)) + 1)
    found = coo_array((np.concatenate(values), (np.concatenate(rows), column)), shape).tocsr()
    starts, columns = found.indptr.astype(np.int64), found.indices.astype(np.int32)
    return starts, columns, found.data.astype(np.float64), shape[1]
