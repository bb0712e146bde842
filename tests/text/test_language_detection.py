"""Detection of the language of a collection, and its fallback to English."""

from __future__ import annotations

import gzip
import random
import socket
import subprocess
import sys
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.text.languages import (
    ISO_639_1,
    SAMPLE_TEXTS,
    describe_mismatch,
    detect_collection_language,
    language_name,
    language_shares,
    missing_stemmer_note,
    stemmer_language,
)

QUESTIONS = {
    "en": ["where is my parcel", "I forgot my password", "the invoice was sent twice", "delete my account",
           "delivery was late"],
    "de": ["Wo ist mein Paket?", "Passwort vergessen", "Rechnung nicht erhalten", "Konto löschen",
           "Lieferung kam zu spät"],
    "es": ["no puedo entrar", "mi pedido no llega", "cambiar contraseña", "factura duplicada",
           "cancelar suscripción"],
    "fr": ["mot de passe oublié", "où est mon colis ?", "facture en double", "supprimer mon compte",
           "livraison en retard"],
    "ru": ["забыл пароль", "где моя посылка", "двойной счёт", "удалить аккаунт", "доставка опоздала"],
    "ar": ["نسيت كلمة المرور", "أين طردي", "الفاتورة مكررة", "احذف حسابي", "التوصيل متأخر"],
    "ja": ["パスワードを忘れた", "荷物が届かない", "請求書を再発行したい", "退会したい", "配送が遅い"],
    "zh": ["忘记密码", "包裹没有到", "发票重复", "删除账户", "送货太慢"],
    "ko": ["비밀번호를 잊어버렸어요", "소포가 도착하지 않았어요", "영수증이 두 번 왔어요", "계정 삭제",
           "배송이 늦어요"],
    "vi": ["quên mật khẩu", "gói hàng của tôi ở đâu", "hóa đơn bị trùng", "xóa tài khoản", "giao hàng trễ"],
}  # fmt: skip
COLLECTIONS = {
    "en": ("textcat/hwu64.tsv.gz", "textcat/20ng_subjects.tsv.gz", "pairs/wdc_products.tsv.gz"),
    "de": ("textcat/germeval2018.tsv.gz", "crosslingual/sts/stsb.de.dev.tsv"),
    "es": ("textcat/sib200.es.tsv.gz", "crosslingual/sts/stsb.es.dev.tsv"),
    "fr": ("textcat/wikit_fr.tsv.gz", "crosslingual/sts/stsb.fr.dev.tsv"),
}


@pytest.mark.parametrize("code", QUESTIONS)
def test_five_short_texts_are_enough(code):
    guess = detect_collection_language(QUESTIONS[code])
    assert (guess.code, guess.is_sure) == (code, True)
    assert guess.note == f"Language: {language_name(code)} (detected from 5 texts)."
    assert 0.3 <= guess.share <= 1


@pytest.mark.parametrize(
    ("code", "name"), [(code, name) for code in COLLECTIONS for name in COLLECTIONS[code]]
)
@pytest.mark.parametrize("n_texts", [5, 20, 200])
def test_random_draws_are_right_or_unsure(data, code, name, n_texts):
    opener = gzip.open if name.endswith(".gz") else open
    with opener(data / name, "rt", encoding="utf-8") as file:
        texts = [line.rstrip("\n").split("\t")[1] for line in file]
    draws = random.Random(n_texts)
    guesses = [detect_collection_language(draws.sample(texts, n_texts)) for _ in range(10)]
    assert {guess.code for guess in guesses if guess.is_sure} <= {code}
    if n_texts > 5 and "products" not in name:
        assert all(guess.is_sure for guess in guesses)


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["", " ", "\n"],
        ["1", "2.50", "300 000"],
        ["😀", "👍👍"],
        ["AB-1234", "XK99-22", "ZZ-100-Q", "PLM-77", "QRT-5"],
        ["ok", "yes", "no", "hi", "n/a"],
    ],
)
def test_too_few_letters_give_english_and_a_note(texts):
    guess = detect_collection_language(texts)
    assert (guess.code, guess.is_sure) == ("en", False)
    assert guess.note == "Language: English (assumed: the texts have too few letters to detect it)."


def test_product_codes_give_no_sure_answer():
    letters = random.Random(0).choices("ABCDEFGHKLMPQRSTVWXZ", k=800)
    codes = ["".join(letters[i : i + 4]) + f"-{i}" for i in range(0, 800, 4)]
    assert not detect_collection_language(codes).is_sure


def test_equal_parts_of_two_languages_are_unsure():
    english = ["the parcel has not arrived yet", "where is my invoice for last month"]
    german = ["das Paket ist noch nicht da", "wo ist meine Rechnung vom letzten Monat"]
    guess = detect_collection_language([*english, *german] * 50)
    assert (guess.code, guess.is_sure) == ("en", False)
    assert guess.note.startswith("Language: English (assumed: the language of 200 texts is unclear, ")
    assert "German" in guess.note


def test_a_few_foreign_texts_do_not_change_the_answer():
    texts = QUESTIONS["de"] * 4 + QUESTIONS["en"][:4]
    assert detect_collection_language(texts)[:2] == ("de", True)


def test_names_and_terms_are_not_latin():
    species = ["Homo sapiens", "Canis lupus", "Felis catus", "Ursus arctos", "Quercus robur"]
    assert detect_collection_language(species).code != "la"


def test_only_the_first_texts_of_a_stream_are_read():
    numbers = count()
    stream = (QUESTIONS["de"][number % 5] for number in numbers)
    assert detect_collection_language(stream).code == "de"
    assert next(numbers) == SAMPLE_TEXTS


def test_long_texts_and_line_breaks_are_accepted():
    text = "Der Versand dauert drei Tage.\nDanach ist das Paket da.\n" * 10_000
    assert detect_collection_language([text])[:2] == ("de", True)


@given(st.lists(st.text(max_size=40), max_size=5))
def test_any_texts_get_a_valid_code_every_time(texts):
    guess = detect_collection_language(texts)
    assert guess.code in ISO_639_1
    assert guess == detect_collection_language(list(texts))
    assert guess.is_sure or guess.code == "en"


def test_another_process_gives_the_same_answer():
    call = f"detect_collection_language({QUESTIONS['es'] + QUESTIONS['fr']!r})"
    code = f"from tacit.text.languages import detect_collection_language\nprint(tuple({call}))"
    other = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code], capture_output=True, text=True, check=True
    )
    assert other.stdout.strip() == str(tuple(detect_collection_language(QUESTIONS["es"] + QUESTIONS["fr"])))


def test_nothing_is_downloaded(monkeypatch):
    from tacit.text import languages

    def refuse(*_: object) -> None:
        raise AssertionError("a network connection was opened")

    languages._load_detector.cache_clear()
    monkeypatch.setattr(socket, "socket", refuse)
    assert detect_collection_language(QUESTIONS["de"]).is_sure


def test_a_full_disk_does_not_stop_detection(monkeypatch):
    from tacit.text import languages

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    languages._load_detector.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr("tempfile.TemporaryFile", refuse)
        guess = detect_collection_language(QUESTIONS["de"])
        assert describe_mismatch(QUESTIONS["de"], "en", "the texts") is None
    languages._load_detector.cache_clear()
    assert (guess.code, guess.is_sure) == ("en", False)
    assert "the detector could not be loaded" in guess.note


def test_shares_sum_to_one_and_longer_texts_count_more():
    shares = language_shares([*QUESTIONS["de"], "où est mon colis ?"])
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["de"] > shares["fr"] > 0.05
    assert language_shares(["", "12"]) == {}


def test_mismatch_is_described_only_for_known_languages():
    german = QUESTIONS["de"]
    message = "most of the texts look like 'de', not 'en': are the languages swapped?"
    assert describe_mismatch(german, "en", "the texts") == message
    for declared in ("de", "x-elvish", "gv"):
        assert describe_mismatch(german, declared, "the texts") is None
    assert describe_mismatch([], "en", "the texts") is None


def test_languages_without_a_stemmer_have_a_note(monkeypatch):
    assert [stemmer_language(code) for code in ("de", "ja", "x-elvish")] == ["de", None, None]
    assert missing_stemmer_note("de") is None
    assert missing_stemmer_note("zh") == "There is no stemmer for Chinese: its words are used as they are."
    monkeypatch.setattr("Stemmer.algorithms", lambda: ["english"])
    assert stemmer_language("de") is None


def test_every_detectable_language_has_a_name():
    from tacit.text.languages import _load_detector

    codes = set(_load_detector().labels) - {"zxx"}
    assert codes <= ISO_639_1
    assert [code for code in codes if language_name(code) == code] == []
