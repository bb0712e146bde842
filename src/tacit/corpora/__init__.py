"""Read texts, records and text pairs from files, standard input and named corpora."""

from tacit.corpora.lines import read_lines
from tacit.corpora.parallel import read_parallel
from tacit.corpora.readers import READERS, Reader
from tacit.corpora.reading import (
    NAMED_CORPORA,
    Record,
    read_named_records,
    read_named_texts,
    read_pairs,
    read_records,
    read_table,
    read_texts,
)
from tacit.corpora.table_rows import ReadOptions

__all__ = [
    "NAMED_CORPORA",
    "READERS",
    "ReadOptions",
    "Reader",
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
