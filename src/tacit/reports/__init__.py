"""Reports about a collection and its themes: self-contained HTML, Markdown, JSON and Excel."""
