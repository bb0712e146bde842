"""Semantic kernels: texts that share no word but keep the same company are alike.

>>> from tacit.kernels import ExponentialKernel
>>> texts = ["heart attack", "heart disease", "cardiac disease", "cardiac attack", "stock", "stock"]
>>> kernel = ExponentialKernel(lambda_=1.0).fit(texts)
>>> kernel.transform(["heart"]).round(2)
array([[0.86, 0.86, 0.4 , 0.4 , 0.  , 0.  ]])
"""

from tacit.kernels.classifier import KERNELS, TextClassifier
from tacit.kernels.semantic import ExponentialKernel, VonNeumannKernel
from tacit.kernels.target_alignment import AlignmentWarning, target_alignment

__all__ = [
    "KERNELS",
    "AlignmentWarning",
    "ExponentialKernel",
    "TextClassifier",
    "VonNeumannKernel",
    "target_alignment",
]
