"""A model as an encoder of MTEB; ``python -m tacit.integrations.mteb MODEL TASK`` runs a task."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacit import __version__
from tacit.compute.cosine import cosine_matrix, paired_cosines
from tacit.models.text_model import TextModel
from tacit.types import Array
from tacit.workflows.file_index import open_model


class TacitEncoder:
    """Encoder of MTEB's protocol.

    Parameters
    ----------
    model : TextModel or path
        The model; or the folder of a model or an index, or a file of texts to train one on.
    """

    def __init__(self, model: TextModel | str | Path) -> None:
        self.model = model if isinstance(model, TextModel) else open_model(model)

    @property
    def mteb_model_meta(self) -> Any:
        """The description of the model that MTEB stores with results."""
        from mteb.models import ModelMeta

        return ModelMeta.create_empty({"name": "tacit/model", "revision": __version__})

    def encode(self, inputs: Iterable[Mapping[str, Any]], **kwargs: Any) -> Array:
        """Return a vector for each text of the batches; tasks and prompts do not change it."""
        texts = [text for batch in inputs for text in batch["text"]]
        return self.model.encode(texts)

    def similarity(self, embeddings1: Array, embeddings2: Array) -> Array:
        """Return the cosine of each vector with each other one."""
        return cosine_matrix(np.asarray(embeddings1), np.asarray(embeddings2))

    def similarity_pairwise(self, embeddings1: Array, embeddings2: Array) -> Array:
        """Return the cosine of the vectors at the same position."""
        rows = np.arange(len(embeddings1))
        return paired_cosines(np.concatenate([embeddings1, embeddings2]), rows, rows + len(rows))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a task of MTEB with a model, and write its results as JSON."""
    parser = argparse.ArgumentParser(prog="python -m tacit.integrations.mteb", description=main.__doc__)
    parser.add_argument("model", help="Folder of a model or an index, or a file of texts.")
    parser.add_argument("task", help="Name of the task, such as STSBenchmark.")
    parser.add_argument("--data", help="Folder with the task's data set (default: MTEB's cache).")
    parser.add_argument("-o", "--output", help="File for the results (default: print them).")
    options = parser.parse_args(arguments)
    import mteb

    task = mteb.get_task(options.task)
    if options.data is not None:
        task.metadata.dataset = {"path": str(Path(options.data).resolve()), "revision": "local"}
    results = mteb.evaluate(TacitEncoder(options.model), task, cache=None)
    content = json.dumps([result.to_dict() for result in results.task_results], indent=1, default=str)
    if options.output is None:
        print(content)  # noqa: T201
    else:
        Path(options.output).write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
