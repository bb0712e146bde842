"""How long /health and searches of other collections take while one collection is busy.

python benchmarks/service_isolation.py [--seconds 8] [--only NAME]

A service of a home with two collections is started on loopback. Each load below runs against one of them for
some seconds, while /health and a search of the other one are requested in turn. The table has the median and
the 95th percentile of both in milliseconds, and the number of requests. Exit code 1 if a percentile is above
300 ms.

quiet: no load. additions: four clients add texts. reloads: two clients add and one reloads. lock: another
process holds the folder's lock while eight additions wait. deletion: a collection is copied, changed and
deleted. other writer: tacit index --add. upload: two compressed files of 90 MB are read. job: a collection is
trained. map: a map is drawn after each addition.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tacit import WTMF, Index
from tacit.corpora import read_named_texts
from tacit.storage import lock_for_writing

COMMAND = [sys.executable, "-m", "tacit"]
N_TEXTS, LIMIT_MS = 5000, 300


class Service:
    """A service in a process of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [*COMMAND, "serve", "--port", "0", "--home", str(home)], stdout=subprocess.PIPE, text=True
        )
        self.base = re.search(r"http://\S+:\d+", self.process.stdout.readline())[0]
        self.stopping = threading.Event()
        self.n_requests = 0

    def ask(self, method: str, path: str, body: object = None, timeout: float = 60) -> int:
        """Send a request and return the status of the response."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        request = urllib.request.Request(self.base + path, data, {"content-type": kind}, method=method)
        self.n_requests += 1
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                response.read()
                return response.status
        except urllib.error.HTTPError as error:
            error.read()
            return error.code
        except OSError:
            return 0

    def add(self, name: str = "busy", n: int = 20) -> int:
        """Add some texts to a collection."""
        documents = [{"text": f"my card was declined {time.monotonic_ns()} {i}"} for i in range(n)]
        return self.ask("POST", f"/collections/{name}/documents", {"documents": documents})


def additions(service: Service, number: int) -> None:
    service.add()


def reloads(service: Service, number: int) -> None:
    if number:
        service.add()
    else:
        service.ask("POST", "/collections/busy/reload")


def lock(service: Service, number: int) -> None:
    if number:
        service.add()
    else:
        with lock_for_writing(service.home / "busy" / "index"):
            service.stopping.wait(3)
        service.stopping.wait(0.2)


def deletion(service: Service, number: int) -> None:
    name = f"copy{number}"
    shutil.copytree(service.home / "quiet", service.home / name, dirs_exist_ok=True)
    service.add(name)
    service.ask("DELETE", f"/collections/{name}")


def other_writer(service: Service, number: int) -> None:
    source = service.home.parent / "texts.txt"
    source.write_text("added from the shell\n", encoding="utf-8")
    folder = service.home / "busy" / "index"
    subprocess.run([*COMMAND, "index", str(folder), str(source), "--add"], capture_output=True, check=False)


def upload(service: Service, number: int) -> None:
    row = b'{"text": "the card was declined", "a": [' + b"[1,2]," * 150 + b"1]}\n"
    service.ask("POST", "/uploads?filename=big.jsonl.gz", gzip.compress(row * 100_000, 1))


def job(service: Service, number: int) -> None:
    texts = [f"{text} {i}" for i, text in enumerate(["my card was declined", "the login fails"] * 500)]
    service.ask("POST", "/collections", {"name": f"made{time.monotonic_ns()}", "texts": texts})
    service.stopping.wait(2)


def map_of_a_change(service: Service, number: int) -> None:
    service.add()
    service.ask("GET", "/map?collection=busy")
    service.stopping.wait(0.5)


LOADS: dict[str, tuple[int, Callable[[Service, int], None]]] = {
    "quiet": (0, additions),
    "additions": (4, additions),
    "reloads": (3, reloads),
    "lock": (9, lock),
    "deletion": (2, deletion),
    "other writer": (1, other_writer),
    "upload": (2, upload),
    "job": (1, job),
    "map": (1, map_of_a_change),
}
"""For each load the number of threads that repeat it, and the function."""


def measure(service: Service, name: str, seconds: float) -> dict[str, list[float]]:
    """Return the seconds of each request beside a load."""
    n_threads, load = LOADS[name]
    service.stopping.clear()

    def repeat(number: int) -> None:
        while not service.stopping.is_set():
            load(service, number)

    threads = [threading.Thread(target=repeat, args=(number,)) for number in range(n_threads)]
    for thread in threads:
        thread.start()
    times: dict[str, list[float]] = {"/health": [], "/search": []}
    query = {"query": "reset my password", "collection": "quiet"}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for path, body in (("/health", None), ("/search", query)):
            started = time.perf_counter()
            status = service.ask("GET" if body is None else "POST", path, body)
            times[path].append(time.perf_counter() - started if status == 200 else float("inf"))
    service.stopping.set()
    for thread in threads:
        thread.join()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--only", choices=LOADS)
    arguments = parser.parse_args()
    texts = list(islice(read_named_texts("wordnet"), N_TEXTS))
    worst = 0.0
    with TemporaryDirectory() as folder:
        home = Path(folder, "home")
        index = Index(WTMF(n_components=50, n_iter=5).fit(texts))
        index.add(texts)
        for name in ("busy", "quiet"):
            index.save(home / name / "index")
        service = Service(home)
        print(f"{'load':14}{'health p50':>12}{'p95':>8}{'search p50':>12}{'p95':>8}{'requests':>10}")
        try:
            for _ in range(3):
                service.ask("POST", "/search", {"query": "card", "collection": "quiet"})
            for name in [arguments.only] if arguments.only else LOADS:
                times = measure(service, name, arguments.seconds)
                cells = [1000 * np.percentile(each, part) for each in times.values() for part in (50, 95)]
                worst = max(worst, cells[1], cells[3])
                n_requests = len(times["/health"]) + len(times["/search"])
                print(
                    f"{name:14}{cells[0]:12.1f}{cells[1]:8.1f}{cells[2]:12.1f}{cells[3]:8.1f}{n_requests:10}"
                )
        finally:
            service.process.terminate()
            service.process.wait()
    sys.exit(worst > LIMIT_MS)


if __name__ == "__main__":
    main()
