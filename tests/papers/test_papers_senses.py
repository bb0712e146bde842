"""The scorers of SemEval-2010 task 14 equal the output of the official tools."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.senses.instances import covered_targets
from papers.senses.scoring import (
    ARCHIVE,
    FOLDER,
    TaskScorer,
    count_used_senses,
    paired_f,
    parse_key,
    read_archived_keys,
    unsupervised_metrics,
)
from papers.senses.system import RandomSenses
from tacit.errors import InputError

PARTS = {"all": "all", "n": "nouns", "v": "verbs", "nouns": "nouns", "verbs": "verbs"}
labels = st.lists(st.sampled_from("abc"), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def systems(data):
    return {
        name.split("/", 1)[1]: key
        for folder in ("systems/", "baselines/")
        for name, key in read_archived_keys(data / ARCHIVE, folder)
    }


@pytest.fixture(scope="module")
def scorer(data):
    return TaskScorer.load(data)


def rows(data, name):
    with open(data / FOLDER / "official_scorer_outputs" / name, encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if "shipped" not in row["file"]]


def test_unsupervised_metrics_equal_official_tool(data, systems, scorer):
    official = rows(data, "unsup.tsv")
    assert len(official) == 72
    metrics = {name: unsupervised_metrics(key, scorer.gold) for name, key in systems.items()}
    for row in official:
        numbers = metrics[row["file"]][PARTS[row["pos"]]]
        assert numbers["paired_f"] == pytest.approx(float(row["F"]), abs=1e-6), row
        assert numbers["v_measure"] == pytest.approx(float(row["V"]), abs=5.01e-4), row
        assert numbers["clusters"] == pytest.approx(float(row["clusters"]), abs=5e-3), row


def test_supervised_recall_equals_official_tool(data, systems, scorer):
    official = rows(data, "sup.tsv")
    assert len(official) == 144
    for row in official:
        recalls = scorer.recalls(systems[row["file"]], row["split"], row["pos"])
        assert recalls == pytest.approx([float(row[f"r{k}"]) for k in range(1, 6)], abs=1e-4), row
        mean = scorer.mean_recall(systems[row["file"]], row["split"], row["pos"])
        assert mean == pytest.approx(float(row["mean"]), abs=1e-4), row


def test_used_senses_equal_published_numbers(systems, scorer):
    published = {"mfs_all.key": 1.00, "random1.key": 1.53, "380-408_duluth-wsi-testdata-pk2-new.txt": 1.66}
    for name, value in published.items():
        used = [count_used_senses(systems[name], split) for split in scorer.splits["80_20", "all"]]
        assert sum(used) / len(used) == pytest.approx(value, abs=0.005), name


def test_covered_targets_have_training_text(data, scorer):
    covered = scorer.select_targets(covered_targets(data))
    assert (len(covered.gold), sum(map(len, covered.gold.values()))) == (65, 3884)
    assert all(target in covered.gold for split in covered.splits["80_20", "all"] for target in split.test)


def test_random_senses_score_as_official_baselines(data, scorer):
    one = unsupervised_metrics(RandomSenses("one", 1).key(data), scorer.gold)["all"]
    assert one["paired_f"] == pytest.approx(0.6343, abs=5e-5)
    four = unsupervised_metrics(RandomSenses("four", 4).key(data), scorer.gold)["all"]
    assert four["v_measure"] == pytest.approx(0.044, abs=0.005)
    assert four["paired_f"] == pytest.approx(0.319, abs=0.01)


@given(labels, st.randoms())
def test_paired_f_equals_definition(classes, random):
    clusters = [random.choice("xyz") for _ in classes]

    def pairs(labels):
        same = {(i, j) for i in range(len(labels)) for j in range(i) if labels[i] == labels[j]}
        return same | {(i, i) for i in range(len(labels)) if labels.count(labels[i]) == 1}

    predicted, gold = pairs(clusters), pairs(classes)
    common = len(predicted & gold)
    expected = 2 * common / (len(predicted) + len(gold)) if common else 0.0
    assert paired_f(clusters, classes) == pytest.approx(expected)


def test_invalid_weight_in_key_raises():
    with pytest.raises(InputError, match=r"mine.key, line 3: the weight 'much'"):
        parse_key([(3, "mark.n mark.n.1 C0/much")], "mine.key")


def test_tables_have_rows_of_the_paper():
    from papers import find_tables

    tables = {table.name: table for table in find_tables(["acl2011"])}
    table = tables["acl2011-table2"]
    assert table.published.numbers("NMFlib")["wsi10/all/clusters"].value == 5.42
    assert {row.published_row for row in table.rows} == {"NMFlib", "NMFcon", "MFS", "Random"}
    assert [len(table.row_experiments(row, 5)) for row in table.rows] == [5, 5, 1, 5]
    assert tables["acl2011-table3"].published.numbers("NMFlib")["wsi10/all/senses"].value == 1.82


def test_each_ablation_row_changes_one_setting():
    from papers.tables.acl2011 import CHANGED, CONSERVATIVE, LIBERAL

    strict = {row.model.kind: row.model.parameters for row in (LIBERAL, CONSERVATIVE)}
    changed = [
        {name for name, value in row.model.parameters.items() if value != strict[row.model.kind][name]}
        for row in CHANGED
    ]
    assert [len(names) for names in changed] == [1, 1, 1, 1, 1, 1, 5, 1, 1, 1, 4]


def test_instances_are_read_plain_and_parsed(data):
    from papers.senses.instances import PARSED_TEST, PLAIN_TEST, parsed_instances, plain_instances

    plain = next(plain_instances(PLAIN_TEST, data))
    assert plain.passage.forms[plain.position].startswith(plain.word[:4])
    parsed = next(parsed_instances(PARSED_TEST, data))
    assert parsed.passage.terms[parsed.position] == parsed.word


def test_system_answers_known_words_only(data):
    from papers.senses.instances import PLAIN_TEST, marked_texts
    from papers.senses.system import TASK, SenseSystem
    from tacit import LocalSenseModel
    from tacit.evaluation import evaluate

    texts = [text.replace("<<", "").replace(">>", "") for _, _, text in marked_texts(PLAIN_TEST, data, 8)]
    model = LocalSenseModel(n_senses=2, n_iter=3, n_restarts=1, n_components=5, min_count=1)
    system = SenseSystem.from_models("two words", [model.fit(texts, words=["access", "road"])])
    result = evaluate(TASK, system, data)
    known = sum(len(answers) for answers in system.key(data).values())
    assert result.pairs == 8915
    assert result.without_known_words == 8915 - known
    assert {"all", "nouns", "verbs", "covered", "covered nouns", "covered verbs"} == set(result.sets)
    assert result.sets["covered"]["pairs"] < result.sets["all"]["pairs"]
    assert 1 < result.sets["nouns"]["clusters"] < 1.2
