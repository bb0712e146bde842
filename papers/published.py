"""The figures that papers print for the tasks of this package, typed from their tables."""

from __future__ import annotations

from tacit.evaluation.published import ACL, Figure

WSI = "Van de Cruys & Apidianaki, ACL 2011"
TASK14 = "Manandhar et al., SemEval 2010"


def _atop(dev: float, test: float) -> dict[str, dict[str, float]]:
    return {"atop": {"dev": dev, "test": test}}


_CDR_TABLE = tuple(
    Figure(model, f"{ACL}, table 2", _atop(dev, test))
    for model, dev, test in (
        ("IR", 0.8578, 0.8515),
        ("N-gram", 0.8238, 0.8171),
        ("LSA", 0.8218, 0.8143),
        ("LDA, alpha=.1 beta=.01", 0.9466, 0.9427),
        ("LDA, alpha=beta=.05", 0.9506, 0.9470),
        ("WTMF, w_m=1 lambda=0", 0.8273, 0.8273),
        ("WTMF, w_m=0", 0.8745, 0.8645),
        ("WTMF, w_m=.01", 0.9555, 0.9511),
        ("WTMF, w_m=.0005", 0.9610, 0.9558),
    )
)
CDR = (*_CDR_TABLE, Figure("N-gram, TF-IDF", f"{ACL}, section 5.2.1", {"atop": {"test": 0.8467}}))


def _wsi(
    v: tuple[float, ...] = (),
    f: tuple[float, ...] = (),
    recall: tuple[float, ...] = (),
    clusters: float | None = None,
) -> dict[str, dict[str, float]]:
    """Percentages of all, nouns and verbs as shares."""
    measures = {"v_measure": v, "paired_f": f, "supervised_recall": recall}
    values = {
        measure: {
            part: round(value / 100, 4) for part, value in zip(("all", "nouns", "verbs"), triple, strict=True)
        }
        for measure, triple in measures.items()
        if triple
    }
    return values if clusters is None else {**values, "clusters": {"all": clusters}}


WSI10 = (
    Figure("NMFcon", WSI, _wsi((3.9, 3.9, 3.9), (60.2, 54.6, 68.4), (60.3, 54.5, 68.8), 1.58)),
    Figure("NMFlib", WSI, _wsi((11.8, 13.5, 9.4), (45.3, 42.2, 49.8), (62.6, 57.3, 70.2), 4.80)),
    Figure("Hermit", TASK14, _wsi((16.2, 16.7, 15.6), clusters=10.78)),
    Figure("UoY", TASK14, _wsi((15.7, 20.6, 8.5), recall=(62.4, 59.4, 66.8), clusters=11.54)),
    Figure("KSU KDD", TASK14, _wsi((15.7, 18.0, 12.4), clusters=17.50)),
    Figure("Duluth-WSI", TASK14, _wsi((9.0, 11.4, 5.7), (41.1, 37.1, 46.7), (60.5, 54.7, 68.9), 4.15)),
    Figure("Duluth-WSI-SVD-Gap", TASK14, _wsi(f=(63.3, 57.0, 72.4), clusters=1.02)),
    Figure("random", TASK14, _wsi((4.4, 4.2, 4.6), (31.9, 30.4, 34.1), (57.3, 51.5, 65.7), 4.0)),
    Figure("most frequent sense", TASK14, _wsi((0.0, 0.0, 0.0), (63.5, 57.0, 72.7), (58.7, 53.2, 66.6), 1.0)),
)
"""Tables 1 to 3 of the paper, with the systems it quotes."""
