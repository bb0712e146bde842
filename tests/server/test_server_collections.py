"""Collections: upload, inspect, train, search, change and delete."""

from __future__ import annotations

import gzip
import json
import random
import zipfile
from collections import Counter

import pytest

from helpers.notes import NOTES
from helpers.services import PATIENCE, error_message, running_service
from helpers.waiting import wait_until
from tacit.errors import InputError
from tacit.server.server_settings import Limits, Settings, allowed_hosts
from tacit.server.worker import inspect_upload

TEAMS = ("billing", "login", "post")
LIMITS = Limits(
    request_timeout=PATIENCE,
    max_inspection_seconds=PATIENCE,
    max_upload_bytes=200_000,
    max_texts_per_collection=500,
    max_collections=3,
    max_pending_jobs=2,
)


def table(n: int = 60, mark: str = ",") -> str:
    dice = random.Random(5)
    rows = [mark.join(("ticket id", "team", "votes", "message"))]
    for number in range(n):
        kind = number % 3
        note = NOTES[5 * kind + dice.randrange(5)].replace(",", "")
        rows.append(mark.join((f"T-{number}", TEAMS[kind], str(number % 4), f"{note} {number % 7}")))
    return "\n".join(rows) + "\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def shop(home):
    """A service that was given nothing but a home."""
    hosts = allowed_hosts("127.0.0.1", None)
    with running_service([], Settings(LIMITS, hosts=hosts, store_dir=home)) as service:
        yield service


def send(service, name: str, content, kind: str = "application/octet-stream"):
    return service.client.post(
        "/uploads", params={"filename": name}, content=content, headers={"content-type": kind}
    )


def ended(service, answer) -> dict:
    assert answer.status_code == 202, answer.text

    def job() -> dict | None:
        now = service.get(f"/jobs/{answer.json()['job']}").json()
        return now if now["state"] not in ("queued", "running") else None

    return wait_until(job, 2 * PATIENCE)


@pytest.fixture(scope="module")
def tickets(shop):
    """A collection made of a CSV file, as the page makes it."""
    assert shop.get("/collections").json()["collections"] == []
    assert shop.get("/about").json()["abilities"] == []
    seen = send(shop, "tickets.csv", table().encode()).json()
    job = ended(shop, shop.post("/collections", {"name": "tickets", "upload": seen["upload"]}))
    assert job["state"] == "done", job["error"]
    return seen, job


def test_an_uploaded_file_is_inspected(tickets):
    seen, _ = tickets
    kinds = {column["name"]: column["kind"] for column in seen["columns"]}
    assert kinds == {"ticket id": "text", "team": "text", "votes": "number", "message": "text"}
    assert (seen["text"], seen["id"], seen["rows"], seen["format"]) == ("message", "ticket id", 60, "CSV")
    assert (seen["language"], seen["language_name"], seen["header"]) == ("en", "English", True)
    assert len(seen["preview"]) == 5
    assert seen["preview"][0]["ticket id"] == "T-0"


def test_a_created_collection_is_listed_and_searchable(shop, tickets, home):
    _, job = tickets
    assert (job["kind"], job["done"], job["total"]) == ("collection", 100, 100)
    assert job["result"]["texts"] == 60
    listed = shop.get("/collections").json()
    assert listed["default"] == "tickets"
    [one] = [each for each in listed["collections"] if each["name"] == "tickets"]
    assert one["deletable"]
    assert one["columns"] == [{"name": "team", "kind": "text"}, {"name": "votes", "kind": "number"}]
    assert listed["limits"] == {"upload_bytes": 200_000, "texts": 500, "collections": 3, "jobs": 2}
    assert (home / "tickets" / "index" / "config.json").is_file()
    about = shop.get("/about", params={"collection": "tickets"}).json()
    assert about["abilities"] == ["compare", "search", "map"]
    assert about["examples"]


def test_pages_of_hits_continue_each_other(shop, tickets):
    whole = shop.post("/search", {"query": "card declined", "k": 20, "explain": False}).json()
    pages = [
        shop.post("/search", {"query": "card declined", "k": 5, "offset": start, "explain": False}).json()
        for start in (0, 5, 10, 15)
    ]
    assert [hit["id"] for page in pages for hit in page["hits"]] == [hit["id"] for hit in whole["hits"]]
    assert [page["offset"] for page in pages] == [0, 5, 10, 15]
    assert pages[0]["more"]
    assert whole["language"] == "en"
    last = shop.post("/search", {"query": "card declined", "k": 100}).json()
    assert not last["more"]


@pytest.mark.parametrize(
    "where",
    [{"team": ["post"]}, {"team": ["post", "login"], "votes": ["1"]}, {"votes": ["0", "2"]}, {"team": []}],
)
def test_filters_restrict_the_hits(shop, tickets, where):
    def fits(columns, but=None) -> bool:
        return all(columns[name] in values for name, values in where.items() if name != but)

    rows = [
        dict(zip(("id", "team", "votes", "message"), line.split(","), strict=True))
        for line in table().splitlines()[1:]
    ]
    answer = shop.post("/search", {"query": "my parcel", "k": 100, "where": where, "counts": True}).json()
    assert answer["searched"] == sum(map(fits, rows))
    assert all(fits(hit["columns"]) for hit in answer["hits"])
    free = shop.post("/search", {"query": "my parcel", "k": 100, "explain": False}).json()
    kept = [hit["id"] for hit in free["hits"] if fits(hit["columns"])]
    assert [hit["id"] for hit in answer["hits"]] == kept
    for name, values in answer["counts"].items():
        told = {each["value"]: each["n"] for each in values if each["n"]}
        read = int if name == "votes" else str
        assert told == Counter(read(row[name]) for row in rows if fits(row, but=name))


@pytest.mark.parametrize(
    ("where", "texts"),
    [
        ({"votes": [2]}, 15),
        ({"votes": 2}, 15),
        ({"votes": {"<": 2}}, 30),
        ({"votes": {">=": 1, "!=": [2, 3]}, "team": {"!=": "post"}}, 10),
        ({"votes": [None, ""]}, 0),
    ],
)
def test_conditions_compare_numbers_of_a_table_numerically(shop, tickets, where, texts):
    answer = shop.post("/search", {"query": "my parcel", "k": 100, "where": where}).json()
    assert answer["searched"] == texts
    assert {hit["columns"]["votes"] for hit in answer["hits"]} <= {"0", "1", "2", "3"}
    assert shop.post("/similar", {"id": "T-3", "where": where}).json()["searched"] == texts


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"colour": ["red"]}, "there is no column 'colour'; the columns are 'team', 'votes'"),
        ({"votes": {"~": 2}}, "'votes' has the operator '~': use one of =, !=, <, <=, >, >="),
        ({"team": {"<": "post"}}, "the column 'team' is of type text: < compares numbers and ISO dates"),
        ({"votes": {"<": "few"}}, "the column 'votes' is of type number"),
        ({"votes": {"<": [2]}}, "compare with one value"),
    ],
)
def test_invalid_filters_give_422(shop, tickets, where, message):
    answer = shop.post("/search", {"query": "card", "where": where})
    assert answer.status_code == 422
    assert message in error_message(answer)


def test_similar_texts_do_not_include_the_text_itself(shop, tickets):
    answer = shop.post("/similar", {"id": "T-3", "k": 7}).json()
    ids = [hit["id"] for hit in answer["hits"]]
    assert len(ids) == 7
    assert "T-3" not in ids
    assert "no text with the id 'T-999'" in error_message(shop.post("/similar", {"id": "T-999"}))


def test_added_and_deleted_documents_are_saved(shop, tickets):
    added = shop.post(
        "/collections/tickets/documents",
        {
            "documents": [
                {"text": "the parcel burst", "id": "new", "columns": {"team": "post"}},
                {"text": "a card"},
            ]
        },
    )
    assert added.json() == {"ids": ["new", "61"]}
    found = shop.post("/search", {"query": "the parcel burst", "k": 1}).json()["hits"]
    assert (found[0]["id"], found[0]["columns"]) == ("new", {"team": "post"})
    again = shop.post("/collections/tickets/documents", {"documents": [{"text": "x", "id": "new"}]})
    assert "the id 'new' is already in use" in error_message(again)
    assert shop.post("/collections/tickets/reload").json()["texts"] == 62
    deleted = shop.client.request("DELETE", "/collections/tickets/documents", json={"ids": ["new", "61"]})
    assert deleted.json() == {"deleted": 2}
    absent = shop.client.request("DELETE", "/collections/tickets/documents", json={"ids": ["new"]})
    assert "no text with the id 'new'" in error_message(absent)
    assert shop.post("/collections/tickets/reload").json()["texts"] == 60


@pytest.mark.parametrize("path", ["/duplicates", "/clusters"])
def test_jobs_find_duplicates_and_clusters(shop, tickets, path):
    question = {"threshold": 0.95} if path == "/duplicates" else {"n_clusters": 3}
    job = ended(shop, shop.post(path, question))
    assert job["state"] == "done", job["error"]
    groups = job["result"]["groups"]
    assert job["result"]["found"] == len(groups) > 1
    rest = shop.get(f"/jobs/{job['id']}/result", params={"offset": 1, "limit": 1}).json()
    assert rest["groups"] == groups[1:2]
    assert sum(group["size"] for group in groups) == job["result"]["texts"]


def test_themes_job_gives_the_theme_of_each_text(shop, tickets):
    job = ended(shop, shop.post("/themes", {"n_themes": 3}))
    assert job["state"] == "done", job["error"]
    result = job["result"]
    names = [theme["name"] for theme in result["themes"]]
    assert sum(theme["n_texts"] for theme in result["themes"]) + result["other"] == result["n_texts"]
    rest = shop.get(f"/jobs/{job['id']}/result", params={"limit": 1000}).json()
    assert rest["found"] == len(rest["groups"]) == result["n_texts"]
    for name, theme in zip(names, result["themes"], strict=True):
        assert sum(row["theme"] == name for row in rest["groups"]) == theme["n_texts"]


@pytest.mark.parametrize(("format", "start"), [("html", "<!doctype html>"), ("md", "# "), ("json", "{")])
def test_report_job_gives_the_report_as_text(shop, tickets, format, start):
    job = ended(shop, shop.post("/report", {"format": format, "n_themes": 3, "title": "What they ask"}))
    assert job["state"] == "done", job["error"]
    assert job["result"]["content"].startswith(start)
    assert "What they ask" in job["result"]["content"]


def test_cancelled_jobs_leave_no_files(shop, tickets, home):
    texts = [f"{note} {number}" for number in range(30) for note in NOTES]
    before = sorted(path.name for path in (home / ".work").iterdir())
    jobs = [
        shop.post("/collections", {"name": name, "texts": texts}).json()["job"] for name in ("one", "two")
    ]
    refused = shop.post("/collections", {"name": "one", "texts": texts})
    assert refused.status_code == 409
    third = shop.post("/collections", {"name": "three", "texts": texts})  # collections being created count
    assert "3 collections, the maximum" in error_message(third)
    for job in reversed(jobs):
        assert shop.client.delete(f"/jobs/{job}").json()["state"] == "cancelled"
    wait_until(lambda: sorted(path.name for path in (home / ".work").iterdir()) == before)
    assert [each["name"] for each in shop.get("/collections").json()["collections"]] == ["tickets"]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.csv", b"\n\n\n", "a.csv is empty"),
        ("a.csv", b'id,text\n1,"open\n', "a.csv, the row that starts on line 2 is not CSV"),
        ("a.csv", b"id,text\n1,a,b\n2,c\n", "a.csv, line 2 has 3 columns, not 2"),
        ("a.csv", b"id,n\n1,2\n2,3\n", "a.csv has no column of texts"),
        ("a.parquet", b"PAR1 not really PAR1", "a.parquet is damaged, or not Parquet"),
        ("a.xlsx", b"PK\x03\x04 nothing", "a.xlsx is damaged, or not an Excel workbook"),
        ("a.jsonl", b'{"text": "a"}\n{"text', "a.jsonl, line 2 is not JSON"),
        ("a.txt", b"a\0b", "a NUL byte"),
        ("a.txt.gz", b"\x1f\x8b broken", "is damaged"),
        ("a.tmx", b"<tmx/>", "expected texts in TSV"),
        ("a.txt", b"a line\n" * 501, "more than 500 rows"),
        ("a.txt.gz", gzip.compress(b"x" * 9_000_000), "expands to more than 2,000,000 bytes"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else str(value)[:20],
)
def test_a_bad_file_gives_a_one_line_error(tmp_path, name, content, why):
    path = tmp_path / name
    path.write_bytes(content)
    task = {
        "source": str(path),
        "max_texts": LIMITS.max_texts_per_collection,
        "max_chars": 10 * LIMITS.max_upload_bytes,
    }
    with pytest.raises(InputError) as error:
        inspect_upload(task, lambda event: None)
    assert why in str(error.value).replace(str(path), name)
    assert "\n" not in str(error.value)


def test_a_bad_upload_is_named_in_the_error_and_deleted(shop, home):
    before = sorted(path.name for path in (home / ".work").iterdir())
    answer = send(shop, "our tickets.csv", b'id,text\n1,"open\n')
    assert answer.status_code == 422
    assert error_message(answer).startswith("our tickets.csv, the row that starts on line 2 is not CSV")
    assert send(shop, "a.csv", b"").status_code == 422
    assert sorted(path.name for path in (home / ".work").iterdir()) == before


def test_an_archive_that_expands_too_much_is_rejected(tmp_path):
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", b"<si>" * 3_000_000)
    task = {"source": str(path), "max_texts": 10, "max_chars": 2_000_000}
    with pytest.raises(InputError, match="expands to more than 2,000,000 bytes"):
        inspect_upload(task, lambda event: None)


def test_a_file_that_is_too_large_or_sent_as_a_form(shop):
    answer = send(shop, "a.csv", b"x" * 200_001)
    assert answer.status_code == 413
    assert "larger than 200,000 bytes" in error_message(answer)
    assert send(shop, "a.csv", b"a,b", "text/plain").status_code == 415


@pytest.mark.parametrize(
    "name", ["../x", "a/b", ".hidden", "", "x" * 61, "a\\b", "nul", "a..b", "\u202ex", "a\nb", " a"]
)
def test_invalid_collection_names_give_422(shop, name):
    answer = shop.post("/collections", {"name": name, "texts": ["a text"]})
    assert answer.status_code == 422
    assert error_message(answer)


@pytest.mark.parametrize(
    ("question", "status", "why"),
    [
        ({"name": "x"}, 422, "give either upload"),
        ({"name": "x", "texts": ["a"], "upload": "0" * 32}, 422, "give either upload"),
        ({"name": "x", "upload": "0" * 32}, 404, "there is no upload"),
        ({"name": "TICKETS", "texts": ["a"]}, 409, "there already is a collection 'TICKETS'"),
        ({"name": "x", "texts": ["a"], "background": "web"}, 422, "background"),
    ],
)
def test_collections_that_cannot_be_created(shop, tickets, question, status, why):
    answer = shop.post("/collections", question)
    assert answer.status_code == status
    assert why in error_message(answer)


def test_missing_columns_are_rejected_at_once(shop):
    seen = send(shop, "a.tsv", table(9, "\t").encode()).json()
    assert (seen["format"], seen["text"]) == ("TSV", "message")
    for question in ({"text": "body"}, {"id": "nr"}, {"columns": ["team", "colour"]}):
        answer = shop.post("/collections", {"name": "x", "upload": seen["upload"], **question})
        assert answer.status_code == 422
        assert "has no column" in error_message(answer)


def test_a_collection_is_deleted_and_its_name_is_free(shop, tickets, home):
    texts = ["mein Paket für Köln kommt nicht an", "das Passwort ist vergessen", "die Karte wurde abgelehnt"]
    lines = "\n".join(texts * 5)
    seen = send(shop, "notizen.txt", lines.encode("windows-1252")).json()
    assert (seen["format"], seen["text"], seen["language"]) == ("lines of text", "text", "de")
    assert seen["note"] == "The file is not UTF-8; it is read as windows-1252."
    job = ended(shop, shop.post("/collections", {"name": "Notizen (neu)", "upload": seen["upload"]}))
    assert job["state"] == "done", job["error"]
    assert job["result"]["languages"] == ["de"]
    assert shop.post("/search", {"query": "Paket", "collection": "Notizen (neu)"}).json()["hits"]
    assert shop.client.delete("/collections/Notizen (neu)").status_code == 204
    assert shop.client.delete("/collections/Notizen (neu)").status_code == 404
    assert "there is no collection" in error_message(
        shop.post("/search", {"query": "a", "collection": "Notizen (neu)"})
    )
    assert not (home / "Notizen (neu)").exists()


def test_preloaded_collections_cannot_be_changed(service):
    assert not service.get("/collections").json()["may_write"]
    assert service.client.delete("/collections/notes").status_code == 403
    assert "creating collections is disabled" in error_message(
        service.post("/collections", {"name": "x", "texts": ["a"]})
    )
    assert "creating collections is disabled" in error_message(send(service, "a.csv", b"a"))
    answer = service.post("/collections/notes/documents", {"documents": [{"text": "a"}]})
    assert answer.status_code == 403


def test_leftovers_of_a_crash_are_deleted_but_collections_stay(tmp_path, tickets, home):
    import shutil

    from tacit.server.collection_store import CollectionStore

    shutil.copytree(home / "tickets", tmp_path / "tickets")
    (tmp_path / ".work" / "half").mkdir(parents=True)
    (tmp_path / ".work" / "half" / "index.part").write_text("x", encoding="utf-8")
    with CollectionStore(tmp_path) as store:
        assert store.list_names() == ["tickets"]
        assert [path.name for path in store.work_dir.iterdir()] == [".lock"]
        with pytest.raises(InputError, match="another service uses it"):
            CollectionStore(tmp_path).__enter__()
    with CollectionStore(tmp_path) as store:
        assert json.loads((tmp_path / "tickets" / "about.json").read_text("utf-8"))["texts"] == 60


def test_notes_on_the_training_are_listed_with_the_collection(shop, home):
    texts = ["kind regards from the desk"] * 12 + [f"{note} again" for note in NOTES]
    job = ended(shop, shop.post("/collections", {"name": "signed", "texts": texts}))
    assert job["state"] == "done", job
    (one,) = (each for each in shop.get("/collections").json()["collections"] if each["name"] == "signed")
    assert "'kind regards from the desk' occurs in 12 of 27 texts" in one["notes"][0]
    assert "Self-check: hidden words" in one["notes"][-1]
    assert shop.client.delete("/collections/signed").status_code == 204
