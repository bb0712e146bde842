"""Earlier names, for the commands that still use them."""

from tacit.cli.shared_options import corpus_option, reading_options, table_options

__all__ = ["corpus_option", "reading_options", "table_options"]
