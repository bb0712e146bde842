"""Systems of the comparison that link two lists."""

from __future__ import annotations

import io
from typing import Any

from vector_systems import SEED, split_words


class Dedupe:
    package, settings = (
        "dedupe",
        "one Text field; it learns from 50 judged pairs of the truth, which no other system gets",
    )

    def start(self) -> None:
        import dedupe  # noqa: F401

    def answer_lists(self, task: Any, watch: Any) -> Any:
        import dedupe
        from dedupe.serializer import write_training

        a, b = ({row: {"text": text} for row, text in enumerate(task[side])} for side in "ab")
        with watch("links"):
            linker = dedupe.RecordLink([dedupe.variables.Text("text")], num_cores=0)
            judged = {answer: [(a[i], b[j]) for i, j in pairs] for answer, pairs in task["judged"].items()}
            file = io.StringIO()
            write_training(judged, file)
            file.seek(0)
            linker.prepare_training(a, b, training_file=file, sample_size=1500)
            linker.train()
            links = linker.join(a, b, threshold=0.5, constraint="one-to-one")
        return {"links": [tuple(map(int, pair)) for pair, _ in links]}


class Splink:
    package, settings = (
        "splink",
        "unsupervised; Jaro-Winkler and shared words, blocked on shared words; mutual best of all links",
    )

    def start(self) -> None:
        import splink  # noqa: F401

    def answer_lists(self, task: Any, watch: Any) -> Any:
        import pandas as pd
        import splink.comparison_library as cl
        from splink import Linker, SettingsCreator, block_on
        from splink.backends.duckdb import DuckDBAPI

        def frame(texts: list[str]) -> Any:
            words = [sorted(set(split_words(text))) or [""] for text in texts]
            ends = {"first": [each[0] for each in words], "last": [each[-1] for each in words]}
            return pd.DataFrame({"unique_id": range(len(texts)), "text": texts, "words": words} | ends)

        with watch("links"):
            shared = block_on("words", arrays_to_explode=["words"])
            settings = SettingsCreator(
                link_type="link_only",
                probability_two_random_records_match=0.5 / max(len(task["a"]), len(task["b"])),
                comparisons=[
                    cl.JaroWinklerAtThresholds("text", [0.9, 0.8, 0.7]),
                    cl.ArrayIntersectAtSizes("words", [6, 4, 3, 2, 1]),
                ],
                blocking_rules_to_generate_predictions=[shared],
            )
            database = DuckDBAPI()
            linker = Linker([database.register(frame(task[side])) for side in "ab"], settings)
            linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=SEED)
            for column in ("first", "last"):  # rules on shared words are not supported here
                linker.training.estimate_parameters_using_expectation_maximisation(block_on(column))
            found = linker.inference.predict().as_pandas_dataframe()
        return {"links": mutual_best(found)}


def mutual_best(found: Any) -> list[tuple[int, int]]:
    """Return the pairs that are the best ones of both of their rows."""
    rows = found.sort_values("match_weight", ascending=False, kind="stable")
    best_a, best_b = (rows.groupby(f"unique_id_{side}").head(1).index for side in "lr")
    both = rows.loc[best_a.intersection(best_b)]
    return list(zip(both["unique_id_l"].tolist(), both["unique_id_r"].tolist(), strict=True))
