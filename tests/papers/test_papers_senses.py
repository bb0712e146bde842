"""The scorers of SemEval-2010 task 14 against what the official tools print."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.senses import Scorer, paired_f, unsupervised
from papers.senses.baselines import DrawnSenses
from papers.senses.instances import covered_targets
from papers.senses.keys import parse_key
from papers.senses.scorer import ARCHIVE, FOLDER, archived_keys
from papers.senses.supervised import senses_used
from tacit.errors import InputError

PARTS = {"all": "all", "n": "nouns", "v": "verbs", "nouns": "nouns", "verbs": "verbs"}
labels = st.lists(st.sampled_from("abc"), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def systems(data):
    found = {name.split("/", 1)[1]: key for name, key in archived_keys(data / ARCHIVE, "systems/")}
    return found | {name.split("/", 1)[1]: key for name, key in archived_keys(data / ARCHIVE, "baselines/")}


@pytest.fixture(scope="module")
def scorer(data):
    return Scorer.of(data)


def rows(data, name):
    with open(data / FOLDER / "official_scorer_outputs" / name, encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if "shipped" not in row["file"]]


def test_every_official_unsupervised_row(data, systems, scorer):
    official = rows(data, "unsup.tsv")
    assert len(official) == 72
    found = {name: unsupervised(key, scorer.gold) for name, key in systems.items()}
    for row in official:
        numbers = found[row["file"]][PARTS[row["pos"]]]
        assert numbers["paired_f"] == pytest.approx(float(row["F"]), abs=1e-6), row
        assert numbers["v_measure"] == pytest.approx(float(row["V"]), abs=5.01e-4), row
        assert numbers["clusters"] == pytest.approx(float(row["clusters"]), abs=5e-3), row


def test_every_official_supervised_row(data, systems, scorer):
    official = rows(data, "sup.tsv")
    assert len(official) == 144
    for row in official:
        found = scorer.recalls(systems[row["file"]], row["split"], row["pos"])
        assert found == pytest.approx([float(row[f"r{k}"]) for k in range(1, 6)], abs=1e-4), row
        mean = scorer.mean_recall(systems[row["file"]], row["split"], row["pos"])
        assert mean == pytest.approx(float(row["mean"]), abs=1e-4), row


def test_the_senses_that_answers_use_are_the_published_numbers(systems, scorer):
    published = {"mfs_all.key": 1.00, "random1.key": 1.53, "380-408_duluth-wsi-testdata-pk2-new.txt": 1.66}
    for name, value in published.items():
        used = [senses_used(systems[name], split) for split in scorer.splits["80_20", "all"]]
        assert sum(used) / len(used) == pytest.approx(value, abs=0.005), name


def test_the_covered_targets_are_those_with_training_text(data, scorer):
    covered = scorer.of_targets(covered_targets(data))
    assert (len(covered.gold), sum(map(len, covered.gold.values()))) == (65, 3884)
    assert all(target in covered.gold for split in covered.splits["80_20", "all"] for target in split.test)


def test_our_own_floors_are_the_official_ones(data, scorer):
    one = unsupervised(DrawnSenses("one", 1).key(data), scorer.gold)["all"]
    assert one["paired_f"] == pytest.approx(0.6343, abs=5e-5)
    four = unsupervised(DrawnSenses("four", 4).key(data), scorer.gold)["all"]
    assert four["v_measure"] == pytest.approx(0.044, abs=0.005)
    assert four["paired_f"] == pytest.approx(0.319, abs=0.01)


@given(labels, st.randoms())
def test_paired_f_by_its_definition(classes, random):
    clusters = [random.choice("xyz") for _ in classes]

    def pairs(given):
        found = {(i, j) for i in range(len(given)) for j in range(i) if given[i] == given[j]}
        return found | {(i, i) for i in range(len(given)) if given.count(given[i]) == 1}

    found, gold = pairs(clusters), pairs(classes)
    common = len(found & gold)
    expected = 2 * common / (len(found) + len(gold)) if common else 0.0
    assert paired_f(clusters, classes) == pytest.approx(expected)


def test_a_weight_that_is_no_number():
    with pytest.raises(InputError, match=r"mine.key, line 3: the weight 'much'"):
        parse_key([(3, "mark.n mark.n.1 C0/much")], "mine.key")


def test_the_tables_of_the_paper_stand_beside_ours():
    from papers import find_reproductions

    tables = {table.name: table for table in find_reproductions(["acl2011"])}
    table = tables["acl2011-table2"]
    assert table.published.numbers("NMFlib")["wsi10/all/clusters"].value == 5.42
    assert {row.under for row in table.rows} == {"NMFlib", "NMFcon", "MFS", "Random"}
    assert [len(table.of_row(row, 5)) for row in table.rows] == [5, 5, 1, 5]
    assert tables["acl2011-table3"].published.numbers("NMFlib")["wsi10/all/senses"].value == 1.82


def test_what_is_changed_is_a_row_of_its_own_with_one_change():
    from papers.acl2011 import CHANGED, CONSERVATIVE, LIBERAL

    strict = {row.model.kind: row.model.parameters for row in (LIBERAL, CONSERVATIVE)}
    changed = [
        {name for name, value in row.model.parameters.items() if value != strict[row.model.kind][name]}
        for row in CHANGED
    ]
    assert [len(names) for names in changed] == [1, 1, 1, 1, 1, 1, 5, 1, 1, 1, 4]


def test_instances_are_read_as_text_and_as_parsed(data):
    from papers.senses.instances import PARSED_TEST, PLAIN_TEST, parsed_instances, plain_instances

    plain = next(plain_instances(PLAIN_TEST, data))
    assert plain.passage.forms[plain.place].startswith(plain.word[:4])
    parsed = next(parsed_instances(PARSED_TEST, data))
    assert parsed.passage.terms[parsed.place] == parsed.word


def test_a_system_answers_what_it_knows(data):
    from papers.senses.instances import PLAIN_TEST, marked_texts
    from papers.senses.system import TASK, SenseSystem
    from tacit import LocalSenseModel
    from tacit.evaluation import evaluate

    texts = [text.replace("<<", "").replace(">>", "") for _, _, text in marked_texts(PLAIN_TEST, data, 8)]
    model = LocalSenseModel(n_senses=2, n_iter=3, n_restarts=1, n_components=5, min_count=1)
    system = SenseSystem.of("two words", [model.fit(texts, words=["access", "road"])])
    result = evaluate(TASK, system, data)
    known = sum(len(answers) for answers in system.key(data).values())
    assert result.pairs == 8915
    assert result.without_known_words == 8915 - known
    assert {"all", "nouns", "verbs", "covered", "covered nouns", "covered verbs"} == set(result.sets)
    assert result.sets["covered"]["pairs"] < result.sets["all"]["pairs"]
    assert 1 < result.sets["nouns"]["clusters"] < 1.2
