"""The exponential and the von Neumann kernel (Kandola et al. 2002)."""

from __future__ import annotations

from tacit.kernels.semantic import SemanticKernel


class ExponentialKernel(SemanticKernel):
    """The exponential kernel, K exp(lambda K): paths over t texts count lambda^t / t! (Kandola et al. 2002).

    Parameters
    ----------
    lambda_ : float or str
        Strength of the semantic part: a number from 0, "auto" for the family's default in units of
        1 / |K|^power, or "alignment" to choose it by the labels.
    relative : bool
        Whether ``lambda_`` is in units of 1 / |K|^power, so that one value suits collections of any size.
    power : float
        Flattens the spectrum of co-occurrence, from 0 to 1; 1 is the paper's kernel.
    centred : bool
        Use the covariance of terms instead of their raw co-occurrence.
    normalize : bool
        Normalize the rows of X to length 1 first.
    cosine : bool
        Normalize the kernel to a diagonal of ones.
    n_components : int, optional
        The number of components beside the lexical part; by default all up to 4,000 documents (or terms),
        above that 300.
    background : sequence of str or matrix, optional
        Unlabelled documents, of the same kind as X, that count for co-occurrence but are not fitted rows. If
        they include the documents to be classified later, the kernel is transductive.
    alignment_mode : str
        "uncentred" (the paper's), "centred" or "balanced".
    vectorizer : TextVectorizer, optional
        For texts; by default ``TextVectorizer.paper(tf="log1p")``, log(1 + tf) log(m / df).
    random_state : int, optional
        The seed of the decomposition with ``n_components``.

    Attributes
    ----------
    chosen_lambda_ : float
        The lambda in use.
    lambda_search_ : LambdaSearchResult or None
        The result of the search by alignment.
    n_empty_ : int
        The number of fitted documents without a term; their similarity with all documents is 0.

    Examples
    --------
    >>> from tacit import TextVectorizer
    >>> texts = ["heart attack", "heart disease", "cardiac disease", "cardiac arrest", "stock prices"]
    >>> words = TextVectorizer.paper(min_df=1, tf="log1p")
    >>> kernel = ExponentialKernel(lambda_=1.0, vectorizer=words).fit(texts)
    >>> kernel.transform(["attack"]).round(2)
    array([[0.91, 0.28, 0.07, 0.01, 0.  ]])
    >>> [word for word, _ in kernel.related_terms("heart", n=2)]
    ['disease', 'attack']
    """

    family = "exponential"


class VonNeumannKernel(SemanticKernel):
    """The von Neumann kernel, K (I - lambda K)^-1, for lambda below 1 / |K| (Kandola et al. 2002).

    Parameters
    ----------
    lambda_ : float or str
        As for ``ExponentialKernel``, but below 1 / |K|^power.
    relative : bool
        As for ``ExponentialKernel``, as are all other parameters and the attributes.
    power : float
        Flattens the spectrum of co-occurrence.
    centred, normalize, cosine : bool
        Use the covariance of terms, rows of length 1, and a diagonal of ones.
    n_components : int, optional
        The number of components beside the lexical part.
    background : sequence of str or matrix, optional
        Unlabelled documents that count for co-occurrence.
    alignment_mode : str
        "uncentred", "centred" or "balanced".
    vectorizer : TextVectorizer, optional
        For texts.
    random_state : int, optional
        The seed of the decomposition.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    >>> VonNeumannKernel(0.3).fit(X).transform(X).round(2)
    array([[1.  , 0.62, 0.2 ],
           [0.62, 1.  , 0.81],
           [0.2 , 0.81, 1.  ]])
    >>> VonNeumannKernel(2.0).fit(X)
    Traceback (most recent call last):
    tacit.errors.InputError: lambda_=2 is out of range for the von Neumann kernel of these texts: ...
    """

    family = "vonneumann"
