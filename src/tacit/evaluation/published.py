"""The figures that papers print for the tasks, typed from their tables.

``values`` are by measure, then by set or average, under the names that results have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ACL = "Guo & Diab, ACL 2012"
SEM = "Guo & Diab, *SEM 2012"
SEMEVAL = "Aldarmaki & Diab, SemEval 2016"
STS = "Agirre et al., *SEM 2012"


@dataclass(frozen=True)
class Figure:
    """One row of a published table.

    >>> STS12[0].values["pearson"]["weighted_mean"]
    0.608
    """

    model: str
    source: str
    values: Mapping[str, Mapping[str, float]]

    @property
    def name(self) -> str:
        """The model and where it is printed."""
        return f"{self.model} ({self.source})"


def _pearson(**sets: float) -> dict[str, dict[str, float]]:
    return {"pearson": sets}


def _li06(
    r30: float, rho30: float, r35: float | None = None, rho35: float | None = None
) -> dict[str, dict[str, float]]:
    values = {"pearson": {"30 pairs": r30}, "spearman": {"30 pairs": rho30}}
    if r35 is not None and rho35 is not None:
        values["pearson"]["35 pairs"] = r35
        values["spearman"]["35 pairs"] = rho35
    return values


STS12 = (
    Figure(
        "WTMF, w_m=.01",
        f"{SEM}, tables 2 and 3",
        _pearson(
            MSRpar=0.411, MSRvid=0.835, SMTeuroparl=0.513, OnWN=0.727, SMTnews=0.438,
            all=0.695, all_normalized=0.830, weighted_mean=0.608,
        ),
    ),
    Figure(
        "LDA",
        f"{SEM}, table 2",
        _pearson(MSRpar=0.274, MSRvid=0.7682, SMTeuroparl=0.452, OnWN=0.619, SMTnews=0.366),
    ),
    Figure(
        "baseline",
        f"{STS}, table 1",
        _pearson(
            MSRpar=0.4334, MSRvid=0.2996, SMTeuroparl=0.4542, OnWN=0.5864, SMTnews=0.3908,
            all=0.3110, all_normalized=0.6732, weighted_mean=0.4356,
        ),
    ),
    Figure(
        "UKP-run2, first of 89",
        f"{STS}, table 1",
        _pearson(
            MSRpar=0.6830, MSRvid=0.8739, SMTeuroparl=0.5280, OnWN=0.6641, SMTnews=0.4937,
            all=0.8239, all_normalized=0.8579, weighted_mean=0.6773,
        ),
    ),
)  # fmt: skip

LI06 = (
    Figure("WTMF, w_m=.0005", f"{ACL}, table 3", _li06(0.8247, 0.8440, 0.4200, 0.6006)),
    Figure("WTMF, w_m=.001", f"{ACL}, table 3", _li06(0.8470, 0.8636, 0.4308, 0.5985)),
    Figure("WTMF, w_m=.005", f"{ACL}, table 3", _li06(0.8876, 0.8966, 0.4638, 0.5809)),
    Figure("WTMF, w_m=.01", f"{ACL}, table 3", _li06(0.8984, 0.9091, 0.4564, 0.5450)),
    Figure("WTMF, w_m=.05", f"{ACL}, table 3", _li06(0.8804, 0.8812, 0.4087, 0.4766)),
    Figure("LDA, alpha=beta=.05", f"{ACL}, table 4", _li06(0.8422, 0.8663)),
    Figure("STASIS (Li 2006)", f"{ACL}, table 4", _li06(0.8162, 0.8126)),
    Figure("Liu 2007", f"{ACL}, table 4", _li06(0.841, 0.8538)),
    Figure("Feng 2008", f"{ACL}, table 4", _li06(0.756, 0.608)),
    Figure("STS (Islam & Inkpen 2008)", f"{ACL}, table 4", _li06(0.853, 0.838)),
    Figure("LSA (O'Shea 2008)", f"{ACL}, table 4", _li06(0.8384, 0.8714)),
    Figure("Omiotis (Tsatsaronis 2010)", f"{ACL}, table 4", _li06(0.856, 0.8905)),
    Figure("WSD-STS (Ho 2010)", f"{ACL}, table 4", _li06(0.864, 0.8341)),
    Figure("SPD-STS (Ho 2010)", f"{ACL}, table 4", _li06(0.895, 0.9034)),
)

MSR04 = tuple(
    Figure(model, f"{ACL}, table 5", {"accuracy": {"test": value}})
    for model, value in (
        ("WTMF, w_m=.01", 0.7151),
        ("LDA, alpha=beta=.05", 0.686),
        ("random", 0.513),
        ("LSA (Mihalcea 2006)", 0.684),
        ("full model (Mihalcea 2006)", 0.703),
        ("STS (Islam & Inkpen 2008)", 0.726),
        ("Omiotis (Tsatsaronis 2010)", 0.6997),
    )
)

STS16_EN_ES = tuple(
    Figure(model, f"{SEMEVAL}, table 1", _pearson(news=news, multisource=multisource, mean=mean))
    for model, news, multisource, mean in (
        ("b-WMF", 0.83, 0.72, 0.78),
        ("x-WMF", 0.87, 0.73, 0.80),
        ("UWB, first of 2016", 0.91, 0.82, 0.86),
    )
)
