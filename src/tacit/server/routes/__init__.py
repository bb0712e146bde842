"""One file a group of addresses; in the order of /docs."""

from tacit.server.routes import (
    classify,
    collections,
    embeddings,
    jobs,
    map,
    rerank,
    search,
    status,
    texts,
    words,
)

ROUTERS = [
    group.router
    for group in (texts, search, collections, jobs, map, words, classify, embeddings, rerank, status)
]
