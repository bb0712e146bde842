"""Both sense models: senses, disambiguation, saved folders and errors."""

from __future__ import annotations

import numpy as np
import pytest

import tacit
from helpers.senses_corpus import COMPUTING, FOOD, corpus
from tacit import LocalSenseModel, SenseModel
from tacit.corpora.passages import Passage
from tacit.errors import InputError, ModelError, NotFittedError
from tacit.senses.cluster_induction import WordClusters
from tacit.senses.plot import plot_contexts
from tacit.senses.topics import LatentTopics

SMALL = {"n_components": 4, "n_iter": 40, "max_df": 1.0}
CHIPS = {"computing": "a chip in the computer circuit", "food": "fish and chip with salt"}


def liberal(**changed):
    return SenseModel(**{"n_clusters": 2, **SMALL, **changed})


def local(**changed):
    return LocalSenseModel(**{"n_senses": 2, "prior": 0.1, **SMALL, **changed})


@pytest.fixture(scope="module", params=[liberal, local], ids=["liberal", "local"])
def model(request):
    return request.param().fit(corpus(), words=["chip", "potato"])


def test_two_senses_are_distinguished(model):
    computing, food = (model.disambiguate("chip", text).sense for text in CHIPS.values())
    assert computing != food
    unseen = [model.disambiguate("chip", f"chip {text}").sense for text in corpus(60, seed=9, word="of")]
    topics = [
        "computing" if text.split()[0] in COMPUTING else "food" for text in corpus(60, seed=9, word="of")
    ]
    expected = {"computing": computing, "food": food}
    assert np.mean([expected[topic] == sense for topic, sense in zip(topics, unseen, strict=True)]) > 0.9


def test_senses_have_words_topics_and_examples(model):
    senses = model.senses("chips")
    assert sum(sense.weight for sense in senses) == pytest.approx(1)
    assert [sense.weight for sense in senses] == sorted((s.weight for s in senses), reverse=True)
    for sense in senses:
        assert "chip" not in sense.words
        assert any(set(text.split()) & {*COMPUTING, *FOOD} for text in sense.examples)
        assert all(len(topic) > 1 for topic in sense.topics)


def test_candidates_are_sorted_with_evidence(model):
    answer = model.explain("chip", CHIPS["food"])
    divergences = [candidate.divergence for candidate in answer.candidates]
    assert divergences == sorted(divergences)
    assert sum(candidate.share for candidate in answer.candidates) == pytest.approx(1)
    # the evidence is exact: it sums to the lead of the best candidate
    assert sum(item.weight for item in answer.evidence) > 0
    assert answer.to_dict()["sense"] == answer.sense


def test_evidence_of_cluster_model_sums_to_lead():
    answer = liberal().fit(corpus(), words=["chip"]).explain("chip", CHIPS["food"])
    lead = answer.candidates[1].divergence - answer.candidates[0].divergence
    assert sum(item.weight for item in answer.evidence) == pytest.approx(lead, abs=1e-4)


def test_saved_model_gives_same_answers(model, tmp_path):
    model.save(tmp_path / "senses")
    again = tacit.load(tmp_path / "senses")
    assert type(again) is type(model)
    for text in CHIPS.values():
        ours, theirs = model.disambiguate("chip", text), again.disambiguate("chip", text)
        assert [c.sense for c in ours.candidates] == [c.sense for c in theirs.candidates]
        assert [c.share for c in ours.candidates] == pytest.approx(
            [c.share for c in theirs.candidates], abs=1e-5
        )
    assert [s.examples for s in again.senses("chip")] == [s.examples for s in model.senses("chip")]
    assert [s.words for s in again.senses("chip")] == [s.words for s in model.senses("chip")]


@pytest.mark.parametrize("make", [liberal, local])
def test_senses_do_not_depend_on_threads(make):
    one, two = (make(n_threads=n).fit(corpus(), words=["chip"]) for n in (1, 2))
    assert one.senses("chip") == two.senses("chip")
    assert one.divergence_ == two.divergence_


def test_all_words_get_senses_by_default():
    model = liberal().fit(corpus())
    assert {"chip", "fish"} <= set(model.words_)
    assert any(sense.examples for sense in model.senses("fish"))


def test_conservative_finds_at_most_as_many_as_liberal():
    few, many = (
        liberal(selection=name).fit(corpus(), words=["chip"]) for name in ("conservative", "liberal")
    )
    assert 1 <= len(few.senses("chip")) <= len(many.senses("chip")) == 2


def test_held_out_contexts_choose_the_number_of_senses():
    senses = local(n_senses=None, prior=1.0).fit(corpus(800), words=["chip", "potato"])
    assert len(senses.senses("chip")) >= 2
    assert senses.senses("chip")[0].weight < 0.6
    assert senses.senses("potato")[0].weight > 0.6


def test_parsed_model_reads_plain_text_by_known_forms():
    def parsed(text):
        words = text.split()
        return Passage(
            [f"{word}s" for word in words], words, ["NOUN"] * len(words), ["compound"] * len(words),
            [*range(1, len(words)), len(words) - 1],
        )  # fmt: skip

    answer = liberal(pos="noun").fit(map(parsed, corpus()), words=["chip"])
    assert answer.disambiguate("chip", "fishs chips salts").known == ["fish", "salt"]


def test_other_languages_need_no_stop_words():
    texts = [f"die Bank gab Kredit und Zins {k % 7}" for k in range(30)]
    texts += [f"auf der Bank im Park unter dem Baum {k % 7}" for k in range(30)]
    model = local(language="de", stop_words=None).fit(texts, words=["Bank"])
    assert (
        model.disambiguate("Bank", "die Bank gab Kredit").sense
        != model.disambiguate("Bank", "auf der Bank im Park").sense
    )


@pytest.mark.parametrize("make", [liberal, local])
def test_invalid_training_input_raises(make):
    for texts, words, message in (
        ([], ["chip"], "the corpus is empty"),
        (corpus(), "chip", "one word: put it in a list"),
        (corpus(), ["unicorn"], r"the word 'unicorn' occurs 0 times in the texts, at least 3 are needed"),
        (["the", "of"] * 5, ["chip"], "no word occurs 3 times or more in 10 passages"),
        ("one text", ["chip"], "got a single text"),
    ):
        with pytest.raises(InputError, match=message):
            make().fit(texts, words=words)
    for changed, message in (
        ({"pos": "noun"}, "needs parsed text"),
        ({"pos": "adjective"}, "use one of noun, verb"),
        ({"n_components": 0}, "n_components=0: expected an integer from 1 to 10,000"),
        ({"max_df": 2}, "max_df=2: expected a number from 0 to 1"),
        ({"stop_words": "german"}, "use 'english', a list of words, or None"),
    ):
        with pytest.raises(InputError, match=message):
            make(**changed).fit(corpus(), words=["chip"])


def test_error_for_rare_word_has_its_count():
    with pytest.raises(InputError, match="'glitch' occurs 1 time in the texts"):
        local().fit([*corpus(), "a glitch"], words=["glitch"])


def test_zero_prior_raises():
    with pytest.raises(InputError, match="prior=0: expected a number above 0, at most 1e"):
        local(prior=0).fit(corpus(), words=["chip"])


def test_inconsistent_folder_raises(model):
    name = "profiles" if isinstance(model, SenseModel) else "columns.0"
    for spoil in (lambda array: array[:-1], lambda array: array * np.nan, lambda array: array.astype(int)):
        stored = model.to_stored()
        stored.arrays[name] = spoil(stored.arrays[name])
        with pytest.raises(ModelError, match=f"array '{name}' .*: copy the model again"):
            type(model).from_stored(stored)
    stored = model.to_stored()
    del stored.arrays[name]
    with pytest.raises(ModelError, match=f"array '{name}' is missing"):
        type(model).from_stored(stored)


def test_local_model_requires_words():
    with pytest.raises(InputError, match="name the words"):
        local().fit(corpus())


def test_invalid_queries_raise(model):
    for word, text, message in (
        ("unicorn", "a unicorn", "does not know 'unicorn'"),
        ("chipss", "a chip", "did you mean chip"),
        ("salt", "salt", "were not learned, although it occurs"),
        ("chip", "no such word", "does not contain the word 'chip'"),
        ("chip", "", "the text has no word"),
        ("two words", "chip", "is 2 words"),
    ):
        with pytest.raises(InputError, match=message):
            model.disambiguate(word, text)
    with pytest.raises(InputError, match="at=99: the text has the tokens 0 to 2"):
        model.disambiguate("chip", "chip and salt", at=99)


@pytest.mark.parametrize("text", ["chip", "the chip of xyzzy", "chip chip"])
def test_unknown_context_gives_most_frequent_sense(model, text):
    senses = model.senses("chip")
    answer = model.disambiguate("chip", text)
    assert answer.guessed
    assert answer.to_dict()["guessed"] is True
    assert [c.sense for c in answer.candidates] == [sense.number for sense in senses]
    assert [c.share for c in answer.candidates] == pytest.approx([sense.weight for sense in senses])
    lead = answer.candidates[1].divergence - answer.candidates[0].divergence
    assert sum(item.weight for item in answer.evidence) == pytest.approx(lead)
    assert not model.disambiguate("chip", CHIPS["food"]).guessed


def test_single_sense_is_guessed_without_context():
    model = local(n_senses=1).fit(corpus(), words=["chip"])
    answer = model.disambiguate("chip", "chip")
    assert (answer.sense, answer.guessed, answer.evidence) == (0, True, [])


@pytest.mark.parametrize("make", [liberal, local])
def test_empty_texts_are_ignored(make):
    one = make().fit(corpus(), words=["chip"])
    two = make().fit(["", " ", "...", *corpus(), ""], words=["chip"])
    assert one.senses("chip") == two.senses("chip")
    assert (one.n_passages_, two.n_passages_) == (400, 404)
    with pytest.raises(InputError, match="no word occurs"):
        make().fit(["", ""], words=["chip"])


def test_leading_empty_passage_does_not_hide_the_parse():
    parsed = [
        Passage(words, words, ["NOUN"] * len(words), ["compound"] * len(words), [0, *range(len(words) - 1)])
        for words in map(str.split, ["", *corpus()])
    ]
    found = liberal(pos="noun").fit(parsed, words=["chip"])
    assert found.is_parsed_


@pytest.mark.parametrize("make", [liberal, local])
def test_queries_before_fit_raise(make, tmp_path):
    model = make()
    for query in (
        lambda: model.senses("chip"),
        lambda: model.disambiguate("chip", "a chip"),
        lambda: model.explain("chip", "a chip"),
        lambda: model.normalize_word("chip"),
        lambda: model.words_,
        lambda: model.save(tmp_path / "none"),
    ):
        with pytest.raises(NotFittedError, match=f"this {type(model).__name__} is not fitted yet"):
            query()


def test_failed_fit_leaves_model_unfitted():
    model = liberal().fit(corpus(), words=["chip"])
    with pytest.raises(InputError):
        model.fit(corpus(), words=["unicorn"])
    with pytest.raises(NotFittedError):
        model.senses("chip")


@pytest.mark.parametrize("make", [liberal, local])
def test_parameters_follow_scikit_learn(make):
    from sklearn.base import clone

    model = make(random_state=7)
    assert clone(model).get_params() == model.get_params()
    names = list(model.get_params())
    assert names[names.index("pos") :][:3] == ["pos", "language", "normalize"]
    assert repr(model.set_params(n_iter=9)).count("n_iter=9") == 1


def test_contexts_are_plotted(model, tmp_path):
    path = plot_contexts(model, "chip", [*corpus(80, seed=3), "", "no such word"], tmp_path / "chip.png")
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="only 0 of the texts can be plotted"):
        plot_contexts(model, "chip", ["nothing"], tmp_path / "none.png")


def test_word_is_left_out_of_its_cluster():
    from scipy.sparse import csr_array

    random = np.random.default_rng(0)
    A = csr_array(random.poisson(1.0, (12, 9)).astype(np.float32))
    loadings = random.dirichlet(np.ones(3), 9)
    clusters = WordClusters.from_counts(A, loadings, 3, seed=0)
    dense = A.toarray()
    for row in range(12):
        label = clusters.labels[row]
        center = dense[clusters.labels == label].sum(axis=0) - dense[row]
        if not center.any():
            continue
        sense = clusters.induce_senses(row, None, 1, 8)[0]
        cosine = center @ dense[row] / np.linalg.norm(center) / np.linalg.norm(dense[row])
        assert sense.cosine == pytest.approx(cosine, rel=1e-5)
        assert sense.profile == pytest.approx(center @ loadings / center.sum(), rel=1e-5)


def test_near_context_words_weigh_more():
    topics = LatentTopics(["river", "money"], np.eye(2), frozenset())
    content_terms = ["money", *[""] * 20, "river", "bank", ""]
    known, weights = topics.weighted_context(content_terms, 22, "bank")
    assert known == ["money", "river"]
    assert weights[1] > 4 * weights[0]
    near, far = topics.fold_in(known, weights)
    assert near > 0.8 > 0.2 > far
    assert topics.fold_in(known) == pytest.approx([0.5, 0.5])


def test_frequent_sense_wins_on_equal_fit():
    model = liberal().fit(corpus(), words=["chip"])
    senses = model.senses_["chip"]
    senses.profiles[:] = 1 / 4
    for weights in ([0.9, 0.1], [0.1, 0.9], [0.0, 1.0]):
        senses.weights[:] = weights
        answer = model.disambiguate("chip", CHIPS["food"])
        assert answer.sense == np.argmax(weights)
        assert np.isfinite([c.divergence for c in answer.candidates]).all()
        assert answer.evidence[0].word == "(frequency)"


def test_n_salient_is_checked_and_used():
    with pytest.raises(InputError, match="n_salient=0: expected an integer from 1 to 10,000"):
        liberal(n_salient=0).fit(corpus(), words=["chip"])
    assert liberal(n_salient=1).fit(corpus(), words=["chip"]).senses("chip")


def test_automatic_sizes_follow_the_corpus(tmp_path):
    model = SenseModel(max_df=1.0).fit(corpus(), ["chip"])
    n_words = len(model.counts_)
    assert model.topics_.n_components == max(2, min(50, n_words // 8)) < 50
    model.save(tmp_path / "m")
    assert tacit.load(tmp_path / "m").senses("chip") == model.senses("chip")
    assert SenseModel(max_df=1.0, n_components=3).fit(corpus(), ["chip"]).topics_.n_components == 3


@pytest.mark.parametrize(
    ("name", "value"), [("stop_words", -0.0), ("stop_words", [1]), ("language", [1]), ("max_df", "log")]
)
def test_parameters_of_folder_are_checked(model, tmp_path, name, value):
    from dataclasses import replace

    from tacit.storage import read_model, write_model

    model.save(tmp_path / "m")
    stored = read_model(tmp_path / "m")
    write_model(tmp_path / "m", replace(stored, parameters={**stored.parameters, name: value}), card="")
    with pytest.raises(ModelError):
        tacit.load(tmp_path / "m")
