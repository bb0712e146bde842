"""Responses agree with the results of the library."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from prometheus_client import REGISTRY

from helpers.moving import Moving
from helpers.notes import NOTES, notes_index
from helpers.services import error_message, running_service
from helpers.waiting import wait_until
from tacit import __version__
from tacit.search.merging import compact
from tacit.server.served_collection import ServedCollection


def counted(service, name: str) -> float:
    return float(re.search(rf"^{name} (\S+)$", service.get("/metrics").text, re.M)[1])


PAIRS = [{"a": a, "b": b} for a, b in zip(NOTES, reversed(NOTES), strict=True)]


def test_similarity_is_the_blend_with_its_percentile(service, served_model):
    answer = service.post("/similarity", {"pairs": PAIRS}).json()
    scores = served_model.similarity_pairwise(NOTES, NOTES[::-1], measure="blend")
    assert [found["score"] for found in answer["results"]] == scores.tolist()
    chances = served_model.percentile(scores, measure="blend").tolist()
    assert [found["percentile"] for found in answer["results"]] == chances
    assert answer["measure"] == "blend"


def test_similarity_by_another_measure(service, served_model):
    answer = service.post("/similarity", {"pairs": PAIRS[:1], "measure": "latent"}).json()
    expected = served_model.similarity_pairwise(NOTES[:1], NOTES[-1:], "latent")
    assert answer["results"][0]["score"] == pytest.approx(float(expected[0]))


def test_no_pairs_have_no_scores(service):
    assert service.post("/similarity", {"pairs": []}).json()["results"] == []


def test_the_cells_of_an_explanation_sum_to_its_score(service, served_model):
    answer = service.post("/explain", {"a": "card declined", "b": "payment failed"}).json()
    assert answer["words_a"] == ["card", "declined"]
    assert np.sum(answer["table"]) == pytest.approx(answer["score"], abs=1e-9)
    assert answer["table"] == served_model.explain("card declined", "payment failed", "blend").table.tolist()
    assert answer["known_a"] is answer["known_b"] is True


def test_texts_without_known_words_are_reported(service):
    answer = service.post("/explain", {"a": "xylophone", "b": "payment failed"}).json()
    assert (answer["known_a"], answer["known_b"], answer["score"]) == (False, True, 0.0)


def test_unsaid(service, served_model):
    answer = service.post("/unsaid", {"text": "my parcel", "k": 3}).json()
    assert [(w["word"], w["weight"]) for w in answer["words"]] == served_model.unsaid("my parcel", 3)


def test_search_explains_its_hits(service, models):
    answer = service.post("/search", {"query": "card failed", "k": 2}).json()
    expected = [hit.to_dict() | {"row": hit.row} for hit in models.index.search("card failed", 2)]
    told = {"match": "strong", "offset": 0, "more": True, "searched": 15, "counts": None, "language": "en"}
    told["unknown_words"] = []
    assert answer == {"hits": expected, **told}
    assert answer["hits"][0]["words"]


def test_results_are_consistent_while_the_index_changes(served_model):
    first = notes_index(served_model).snapshot
    later = compact(first.with_deleted(range(8)), lambda each, dead: True)  # the rows are others now
    index = Moving(first, first)
    with running_service(ServedCollection("notes", served_model, index)) as service:
        for looks in range(1, 7):
            index.move(first, later, looks)
            ids = [hit["id"] for hit in service.post("/similar", {"id": "15", "k": 3}).json()["hits"]]
            assert len(ids) == 3
            assert "15" not in ids
    for looks in (1, 2, 3):
        assert ServedCollection("notes", served_model, Moving(first, later, looks)).examples


def drawn_map(service) -> dict:
    def drawn() -> dict | None:
        answer = service.get("/map")
        assert answer.status_code != 202 or 0 <= answer.json()["done"] <= 1
        return answer.json() if answer.status_code == 200 else None

    return wait_until(drawn)


def test_the_map_is_drawn_on_request(service):
    found = drawn_map(service)
    assert found["points"] == len(NOTES)
    assert all(set(label) == {"level", "x", "y", "name", "size"} for label in found["labels"])
    assert sum(label["size"] for label in found["labels"] if label["level"] == 0) == len(NOTES)
    data, n = service.get("/map/points").content, found["points"]
    assert len(data) == 13 * n
    points = np.frombuffer(data, "<f4", 2 * n).reshape(-1, 2)
    assert np.abs(points).max() <= 1
    assert np.frombuffer(data, "<u4", n, 8 * n).tolist() == list(range(n))
    assert max(data[12 * n :]) < len(found["groups"])
    told = [service.get(f"/map/points/{number}").json() for number in range(n)]
    assert [one["text"] for one in told] == NOTES
    assert told[3]["columns"] == {"line": 3}
    assert service.get("/map/points/15").status_code == 404


def test_points_inside_a_polygon_are_selected(service):
    n = drawn_map(service)["points"]
    all_of_it = [[-1.1, -1.1], [1.1, -1.1], [1.1, 1.1], [-1.1, 1.1]]
    found = service.post("/map/selection", {"line": all_of_it}).json()
    assert (found["count"], [one["text"] for one in found["texts"]]) == (n, NOTES)
    x, y = np.frombuffer(service.get("/map/points").content, "<f4", 2).tolist()
    around = [[x - 1e-3, y - 1e-3], [x + 1e-3, y - 1e-3], [x, y + 1e-3]]
    found = service.post("/map/selection", {"line": around}).json()
    assert [one["number"] for one in found["texts"]] == [0]
    assert set(found["words"]) & set(NOTES[0].split())
    assert service.post("/map/selection", {"line": [[0, 0], [1, 1]]}).status_code == 422


def test_about_lists_the_capabilities(service, served_model):
    found = service.get("/about").json()
    assert found["words"] == len(served_model.word_vectors_)
    assert found["languages"] == [{"code": "en", "words": found["words"]}]
    assert found["abilities"] == ["compare", "search", "map"]
    assert (found["name"], found["texts"]) == ("notes", 15)
    assert set(found["examples"]) <= set(NOTES)


def test_missing_capabilities_give_404_with_the_remedy(service):
    assert service.get("/languages").status_code == 404
    answer = service.post("/senses", {"word": "bank"})
    assert answer.status_code == 404
    assert "tacit serve --senses" in error_message(answer)


def test_concurrent_requests_get_the_same_results_as_single_ones(service):
    alone = [service.post("/similarity", {"pairs": [pair]}).json()["results"][0] for pair in PAIRS]
    before = counted(service, "tacit_batches_total")
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda pair: service.post("/similarity", {"pairs": [pair]}), PAIRS * 8))
    assert [answer.json()["results"][0] for answer in answers] == alone * 8
    assert 1 <= counted(service, "tacit_batches_total") - before <= len(answers)


def test_metrics_are_prometheus_text(service):
    service.get("/health")
    answer = service.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    line = re.compile(r'^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{([a-z]+="[^"]*",?)+\})? -?[0-9.e+]+)$')
    assert all(line.match(text) for text in answer.text.splitlines())
    assert 'tacit_requests_total{method="GET",route="/health",status="200"}' in answer.text
    assert re.search(r'tacit_request_seconds_bucket\{le="\+Inf",route="/health"\} [1-9]', answer.text)
    assert f'tacit_info{{version="{__version__}"}} 1.0' in answer.text
    for name in ("requests_in_flight", "questions_waiting", "batched_questions_total", "batched_items_total"):
        assert f"\ntacit_{name} " in answer.text
    assert counted(service, "tacit_requests_in_flight") == 1  # this one
    assert abs(time.time() - counted(service, "tacit_start_time_seconds")) < 3600


def test_two_services_have_separate_metrics(service, served_model):
    with running_service(ServedCollection("other", served_model)) as other:
        service.post("/unsaid", {"text": "card"})
        assert counted(other, "tacit_batches_total") == 0
    assert not [family.name for family in REGISTRY.collect() if family.name.startswith("tacit")]


def test_unknown_paths_do_not_become_metric_labels(service):
    service.get("/made-up-address")
    assert "made-up-address" not in service.get("/metrics").text


@pytest.mark.parametrize(
    "path",
    ["/", "/docs", "/static/main.js", "/static/style.css", "/static/icon.svg", "/static/map/viewer.js"],
)
def test_page_files_have_a_strict_policy(service, path):
    answer = service.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_no_page_file_refers_to_another_host():
    from tacit.search.map_export import VIEWER_DIR
    from tacit.server.static_pages import PAGE_DIR

    paths = [path for folder in (PAGE_DIR, VIEWER_DIR) for path in folder.rglob("*")]
    files = [path for path in paths if path.is_file() and path.suffix != ".svg"]
    assert len(files) > 8
    for path in files:
        assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]", path.read_text(encoding="utf-8")), path


def test_files_beside_the_page_are_not_served(service):
    assert service.get("/static/../app.py").status_code == 404
    assert service.get("/static/%2e%2e/app.py").status_code == 404


def test_a_service_without_an_index_compares(served_model):
    with running_service(ServedCollection("alone", served_model)) as service:
        assert service.get("/about").json()["abilities"] == ["compare"]
        assert service.post("/search", {"query": "card"}).status_code == 404
        assert service.post("/unsaid", {"text": "card"}).status_code == 200
