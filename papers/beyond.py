"""Past the papers: the blend of vectors and aligned words, on every set, by one fixed setting."""

from __future__ import annotations

from statistics import fmean

from papers.experiments import Model
from papers.published_rows import FLOOR, FLOOR_NOTE, printed
from papers.tables import Cell, Reproduction, Row
from tacit.evaluation.published import LI06, MSR04, STS12

YEARS = ("sts13", "sts14", "sts15", "sts16")
_MEAN = "sts13-16/mean/pearson"
_BEST_2012 = 0.6773  # the weighted mean of UKP, the best of the 89 official runs by it

BLEND = Model(
    "wtmf",
    {
        "measure": "blend",
        "tf": "log",
        "missing_weight": 0.01,
        "regularization": 20.0,
        "n_components": 300,
        "n_iter": 10,
    },
    random=True,
)

TRANSLATED = Model(
    "x-wmf",
    {"measure": "blend", "tf": "log", "n_components": 300, "n_iter": 10, "languages": "es"},
    random=True,
)

_CELLS = (
    Cell("STS12 weighted mean", "sts12/weighted_mean/pearson"),
    Cell("STS13-16 mean of sets", _MEAN),
    Cell("STSb test", "stsb/test/pearson"),
    Cell("SICK test", "sick/test/pearson"),
    Cell("LI06 30 pairs r", "li06/30 pairs/pearson"),
    Cell("MSR04 accuracy", "msr04/test/accuracy"),
)

TABLE = Reproduction(
    "beyond-blend",
    "Past the papers: vectors and aligned words together",
    "sentences",
    _CELLS,
    (
        Row("WTMF, w_m=.01, of the papers", None, {
            **printed("sts12", STS12, "WTMF, w_m=.01"),
            **printed("li06", LI06, "WTMF, w_m=.01"),
            **printed("msr04", MSR04, "WTMF, w_m=.01"),
        }),
        Row("best of STS12, supervised", None, {"sts12/weighted_mean/pearson": _BEST_2012}),
        Row("blend, K=300", BLEND, {}, most_runs=1),
        *(Row(title, model) for title, model in FLOOR.items()),
    ),
    note=(
        "The weights of the blend and the constants of its alignment were chosen on the training pairs of "
        "STS12 and the development pairs of STSb, some of which also stand in the yearly sets. "
        f"{FLOOR_NOTE}"
    ),
)  # fmt: skip

TRANSLATIONS = Reproduction(
    "beyond-translations",
    "Past the papers: English text with the help of Spanish translations",
    "sentences+pairs",
    _CELLS,
    (Row("blend across languages, K=300", TRANSLATED, {}, most_runs=1),),
    note=(
        "The texts compared are English. The pairs show which English words are translated alike; such "
        "words may stand for each other. The blend is the one across languages, whose constants were chosen "
        "on the STS Benchmark dev sets (English with Spanish, Spanish) and the Spanish news of 2014; how "
        "faint a translation counts was chosen on the English dev set and the training pairs of STS12."
    ),
)


def across_years(numbers: dict[str, float]) -> dict[str, float]:
    """The mean of Pearson's r over all sets of 2013 to 2016, where they were all measured.

    >>> across_years({f"{year}/a set/pearson": 0.5 for year in YEARS} | {"sts13/mean/pearson": 0.9})
    {'sts13-16/mean/pearson': 0.5}
    >>> across_years({"sts13/a set/pearson": 0.5})
    {}
    """
    averages = {"all", "all_normalized", "mean", "weighted_mean"}
    keys = [key.split("/") for key in numbers]
    sets = [key for key in keys if key[0] in YEARS and key[1] not in averages and key[2] == "pearson"]
    if {key[0] for key in sets} != set(YEARS):
        return {}
    return {_MEAN: fmean(numbers["/".join(key)] for key in sets)}
