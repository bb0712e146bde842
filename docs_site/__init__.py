"""The documentation site: ``python -m docs_site`` writes it to the folder ``site``."""
