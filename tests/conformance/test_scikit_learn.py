"""scikit-learn's checks of every public estimator with default parameters.

Checks with numeric input are in the tests of the packages whose estimators take matrices.
"""

from __future__ import annotations

import pytest
from sklearn.utils import estimator_checks

import tacit

ESTIMATORS = {
    **{name: getattr(tacit, name) for name in ("WMF", "WTMF", "TextVectorizer", "ThemeModel", "SenseModel")},
    **{name: getattr(tacit, name) for name in ("LocalSenseModel", "TextClassifier", "ExponentialKernel")},
    "VonNeumannKernel": tacit.VonNeumannKernel,
    "BilingualWMF": lambda: tacit.BilingualWMF(["en", "es"]),
}
CHECKS = [
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_tags_renamed,
    estimator_checks.check_valid_tag_types,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_do_not_raise_errors_in_init_or_set_params,
    estimator_checks.check_mixin_order,
    estimator_checks.check_parameters_default_constructible,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_set_params,
]


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_scikit_learn_checks_without_numeric_input(name, check):
    check(name, ESTIMATORS[name]())


def test_every_public_estimator_is_checked():
    public = {name for name in tacit.__all__ if hasattr(getattr(tacit, name), "get_params")}
    assert public == set(ESTIMATORS)
