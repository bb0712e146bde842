"""Outside vectors that are given with texts and queries, and score quantiles with and without them."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tacit.errors import InputError
from tacit.models.measures import DEFAULT_MEASURE
from tacit.models.outside import Outside, check_vectors, replace_encoder, with_outside
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel
    from tacit.search.index_writer import IndexWriter

logger = logging.getLogger(__name__)


def restore_encoder(model: TextModel, encoder: Any) -> None:
    """Give the model of a stored index its encoder; log if it needs one and there is none."""
    if encoder is not None:
        model.outside = replace_encoder(model.outside, encoder)
    elif model.outside is not None and model.outside.encoder is None:
        logger.warning(
            "the index searches without outside vectors: load it with encoder=, or give each query a vector"
        )


def prepare_for_texts(index: IndexWriter, vectors: Any, n_texts: int) -> Array | None:
    """Check the outside vectors of new texts, or that none are needed."""
    outside = index.model.outside
    if vectors is None:
        if outside is not None and outside.encoder is None and n_texts:
            raise InputError(
                "the texts of this index have outside vectors: add more texts with outside_vectors, or load "
                "the index with its encoder"
            )
        return None
    if index.snapshot.segments and index.snapshot.n_outside_dimensions is None:
        raise InputError("the texts of this index have no outside vectors: build it again with them")
    if outside is None:
        index.model = with_outside(index.model, Outside(None))
        index.snapshot = replace(index.snapshot, model=index.model)
    return check_outside_vectors(index, vectors, n_texts)


def check_outside_vectors(index: IndexWriter, vectors: Any, n: int) -> Array:
    """Return outside vectors of texts or queries with as many components as those of the index."""
    outside = index.model.outside
    if outside is None:
        raise InputError("the texts of this index have no outside vectors: add them with outside_vectors")
    if outside.encoder is not None:
        raise InputError("this index has an encoder, which encodes all texts: leave out outside vectors")
    return check_vectors(vectors, n, index.snapshot.n_outside_dimensions)


def quantiles_for(index: IndexWriter, measure: str, are_given: bool) -> Array | None:
    """Return the score quantiles of a measure that the model does not have; None for other measures.

    A model lacks quantiles that were stored for an earlier version of the measure. ``are_given`` says whether
    outside vectors of the queries are given.
    """
    from tacit.search.ranking import HYBRID, estimate_score_quantiles

    outside = index.model.outside
    has_outside = are_given or (outside is not None and outside.encoder is not None)
    if measure == HYBRID and (outside is None or has_outside):
        return index.score_quantiles
    languages = index.model.languages.values()
    is_stored = all(measure in each.score_quantiles or len(each.sample_texts) > 1 for each in languages)
    if is_stored and (outside is None or measure not in (HYBRID, DEFAULT_MEASURE)):
        return None
    key = measure, has_outside
    if key not in index.other_quantiles:
        index.other_quantiles[key] = estimate_score_quantiles(index.snapshot, measure, has_outside)
    return index.other_quantiles[key]
