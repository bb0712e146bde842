"""Where texts come from: files of the formats in ``readers``, pairs of texts, and corpora by name."""

from tacit.corpora.files import read_lines
from tacit.corpora.named import NAMED, named_corpus, named_records
from tacit.corpora.opening import Record, open_corpus, open_passages, open_records, read_cells, read_pairs
from tacit.corpora.options import ReadOptions
from tacit.corpora.parallel import read_parallel
from tacit.corpora.readers import READERS, Reader

__all__ = [
    "NAMED",
    "READERS",
    "ReadOptions",
    "Reader",
    "Record",
    "named_corpus",
    "named_records",
    "open_corpus",
    "open_passages",
    "open_records",
    "read_cells",
    "read_lines",
    "read_pairs",
    "read_parallel",
]
