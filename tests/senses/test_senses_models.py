"""Both models of senses: what they find, keep, and refuse."""

from __future__ import annotations

import numpy as np
import pytest
from senses_corpus import COMPUTING, FOOD, corpus

import tacit
from tacit import LocalSenseModel, SenseModel
from tacit.corpora.passages import Passage
from tacit.errors import InputError, NotFittedError
from tacit.senses.induction import Clusters
from tacit.senses.kmeans import spherical_kmeans
from tacit.senses.mixture import fit_mixture, log_likelihood
from tacit.senses.plot import draw_contexts

SMALL = {"n_components": 4, "n_iter": 40, "max_df": 1.0}
CHIPS = {"computing": "a chip in the computer circuit", "food": "fish and chip with salt"}


def liberal(**changed):
    return SenseModel(**{"n_clusters": 2, **SMALL, **changed})


def local(**changed):
    return LocalSenseModel(**{"n_senses": 2, "prior": 0.1, **SMALL, **changed})


@pytest.fixture(scope="module", params=[liberal, local], ids=["liberal", "local"])
def model(request):
    return request.param().fit(corpus(), words=["chip", "potato"])


def test_two_senses_are_told_apart(model):
    computing, food = (model.disambiguate("chip", text).sense for text in CHIPS.values())
    assert computing != food
    unseen = [model.disambiguate("chip", f"chip {text}").sense for text in corpus(60, seed=9, word="of")]
    topics = [
        "computing" if text.split()[0] in COMPUTING else "food" for text in corpus(60, seed=9, word="of")
    ]
    expected = {"computing": computing, "food": food}
    assert np.mean([expected[topic] == sense for topic, sense in zip(topics, unseen, strict=True)]) > 0.9


def test_a_sense_shows_its_words_topics_and_examples(model):
    senses = model.senses("chips")
    assert sum(sense.weight for sense in senses) == pytest.approx(1)
    assert [sense.weight for sense in senses] == sorted((s.weight for s in senses), reverse=True)
    for sense in senses:
        assert "chip" not in sense.words
        assert any(set(text.split()) & {*COMPUTING, *FOOD} for text in sense.examples)
        assert all(len(topic) > 1 for topic in sense.topics)


def test_candidates_come_best_first_with_evidence(model):
    answer = model.explain("chip", CHIPS["food"])
    divergences = [candidate.divergence for candidate in answer.candidates]
    assert divergences == sorted(divergences)
    assert sum(candidate.share for candidate in answer.candidates) == pytest.approx(1)
    # the evidence is exact: it sums to the lead of the best candidate
    assert sum(item.weight for item in answer.evidence) > 0
    assert answer.to_dict()["sense"] == answer.sense


def test_the_evidence_of_the_global_model_sums_to_the_lead():
    answer = liberal().fit(corpus(), words=["chip"]).explain("chip", CHIPS["food"])
    lead = answer.candidates[1].divergence - answer.candidates[0].divergence
    assert sum(item.weight for item in answer.evidence) == pytest.approx(lead, abs=1e-4)


def test_what_is_saved_answers_the_same(model, tmp_path):
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
def test_same_seed_same_senses_for_any_number_of_threads(make):
    one, two = (make(n_threads=n).fit(corpus(), words=["chip"]) for n in (1, 2))
    assert one.senses("chip") == two.senses("chip")
    assert one.divergence_ == two.divergence_


def test_all_words_get_senses_where_none_are_named():
    found = liberal().fit(corpus())
    assert {"chip", "fish"} <= set(found.words_)
    assert any(sense.examples for sense in found.senses("fish"))


def test_the_conservative_finds_no_more_than_the_liberal():
    few, many = (
        liberal(selection=name).fit(corpus(), words=["chip"]) for name in ("conservative", "liberal")
    )
    assert 1 <= len(few.senses("chip")) <= len(many.senses("chip")) == 2


def test_held_out_contexts_choose_the_number_of_senses():
    found = local(n_senses=None, prior=1.0).fit(corpus(800), words=["chip", "potato"])
    assert len(found.senses("chip")) >= 2
    assert found.senses("chip")[0].weight < 0.6
    assert found.senses("potato")[0].weight > 0.6


def test_a_parsed_corpus_reads_plain_text_by_the_forms_it_saw():
    def parsed(text):
        words = text.split()
        return Passage(
            [f"{word}s" for word in words], words, ["NOUN"] * len(words), ["compound"] * len(words),
            [*range(1, len(words)), len(words) - 1],
        )  # fmt: skip

    found = liberal(pos="noun").fit(map(parsed, corpus()), words=["chip"])
    assert found.disambiguate("chip", "fishs chips salts").known == ["fish", "salt"]


def test_other_languages_need_no_list():
    texts = [f"die Bank gab Kredit und Zins {k % 7}" for k in range(30)]
    texts += [f"auf der Bank im Park unter dem Baum {k % 7}" for k in range(30)]
    found = local(language="de", stop_words=None).fit(texts, words=["Bank"])
    assert (
        found.disambiguate("Bank", "die Bank gab Kredit").sense
        != found.disambiguate("Bank", "auf der Bank im Park").sense
    )


@pytest.mark.parametrize("make", [liberal, local])
def test_what_cannot_be_learnt_is_refused(make):
    for texts, words, message in (
        ([], ["chip"], "the corpus is empty"),
        (corpus(), "chip", "one word: put it in a list"),
        (corpus(), ["unicorn"], r"the corpus has the 'unicorn' 0 times"),
        (["the", "of"] * 5, ["chip"], "none of the 10 passages has a word"),
        ("one text", ["chip"], "one text was given"),
    ):
        with pytest.raises(InputError, match=message):
            make().fit(texts, words=words)
    for changed, message in (
        ({"pos": "noun"}, "needs parsed text"),
        ({"pos": "adjective"}, "use one of noun, verb"),
        ({"n_components": 0}, "n_components=0: give a whole number from 1"),
        ({"max_df": 2}, "max_df=2: give a number from 0 to 1"),
        ({"stop_words": "german"}, "use 'english', a list of words, or None"),
    ):
        with pytest.raises(InputError, match=message):
            make(**changed).fit(corpus(), words=["chip"])


def test_a_rare_word_is_told_how_often_it_occurs():
    with pytest.raises(InputError, match="'glitch' 1 time: give more text"):
        local().fit([*corpus(), "a glitch"], words=["glitch"])


def test_the_local_model_needs_words():
    with pytest.raises(InputError, match="name the words"):
        local().fit(corpus())


def test_questions_that_have_no_answer(model):
    for word, text, message in (
        ("unicorn", "a unicorn", "does not know 'unicorn'"),
        ("chipss", "a chip", "did you mean chip"),
        ("salt", "salt", "were not asked for, though the corpus has it"),
        ("chip", "no such word", "does not have the word 'chip'"),
        ("chip", "", "the text has no word"),
        ("chip", "chip", "no context word of 'chip' is known"),
        ("two words", "chip", "is 2 words"),
    ):
        with pytest.raises(InputError, match=message):
            model.disambiguate(word, text)
    with pytest.raises(InputError, match="at=99: the text has the tokens 0 to 2"):
        model.disambiguate("chip", "chip and salt", at=99)


def test_a_model_is_asked_after_training():
    with pytest.raises(NotFittedError):
        liberal().senses("chip")


def test_contexts_are_drawn(model, tmp_path):
    path = draw_contexts(model, "chip", [*corpus(80, seed=3), "", "no such word"], tmp_path / "chip.png")
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="0 of the texts can be drawn"):
        draw_contexts(model, "chip", ["nothing"], tmp_path / "none.png")


def test_the_word_is_taken_out_of_its_cluster():
    from scipy.sparse import csr_array

    random = np.random.default_rng(0)
    A = csr_array(random.poisson(1.0, (12, 9)).astype(np.float32))
    loads = random.dirichlet(np.ones(3), 9)
    clusters = Clusters(A, spherical_kmeans(A, 3), loads)
    dense = A.toarray()
    for row in range(12):
        own = clusters.labels[row]
        centre = dense[clusters.labels == own].sum(axis=0) - dense[row]
        if not centre.any():
            continue
        sense = clusters.induce(row, None, 1, 8)[0]
        cosine = centre @ dense[row] / np.linalg.norm(centre) / np.linalg.norm(dense[row])
        assert sense.cosine == pytest.approx(cosine, rel=1e-5)
        assert sense.profile == pytest.approx(centre @ loads / centre.sum(), rel=1e-5)


def test_the_likelihood_of_a_mixture_gains_from_structure():
    from scipy.sparse import csr_array

    random = np.random.default_rng(0)
    X = csr_array(
        np.vstack([random.poisson([4, 4, 0, 0], (40, 4)), random.poisson([0, 0, 4, 4], (40, 4))]) * 1.0
    )
    one, two = (log_likelihood(fit_mixture(X, k, 0.1)[0].joint(X)) for k in (1, 2))
    assert two > one


def test_of_two_senses_that_fit_alike_the_frequent_one_is_meant():
    found = liberal().fit(corpus(), words=["chip"])
    first, last = found.inventory_.spans["chip"]
    found.inventory_.profiles[first:last] = 1 / 4
    for weights in ([0.9, 0.1], [0.1, 0.9], [0.0, 1.0]):
        found.inventory_.weights[first:last] = weights
        answer = found.disambiguate("chip", CHIPS["food"])
        assert answer.sense == np.argmax(weights)
        assert np.isfinite([c.divergence for c in answer.candidates]).all()
        assert answer.evidence[0].word == "(frequency)"


def test_how_many_dimensions_are_switched_off_can_be_said():
    with pytest.raises(InputError, match="n_salient=0: give a whole number from 1"):
        liberal(n_salient=0).fit(corpus(), words=["chip"])
    assert liberal(n_salient=1).fit(corpus(), words=["chip"]).senses("chip")
