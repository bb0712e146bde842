"""The scorers of SemEval-2010 task 14 against what the official tools print."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.senses import Scorer, paired_f, unsupervised
from papers.senses.keys import parse_key
from papers.senses.scorer import ARCHIVE, FOLDER, archived_keys
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
    from papers import REPRODUCTIONS, find_reproductions

    tables = find_reproductions(["acl2011"])
    assert [table.name for table in tables] == ["acl2011-table1", "acl2011-table2", "acl2011-table3"]
    rows = {row.title: row for row in REPRODUCTIONS["acl2011-table3"].rows}
    assert rows["liberal"].paper["wsi10/all/supervised_recall"] == 0.626
    assert rows["UoY"].model is None
    assert [run.seed for run in tables[0].of_row(rows["local"], 5)] == [0, 1, 2, 3, 4]
    assert len(tables[0].of_row(rows["local, transductive"], 5)) == 1


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
    assert {"all", "nouns", "verbs"} == set(result.sets)
    assert 1 < result.sets["nouns"]["clusters"] < 1.2
