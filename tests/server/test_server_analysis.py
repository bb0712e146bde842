"""Links, duplicates, themes and reports over HTTP: the same results as in Python."""

from __future__ import annotations

import csv
import io
import random

import pytest

from helpers.complaints import complaints
from helpers.services import error_message, running_service
from helpers.waiting import wait_until
from tacit.server import request_schemas
from tacit.server.served_collection import ServedCollection
from tacit.server.server_settings import Settings, allowed_hosts
from tacit.workflows import build_index, dedupe, find_themes, link
from tacit.workflows.judgements import JUDGEMENTS_FILE, read_judgements
from tacit.workflows.python_records import read_index

MAKERS = ["Sony", "Canon", "Nikon", "Olympus", "Panasonic", "Pentax", "Samsung", "Kodak"]
KINDS = ["camera", "lens", "flash", "tripod", "battery", "charger", "case", "printer"]


def products(n: int = 64) -> tuple[list[str], list[str]]:
    """The same products in two lists, with other words around them, in another order."""
    rng = random.Random(3)
    codes = [f"{rng.choice('ABCDEF')}{rng.randrange(100, 999)}" for _ in range(n)]
    names = [f"{MAKERS[k % 8]} {KINDS[k // 8 % 8]} {code}" for k, code in enumerate(codes)]
    a = [f"{name} black" for name in names]
    b = [f"new {name.lower()} with warranty" for name in names]
    rng.shuffle(b)
    return a, b


@pytest.fixture(scope="module")
def indexes():
    a, b = products()
    texts, topics = complaints(160)
    rows = [{"text": text, "topic": topic} for text, topic in zip(texts, topics, strict=True)]
    copies = [*rows, *rows[:3], {"text": texts[0].upper(), "topic": "copy"}]
    return {"a": build_index(a), "b": build_index(b), "texts": build_index(copies, text="text")}


@pytest.fixture(scope="module")
def service(indexes):
    with running_service([ServedCollection(name, index=index) for name, index in indexes.items()]) as running:
        yield running


def run(service, path: str, body: dict) -> dict:
    """Run a job to its end and return it with its list of results."""
    answer = service.post(path, body)
    assert answer.status_code == 202, answer.text
    address = f"/jobs/{answer.json()['job']}"
    wait_until(lambda: service.get(address).json()["state"] not in ("queued", "running"))
    job = service.get(address).json()
    assert job["state"] == "done", job["error"]
    rows = service.get(f"{address}/result?limit=1000")
    return job | {"rows": rows.json()["groups"] if rows.status_code == 200 else []}


def read_file(service, job: dict, name: str) -> list[dict[str, str]]:
    response = service.get(f"/jobs/{job['id']}/files/{name}")
    assert response.headers["content-disposition"] == f'attachment; filename="{name}"'
    return list(csv.DictReader(io.StringIO(response.text, newline="")))


@pytest.fixture(scope="module")
def link_job(service):
    return run(service, "/link", {"collection": "a", "other": "b"})


def test_links_are_those_of_python(service, indexes, link_job):
    expected = link(list(read_index(indexes["a"])), list(read_index(indexes["b"])))
    pairs = [(row["id_a"], row["id_b"], row["score"]) for row in link_job["rows"]]
    assert pairs == [(pair.a.id, pair.b.id, pair.score) for pair in expected]
    assert link_job["result"]["found"] == len(expected) > 50
    assert link_job["result"]["precision"] == list(expected.precision)
    rows = read_file(service, link_job, "links.csv")
    assert [(row["id_a"], row["id_b"]) for row in rows] == [pair[:2] for pair in pairs]


def test_judgements_are_used_without_training_again(service, link_job):
    following = link_job["result"]["next"]
    assert following
    judged = [{"id_a": pair["id_a"], "id_b": pair["id_b"], "label": int(pair["match"])} for pair in following]
    body = {"collection": "a", "other": "b", "judgements": judged}
    again = run(service, "/link", body | {"job": link_job["id"]})
    assert again["result"]["next"] != following
    fresh = run(service, "/link", body)
    assert (again["rows"], again["result"]) == (fresh["rows"], fresh["result"])


def test_a_threshold_changes_the_number_of_links(service, link_job):
    best = link_job["rows"][0]["score"]
    body = {"collection": "a", "other": "b", "job": link_job["id"], "threshold": best}
    assert {row["score"] for row in run(service, "/link", body)["rows"]} == {best}


def test_duplicates_are_those_of_python(service, indexes):
    job, records = run(service, "/dedupe", {"collection": "texts"}), list(read_index(indexes["texts"]))
    expected = dedupe(records)
    groups = [[member["id"] for member in row["members"]] for row in job["rows"]]
    assert groups == [[records[member.row].id for member in group] for group in expected.groups]
    assert job["result"]["removed"] == len(expected.removed_rows) == 4
    kept = [row["id"] for row in read_file(service, job, "clean.csv")]
    assert kept == [record.id for record in expected.clean]


def test_themes_are_those_of_python(service, indexes):
    job = run(service, "/themes", {"collection": "texts", "n_themes": 4})
    expected = find_themes(indexes["texts"], 4)
    assert [theme["name"] for theme in job["result"]["themes"]] == [theme.name for theme in expected]
    assert [row["theme"] for row in read_file(service, job, "themes.csv")] == [
        row[2] for row in expected.table_rows()
    ]
    again = {"collection": "texts", "job": job["id"]}
    renamed = run(service, "/themes", again | {"names": {"1": "Parcels"}})
    assert renamed["result"]["themes"][0]["name"] == "Parcels"
    report = run(service, "/report", again | {"job": renamed["id"], "title": "Complaints"})
    page = service.get(f"/jobs/{report['id']}/files/report.html").text
    assert "Complaints" in page
    assert "Parcels" in page


def test_search_can_be_limited_to_a_theme(service, indexes):
    job = run(service, "/themes", {"collection": "texts", "n_themes": 4})
    expected = find_themes(indexes["texts"], 4)
    number = max(range(4), key=lambda n: sum(expected.labels == n))
    rows = zip(expected.records, expected.labels, strict=True)
    members = {record.id for record, label in rows if label == number}
    theme = {"job": job["id"], "theme": expected.themes[number].id}
    body = {
        "collection": "texts",
        "query": expected.records[0].text,
        "k": 10,
        "theme": theme,
        "counts": True,
    }
    page = service.post("/search", body).json()
    assert page["searched"] == len(members)
    assert {hit["id"] for hit in page["hits"]} <= members
    assert sum(value["n"] for value in page["counts"]["topic"]) == len(members)
    wrong = service.post("/search", body | {"theme": theme | {"theme": "99"}})
    assert wrong.status_code == 404
    assert service.post("/search", body | {"collection": "a"}).status_code == 404


def test_wrong_jobs_and_files_are_errors(service, link_job):
    answer = service.post("/dedupe", {"collection": "a", "job": link_job["id"]})
    assert answer.status_code == 422
    assert "leave out its id" in error_message(answer)
    other = service.post("/link", {"collection": "b", "other": "a", "job": link_job["id"]})
    assert other.status_code == 422
    for name in ("result.jsonl", "work", "..%2Fsecret"):
        assert service.get(f"/jobs/{link_job['id']}/files/{name}").status_code == 404


def judge(service, pair: dict, label: int | None, **scope) -> int:
    judgement = {"id_a": pair["id_a"], "id_b": pair["id_b"], "label": label}
    answer = service.post("/judgements", scope | {"judgements": [judgement]})
    assert answer.status_code == 200, answer.text
    return answer.json()["stored"]


def test_stored_judgements_are_used_by_later_jobs(service, link_job):
    scope = {"collection": "a", "other": "b"}
    wrong, other = link_job["rows"][:2]
    assert judge(service, wrong, 0, **scope) == 1
    again = run(service, "/link", scope | {"job": link_job["id"]})
    fresh = run(service, "/link", scope)
    for job in (again, fresh):
        linked = {(row["id_a"], row["id_b"]) for row in job["rows"]}
        assert (wrong["id_a"], wrong["id_b"]) not in linked
        assert (other["id_a"], other["id_b"]) in linked
    assert service.get("/judgements?collection=b&other=a").json() == {"judgements": []}
    assert service.get("/judgements?collection=a").json() == {"judgements": []}
    assert judge(service, wrong, None, **scope) == 0
    assert run(service, "/link", scope)["rows"] == link_job["rows"]


def test_contradictory_judgements_are_an_error(service):
    pairs = [{"id_a": "1", "id_b": "1", "label": label} for label in (1, 0)]
    answer = service.post("/judgements", {"collection": "a", "other": "b", "judgements": pairs})
    assert answer.status_code == 422
    assert "are judged both 1 and 0" in error_message(answer)


def test_stored_judgements_have_a_limit(service, monkeypatch):
    monkeypatch.setattr(request_schemas, "MAX_STORED_JUDGEMENTS", 2)
    pairs = [{"id_a": number, "id_b": number, "label": 1} for number in "123"]
    scope = {"collection": "b", "other": "a"}
    assert service.post("/judgements", scope | {"judgements": pairs[:2]}).json() == {"stored": 2}
    answer = service.post("/judgements", scope | {"judgements": pairs[2:]})
    assert answer.status_code == 422
    assert "2 judgements are stored, withdrawn ones included, at most 2: " in error_message(answer)
    assert len(service.get("/judgements?collection=b&other=a").json()["judgements"]) == 2


def test_judgements_survive_a_restart_and_end_with_their_collection(indexes, tmp_path):
    """Those of a collection of the service are in its folder, others in the folder of all collections."""
    settings = Settings(hosts=allowed_hosts("127.0.0.1", None), store_dir=tmp_path)
    body = {"name": "ours", "texts": products()[0]}
    for is_restarted in (False, True):
        with running_service([ServedCollection("theirs", index=indexes["b"])], settings) as service:
            if not is_restarted:
                run(service, "/collections", body)
            for scope in ({"collection": "ours", "other": "theirs"}, {"collection": "theirs"}):
                if not is_restarted:
                    judge(service, {"id_a": "1", "id_b": "2"}, 1, **scope)
                expected = [{"id_a": "1", "id_b": "2", "label": 1}]
                assert service.get("/judgements", params=scope).json()["judgements"] == expected
    files = sorted(tmp_path.rglob(JUDGEMENTS_FILE))
    assert [path.relative_to(tmp_path).parts[:2] for path in files] == [
        (".judgements", files[0].parent.name), ("ours", "judgements"),
    ]  # fmt: skip
    assert read_judgements(files[1].parent) == [("1", "2", 1)]
    with running_service([ServedCollection("theirs", index=indexes["b"])], settings) as service:
        service.client.delete("/collections/ours").raise_for_status()
        run(service, "/collections", body)
        empty = service.get("/judgements?collection=ours&other=theirs").json()
        assert empty == {"judgements": []}
