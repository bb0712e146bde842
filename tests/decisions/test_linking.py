"""Mutual best partners, seeds, replaced links, and the estimate of right links."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.products import product_lists
from tacit.decisions import linking
from tacit.decisions.decision import DecisionOptions, decide_links
from tacit.decisions.linking import PairGraph, best_f1_cut, choose_links, precision_cut, recall_cut

GRAPHS = st.sets(st.tuples(st.integers(0, 5), st.integers(6, 11)), min_size=1).map(sorted)


def make_graph(pairs: list[tuple[int, int]], seed: int) -> tuple[PairGraph, np.ndarray]:
    left, right = np.array(pairs).T
    return PairGraph(left, right), np.random.default_rng(seed).permutation(len(pairs)).astype(float)


def links_of(pairs: list[tuple[int, int]], scores: dict[tuple[int, int], float]) -> set[tuple[int, int]]:
    """The pairs that are the best of both texts; scores are distinct."""
    return {
        (a, b) for a, b in pairs
        if scores[a, b] == max(s for (x, y), s in scores.items() if (x, y) in pairs and (x == a or y == b))
    }  # fmt: skip


@given(pairs=GRAPHS, seed=st.integers(0, 99))
def test_mutual_best_pairs_and_rivals(pairs, seed):
    graph, z = make_graph(pairs, seed)
    scores = dict(zip(pairs, z.tolist(), strict=True))
    assert {pairs[i] for i in graph.mutual_best(z)} == links_of(pairs, scores)
    for keys, rivals in zip((0, 1), graph.best_rivals(z), strict=True):
        for pair, rival in zip(pairs, rivals.tolist(), strict=True):
            others = [scores[p] for p in pairs if p[keys] == pair[keys] and p != pair]
            assert rival == max(others, default=-np.inf)


@given(pairs=GRAPHS, seed=st.integers(0, 99))
def test_replaced_links_are_those_without_one_text(pairs, seed):
    """A link whose right text is removed: the left text's new mutual best pair, with its new margins."""
    graph, z = make_graph(pairs, seed)
    scores = dict(zip(pairs, z.tolist(), strict=True))
    links = graph.mutual_best(z)
    result = linking._replaced_links(graph.left, z, links, graph.best_rivals(z)[1])
    replaced = dict(
        zip(links[result.replaces].tolist(), zip(result.pairs, result.margins, strict=True), strict=True)
    )
    for link in links.tolist():
        a, b = pairs[link]
        left_over = [pair for pair in pairs if pair[1] != b]
        new = [pair for pair in links_of(left_over, scores) if pair[0] == a]
        assert [pairs[replaced[link][0]]] if link in replaced else new == []
        if new:
            pair, margins = replaced[link]
            assert pairs[pair] == new[0]
            for key, margin in zip((0, 1), margins, strict=True):
                rivals = [scores[p] for p in left_over if p[key] == new[0][key] and p != new[0]]
                assert margin == scores[new[0]] - max(rivals, default=-np.inf)


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array))
def test_cuts_reach_what_is_expected(p):
    def f1(cut: float) -> float:
        return 2 * p[p >= cut].sum() / ((p >= cut).sum() + p.sum())

    assert f1(best_f1_cut(p)) == pytest.approx(max(map(f1, p.tolist())))
    if np.isfinite(cut := precision_cut(p, 0.8)):
        assert np.sort(p)[::-1][: (p > cut).sum() + 1].mean() >= 0.8
    else:
        assert p.max() < 0.8
    assert p[p >= recall_cut(p, 0.7)].sum() >= 0.7 * p.sum() - 1e-9


def test_products_are_linked_by_their_codes(product_pairs):
    decisions = decide_links(product_pairs, {}, DecisionOptions())
    accepted = decisions.pairs[decisions.accepted]
    left, right = product_pairs.left[accepted], product_pairs.right[accepted]
    assert len(accepted) >= 110
    assert (right - left == 120).mean() > 0.95
    assert decisions.precision[0] > 0.9


def test_one_to_one_links_use_each_text_once(product_pairs):
    decisions = decide_links(product_pairs, {}, DecisionOptions(threshold=-100))
    for side in (product_pairs.left, product_pairs.right):
        assert len(set(side[decisions.pairs].tolist())) == len(decisions.pairs)


def test_many_accepts_every_pair_above_the_threshold(product_pairs):
    decisions = decide_links(product_pairs, {}, DecisionOptions(threshold=-9.0), many=True)
    odds = product_pairs.estimated_links.log_odds
    assert decisions.accepted.sum() == (odds >= -9).sum() > 120
    assert decisions.precision == ()


def test_more_precision_accepts_fewer_links(product_pairs):
    counts = [
        decide_links(product_pairs, {}, DecisionOptions(precision=value)).accepted.sum()
        for value in (0.5, 0.9, 0.99, 0.999)
    ]
    assert counts == sorted(counts, reverse=True)


def test_rows_without_a_partner_are_rejected():
    import tacit

    a, b = product_lists(600, seed=1, n_alone=150)
    links = tacit.link(a[:450], b)
    right = [a.index(pair.a.text) - 150 == b.index(pair.b.text) for pair in links]
    assert len(links.others) > 10
    assert sum(right) > 280
    assert np.mean(right) > 0.95


def test_accepted_probabilities_are_above_the_cut():
    p = np.array([0.95, 0.9, 0.6, 0.3, 0.1])
    assert choose_links(p).tolist() == (p >= (best_f1_cut(p) + 0.5) / 2).tolist()
