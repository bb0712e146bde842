"""All settings of a semantic kernel and of its vectorizer, for the keys of recorded runs."""

from __future__ import annotations

from typing import Any

from tacit.kernels.semantic import SemanticKernel
from tacit.text.vectorizer import TextVectorizer

_STATED_ELSEWHERE = ("background", "lambda_", "vectorizer")
"""No experiment has a background; lambda is its own parameter; the vectorizer's settings are listed apart."""


def kernel_settings(kernel: SemanticKernel, vectorizer: TextVectorizer, tokenizer: str) -> dict[str, Any]:
    """Return the parameters of both objects, defaults included; those of the kernel begin with ``kernel__``.

    ``tokenizer`` is the name to record, as the vectorizer's own may be a function.

    >>> words = TextVectorizer.paper(tf="log1p")
    >>> found = kernel_settings(SemanticKernel(0.0), words, "letters")
    >>> found["tf"], found["normalize"], found["kernel__normalize"], found["kernel__power"]
    ('log1p', 'stem', True, 1.0)
    """
    of_kernel = kernel.get_params(deep=False)
    return {
        **vectorizer.get_params(),
        "tokenizer": tokenizer,
        **{f"kernel__{name}": value for name, value in of_kernel.items() if name not in _STATED_ELSEWHERE},
    }
