"""Read texts, records and text pairs from files, standard input and named corpora."""

from tacit.corpora.formats import READERS
from tacit.corpora.lines import read_lines
from tacit.corpora.reading import (
    NAMED_CORPORA,
    read_named_records,
    read_named_texts,
    read_pairs,
    read_parallel,
    read_records,
    read_table,
    read_texts,
)
from tacit.corpora.table_rows import ReadOptions, Record

__all__ = [
    "NAMED_CORPORA",
    "READERS",
    "ReadOptions",
    "Record",
    "read_lines",
    "read_named_records",
    "read_named_texts",
    "read_pairs",
    "read_parallel",
    "read_records",
    "read_table",
    "read_texts",
]
