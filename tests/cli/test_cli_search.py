"""index, search, duplicates, cluster and map, as people use them."""

from __future__ import annotations

import subprocess

import pytest

import tacit as library
from helpers.cli_runs import COMMAND, PATIENCE, Terminal, one_line_error, tacit, tree
from tacit.search.approximate import HnswGraph
from tacit.storage import lock_for_writing

HEAD = "id\ttext\tteam\n"
ROWS = """\
a1\tthe cat sleeps on the mat\tpets
a2\tthe cat sleeps on a mat\tpets
a3\tthe bank lends money\tbank
a4\ta loan from the bank\tbank
a5\train and wind all day\tweather
a6\torder ZX-4411\tother
"""


@pytest.fixture
def collection(tmp_path):
    path = tmp_path / "notes.tsv"
    path.write_text(HEAD + ROWS, encoding="utf-8")
    return path


@pytest.fixture
def index(tmp_path, collection, model):
    folder = tmp_path / "notes.index"
    result = tacit("index", folder, collection, "--column", "text", "--id-column", "id", "--model", model)
    assert result.code == 0, result.err
    assert "6 texts, 6 of them new" in result.out
    assert "1 of 6 texts have no known word" in result.err
    return folder


def test_search_tells_score_percentile_id_and_text(index):
    result = tacit("search", index, "money from a bank", "-k", 2)
    assert result.code == 0
    first = result.out.splitlines()[0]
    assert "a3" in first or "a4" in first
    assert "strong" in first
    assert len(result.out.splitlines()) == 2


def test_a_graph_is_read_from_a_folder_that_is_trusted_alone(index, model, monkeypatch):
    read = []
    monkeypatch.setattr(HnswGraph, "from_bytes", lambda data, vectors: read.append(data) or build(vectors))
    build = HnswGraph.build
    assert tacit("index", index, "--merge", "--approximate").code == 0
    exact, by_graph = (tacit("search", index, "a cat", *options) for options in ((), ("--trusted",)))
    assert exact == by_graph
    assert len(read) == 1
    assert "holds a text model, not an index" in one_line_error(tacit("search", model, "a cat", "--trusted"))


def test_search_explains(index):
    result = tacit("search", index, "a sleeping cat", "-k", 1, "--explain")
    assert "because" in result.out
    assert "cat ~ cat" in result.out


def test_search_as_json_carries_the_columns(index):
    hits = tacit("search", index, "ZX-4411", "--json").json
    assert hits[0]["id"] == "a6"
    assert hits[0]["columns"] == {"team": "other"}
    assert {"score", "percentile", "words", "text"} <= set(hits[0])


def test_queries_of_a_file_are_answered_in_its_order(index, tmp_path):
    queries = ["money from a bank", "ZX-4411", "qqqq"]
    (tmp_path / "queries.txt").write_text("\n".join(queries), encoding="utf-8")
    pages = tacit("search", index, "--queries", tmp_path / "queries.txt", "-k", 2, "--json").json
    assert [one["query"] for one in pages] == queries
    for one in pages:
        assert one["hits"] == tacit("search", index, one["query"], "-k", 2, "--json").json
    result = tacit("search", index, "--queries", "-", "-k", 1, stdin="\n".join(queries).encode())
    lines = result.out.splitlines()
    assert [lines[0], lines[2], lines[-1]] == queries
    assert "a6" in lines[3]
    assert result.err.count("\n") == 1
    assert "no known word in 'qqqq'" in result.err


@pytest.fixture
def prices(tmp_path, model):
    """An index of a CSV file with prices and teams."""
    table, folder = tmp_path / "prices.csv", tmp_path / "prices.index"
    rows = ["id,price,team,text"]
    rows += [f"{row},{text}" for row, text in zip(PRICES, TEXTS, strict=True)]
    table.write_text("\n".join(rows), encoding="utf-8")
    assert tacit("index", folder, table, "--column", "text", "--id-column", "id", "--model", model).code == 0
    return folder


PRICES = ["a1,9.90,customer care", "a2,5,post", "a3,5.0,post", "a4,12,customer care", "a5,,post"]
TEXTS = ["the cat sleeps", "the cat sleeps on a mat", "the bank lends money", "a cat", "a cat on a mat"]


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        (["price<10"], {"a1", "a2"}),
        (["price=5"], {"a2"}),
        (["price>=5", "price!=9.9", 'team="customer care"'], {"a4"}),
        (["price="], {"a5"}),
    ],
)
def test_search_among_texts_that_meet_conditions(prices, conditions, expected):
    options = [option for condition in conditions for option in ("--where", condition)]
    hits = tacit("search", prices, "the cat", *options, "--json").json
    assert {hit["id"] for hit in hits if "cat" in hit["text"]} == expected
    assert {hit["id"]: hit["columns"]["price"] for hit in hits}.get("a1", "9.90") == "9.90"


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("colour=red", "there is no column 'colour'; the columns are 'price', 'team'"),
        ("price~5", "'price~5' is not COLUMN OPERATOR VALUE, such as price<10"),
        ("price=<5", "'=<': use one of =, !=, <, <=, >, >="),
        ("team<5", "the column 'team' is of type text"),
        ("price<cheap", "the column 'price' is of type number"),
        ("team=customer care", 'such as price<10 or team="customer care"'),
    ],
)
def test_a_condition_that_does_not_fit_is_one_line(prices, condition, message):
    assert message in one_line_error(tacit("search", prices, "the cat", "--where", condition))


def test_conditions_without_matches_are_reported(prices):
    result = tacit("search", prices, "the cat", "--where", "price>100")
    assert (result.code, result.out) == (0, "")
    assert "no hits for 'the cat' among the 0 texts that meet the conditions" in result.err


def test_pages_and_counts_on_the_command_line(prices, tmp_path):
    whole = tacit("search", prices, "a cat", "-k", 4, "--json").json
    first, last = (
        tacit("search", prices, "a cat", "-k", 2, "--offset", n, "--counts", "--json").json for n in (0, 2)
    )
    assert [{**hit, "row": 0} for hit in whole] == [{**hit, "row": 0} for hit in first["hits"] + last["hits"]]
    assert (first["offset"], first["more"], first["searched"], last["offset"]) == (0, True, 5, 2)
    assert {"value": 5, "n": 2} in first["counts"]["price"]
    result = tacit("search", prices, "a cat", "-k", 2, "--offset", 0, "--counts", "--where", "price>=5")
    assert "price: 5 (2), 9.9 (1), 12 (1), (empty) (1)\nteam: customer care (2), post (2)\n" in result.out
    assert "more hits follow: --offset 2" in result.err
    (tmp_path / "queries.txt").write_text("a cat\na bank", encoding="utf-8")
    many = tacit(
        "search", prices, "--queries", tmp_path / "queries.txt", "--offset", 0, "-k", 2, "--json"
    ).json
    assert [each["query"] for each in many] == ["a cat", "a bank"]
    assert many[0] == {"query": "a cat", **first, "counts": None}
    assert "Invalid value for '--offset'" in tacit("search", prices, "a", "--offset", -1).err


def test_a_query_or_a_file_of_them(index, tmp_path):
    (tmp_path / "empty.txt").touch()
    for args in ((), ("cat", "--queries", tmp_path / "empty.txt")):
        assert "give a query, or --queries FILE" in one_line_error(tacit("search", index, *args))
    assert "put a query on each line" in one_line_error(
        tacit("search", index, "--queries", tmp_path / "empty.txt")
    )


def test_an_index_stands_for_its_model(index, model):
    for args in (
        ("compare", "my cat", "a kitten", "--json"),
        ("explain", "my cat", "a kitten", "--json"),
        ("unsaid", "my cat", "--json"),
        ("words", "cat", "--json"),
    ):
        verb, *rest = args
        assert tacit(verb, index, *rest) == tacit(verb, model, *rest)


def test_nothing_found_is_no_error(index):
    result = tacit("search", index, "qqqq", "--json")
    assert (result.code, result.json, result.err) == (0, [], "")
    for args in (("search", index, "qqqq"), ("duplicates", index, "--threshold", 1)):
        result = tacit(*args)
        assert (result.code, result.out) == (0, "")
        assert "try " in result.err


def test_duplicates_as_pairs_groups_and_json(index):
    result = tacit("duplicates", index, "--threshold", 0.8)
    assert result.code == 0
    assert "a1" in result.out
    assert "a2" in result.out
    pairs = tacit("duplicates", index, "--threshold", 0.8, "--json").json
    assert (pairs[0]["id_a"], pairs[0]["id_b"]) == ("a1", "a2")
    groups = tacit("duplicates", index, "--threshold", 0.8, "--groups", "--json").json
    assert ["a1", "a2"] in [group["ids"] for group in groups]


def test_cluster(index):
    result = tacit("cluster", index, "-k", 2)
    assert result.code == 0
    assert [line.split("\t")[0] for line in result.out.splitlines()] == ["3", "2"]
    clusters = tacit("cluster", index, "-k", 2, "--json").json
    assert sum(cluster["size"] for cluster in clusters) == 5  # one text has no known word


@pytest.mark.parametrize("name", ["map.html", "map.png"])
def test_map(index, tmp_path, name):
    result = tacit("map", index, "-o", tmp_path / name, "--json")
    assert result.code == 0, result.err
    assert result.json["texts"] == 5
    assert (tmp_path / name).stat().st_size > 1000


def test_add_and_delete(index, tmp_path):
    more = tmp_path / "more.tsv"
    more.write_text(HEAD + "a7\tsnow falls at night\tweather\n", encoding="utf-8")
    result = tacit("index", index, more, "--column", "text", "--id-column", "id", "--add", "--delete", "a5")
    assert result.code == 0, result.err
    assert "6 texts, 1 of them new" in result.out
    ids = [hit["id"] for hit in tacit("search", index, "rain or snow at night", "--json").json]
    assert "a7" in ids
    assert "a5" not in ids


def test_four_that_add_at_once_lose_no_text(index, tmp_path):
    processes = []
    with lock_for_writing(index):
        for number in range(4):
            more = tmp_path / f"more{number}.txt"
            more.write_text("".join(f"the cat {number} sleeps {i}\n" for i in range(5)), encoding="utf-8")
            adding = [*COMMAND, "index", index, more, "--add"]
            processes.append(subprocess.Popen(adding, stderr=subprocess.PIPE, text=True))
        messages = [process.stderr.readline() for process in processes]
    assert messages == [f"tacit: another process is writing {index}: waiting until it is done\n"] * 4
    assert [process.communicate(timeout=PATIENCE)[1] for process in processes] == [""] * 4
    assert [process.returncode for process in processes] == [0] * 4
    assert len(library.load(index)) == 6 + 4 * 5


def test_adding_to_an_index_that_is_not_there_makes_nothing(tmp_path, collection):
    assert "no model at" in one_line_error(tacit("index", tmp_path / "none", collection, "--add"))
    assert not (tmp_path / "none").exists()


def test_lines_from_standard_input_are_numbered(tmp_path, model):
    result = tacit("index", tmp_path / "i", "-", "--model", model, stdin=b"a cat\na dog\n")
    assert result.code == 0
    assert tacit("search", tmp_path / "i", "dog", "--json").json[0]["id"] == "2"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["index", "{i}x", "{c}"], "name the column"),
        (["index", "{i}x", "--model", "{m}"], "nothing to index"),
        (["index", "{i}", "{c}", "--add", "--model", "{m}"], "keeps its model"),
        (["index", "{i}", "{c}", "--add", "--column", "text", "--id-column", "id"], "'a1' is already in use"),
        (["index", "{i}", "--delete", "zz"], "no text with the id 'zz'"),
        (["index", "{i}x", "{c}", "--model", "{m}"], "name the column"),
        (["index", "{i}x", "{c}.gone", "--model", "{m}"], "no such file"),
        (["search", "{m}", "cat"], "holds a text model, not an index"),
        (["search", "{i}", "cat", "--measure", "taste"], "use one of hybrid"),
        (["search", "{i}.gone", "cat"], "no such file or folder: "),
        (["search", "{i}.csv", "cat", "--column", "text"], "no such file or folder: "),
        (["compare", "{i}.csv", "cat", "dog"], "no such file or folder: "),
        (["duplicates", "{i}", "--threshold", "3"], "from 0.5 to 1"),
        (["cluster", "{i}", "-k", "99"], "from 1 to 5"),
        (["map", "{i}", "-o", "map.gif"], "must end in .html, .png"),
    ],
)
def test_errors_are_one_line_and_change_nothing(index, collection, model, tmp_path, args, message):
    before = tree(tmp_path)
    filled = [arg.format(i=index, c=collection, m=model) for arg in args]
    assert message in one_line_error(tacit(*filled))
    assert tree(tmp_path) == before


def test_an_empty_collection_leaves_the_index_that_is_there(index, model, tmp_path):
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    before = tacit("search", index, "card").out
    for args in (("--model", model), ("--add",)):
        result = tacit("index", index, tmp_path / "empty.txt", *args)
        assert result.code == 1
        assert "the collection has no texts: nothing was written" in result.err
    assert tacit("search", index, "card").out == before


def test_long_work_shows_progress(tmp_path, model, large_corpus):
    with Terminal("index", tmp_path / "i", large_corpus, "--model", model) as terminal:
        terminal.until("indexing")
        assert terminal.end() == 0
        assert "30,000 texts" in terminal.screen


def test_search_lists_words_that_neither_model_nor_texts_know(index):
    result = tacit("search", index, "cat xyzzy ZX 4411")
    assert "unknown words, compared only by their letters: 'xyzzy'\n" in result.err
    assert "unknown words" not in tacit("search", index, "the cat sleeps").err
