"""Which codes name a language."""

from __future__ import annotations

import re

from tacit.checks import close_names
from tacit.errors import InputError
from tacit.text.languages import SNOWBALL

ISO = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs
    cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha
    he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn
    ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb
    nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd
    se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw
    ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()  # noqa: SIM905
)
"""ISO 639-1."""

_OTHER_NAMES = dict(
    entry.split(":")
    for entry in """
    af:Afrikaans am:Amharic an:Aragonese as:Assamese az:Azerbaijani ba:Bashkir be:Belarusian bg:Bulgarian
    bn:Bengali br:Breton bs:Bosnian cy:Welsh dz:Dzongkha fo:Faroese fy:Frisian gd:Gaelic gl:Galician
    gu:Gujarati ha:Hausa he:Hebrew hr:Croatian ht:Haitian ig:Igbo is:Icelandic ja:Japanese jv:Javanese
    ka:Georgian kk:Kazakh km:Khmer kn:Kannada ko:Korean ku:Kurdish ky:Kyrgyz la:Latin lb:Luxembourgish
    lg:Ganda ln:Lingala lo:Lao lv:Latvian mg:Malagasy mk:Macedonian ml:Malayalam mn:Mongolian mr:Marathi
    ms:Malay mt:Maltese my:Burmese nn:Nynorsk oc:Occitan om:Oromo or:Odia pa:Punjabi ps:Pashto qu:Quechua
    rw:Kinyarwanda sa:Sanskrit se:Sami si:Sinhala sk:Slovak sl:Slovenian sn:Shona so:Somali sq:Albanian
    sw:Swahili te:Telugu tg:Tajik th:Thai tk:Turkmen tl:Tagalog tt:Tatar ug:Uyghur uk:Ukrainian ur:Urdu
    uz:Uzbek vi:Vietnamese vo:Volapük wa:Walloon xh:Xhosa yo:Yoruba zh:Chinese zu:Zulu
    """.split()  # noqa: SIM905
)
"""Names of the detectable languages that have no stemmer."""

UNNAMED = "x-unnamed"
"""The code of a language that nobody has named."""

_PRIVATE = re.compile(r"x-[a-z0-9]{1,16}")


def check_code(code: object) -> str:
    """A language's code as it is kept, or an error that says which there are.

    >>> check_code("ES"), check_code("x-elvish")
    ('es', 'x-elvish')
    >>> check_code("spanish")
    Traceback (most recent call last):
    tacit.errors.InputError: 'spanish' is no language code: did you mean es? Give two letters (ISO 639-1), ...
    """
    name = code.lower() if isinstance(code, str) else ""
    if name in ISO or _PRIVATE.fullmatch(name):
        return name
    codes = {full: short for short, full in SNOWBALL.items()}
    hint = "".join(f"did you mean {codes[full]}? " for full in close_names(name, codes))
    raise InputError(
        f"{code!r} is no language code: {hint}Give two letters (ISO 639-1), such as en, es or de, "
        "or x-NAME for a language without"
    )


def check_codes(codes: object, least: int = 2) -> list[str]:
    """Several codes, each once.

    >>> check_codes(["en", "EN"])
    Traceback (most recent call last):
    tacit.errors.InputError: the language 'en' is named twice: name each once
    """
    if isinstance(codes, str) or not isinstance(codes, list | tuple):
        raise InputError(
            f"languages={codes!r}: give a list of codes, such as ['en', 'es']", parameter="languages"
        )
    found = [check_code(code) for code in codes]
    for code in found:
        if found.count(code) > 1:
            raise InputError(f"the language {code!r} is named twice: name each once")
    if len(found) < least:
        raise InputError(f"languages={codes!r}: give at least {least}", parameter="languages")
    return found


def stemmer_language(code: str) -> str | None:
    """Return the code if the installed PyStemmer has a stemmer for it, else None: words stay as they are.

    >>> stemmer_language("es"), stemmer_language("ja")
    ('es', None)
    """
    import Stemmer

    return code if SNOWBALL.get(code) in Stemmer.algorithms() else None


def missing_stemmer_note(code: str) -> str | None:
    """Return a sentence for users if a language has no stemmer, else None.

    >>> missing_stemmer_note("ja")
    'There is no stemmer for Japanese: its words are used as they are.'
    """
    if stemmer_language(code) is not None:
        return None
    return f"There is no stemmer for {language_name(code)}: its words are used as they are."


def language_name(code: str) -> str:
    """Return the English name of a language, or its code if the name is not known.

    >>> language_name("de"), language_name("ja"), language_name("x-elvish")
    ('German', 'Japanese', 'x-elvish')
    """
    return SNOWBALL[code].capitalize() if code in SNOWBALL else _OTHER_NAMES.get(code, code)
