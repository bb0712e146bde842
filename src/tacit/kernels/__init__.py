"""Semantic kernels: texts without a common word are similar if their words have common contexts.

>>> from tacit.kernels import ExponentialKernel
>>> texts = ["heart attack", "heart disease", "cardiac disease", "cardiac attack", "stock", "stock"]
>>> kernel = ExponentialKernel(lambda_=1.0).fit(texts)
>>> kernel.transform(["heart"]).round(2)
array([[0.86, 0.86, 0.4 , 0.4 , 0.  , 0.  ]])
"""

from tacit.kernels.alignment import AlignmentWarning, target_alignment
from tacit.kernels.classifier import KERNELS, TextClassifier
from tacit.kernels.paper_kernels import ExponentialKernel, VonNeumannKernel

__all__ = [
    "KERNELS",
    "AlignmentWarning",
    "ExponentialKernel",
    "TextClassifier",
    "VonNeumannKernel",
    "target_alignment",
]
