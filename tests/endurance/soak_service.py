"""Clients, another writer and SIGKILL against one service: ``make soak-service MINUTES=30``.

Four clients add, delete, search and reload in twelve collections, ``tacit index --add`` adds beside them, and
the service is killed and started again every few seconds. Every search is compared with what was acknowledged
before it, and at the end so is every folder.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from endurance.fuzz import say
from helpers.cli_runs import COMMAND
from helpers.homes import stored_texts, write_collection
from helpers.notes import NOTES, notes_model

N_COLLECTIONS, N_CLIENTS = 12, 4
_PATIENCE = 60.0
PRESENT, ABSENT, UNKNOWN = "present", "absent", "unknown"


class KilledService:
    """A service in a process of its own that is killed and started again on the same home."""

    def __init__(self, home: Path) -> None:
        self.home, self.base = home, ""
        self.is_up = threading.Event()
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the service, and wait until it answers."""
        arguments = ("serve", "--port", "0", "--home", str(self.home), "--seconds", "20")
        self._process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://\S+:\d+", line)
        assert found, f"the service did not start: {line!r}"
        self.base = found[0]
        self.is_up.set()

    def kill(self) -> None:
        """End the service with SIGKILL."""
        self.is_up.clear()
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response | None:
        """Return the response; None if the service was killed before it was complete."""
        self.is_up.wait(_PATIENCE)
        try:
            return httpx.request(method, self.base + path, json=body, timeout=_PATIENCE, trust_env=False)
        except httpx.TransportError:
            return None


class ServiceSoak:
    """The state that each text must have, by the answers to the requests that added and deleted it."""

    def __init__(self, home: Path, seed: int = 0) -> None:
        self.home, self.seed = home, seed
        self.names = [f"c{n}" for n in range(N_COLLECTIONS)]
        first = write_collection(home, self.names[0], notes_model())
        for name in self.names[1:]:
            shutil.copytree(first.parent, home / name)
        self.service = KilledService(home)
        self.states: dict[tuple[str, str], str] = {}  # by collection and text
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self.stopping = threading.Event()

    def run(self, seconds: float, kill_every: float = 10.0) -> None:
        """Run for some seconds, then compare every folder."""
        workers = [
            threading.Thread(target=self.guard, args=(self.run_client, number)) for number in range(N_CLIENTS)
        ]
        workers.append(threading.Thread(target=self.guard, args=(self.run_other_writer, N_CLIENTS)))
        end = time.monotonic() + seconds
        self.service.start()
        for worker in workers:
            worker.start()
        while (left := end - time.monotonic()) > 0:
            self.stopping.wait(min(kill_every, left))
            self.service.kill()
            self.counts["kills"] += 1
            self.service.start()
        self.stopping.set()
        for worker in workers:
            worker.join(2 * _PATIENCE)
        self.service.kill()
        self.compare_folders()

    def guard(self, work: Any, number: int) -> None:
        """Run a worker; an error of its own is a failure, too."""
        try:
            work(random.Random(f"{self.seed} {number}"), number)
        except BaseException as error:
            self.failures.append(f"worker {number}: {type(error).__name__}: {error}")
            raise

    def run_client(self, chance: random.Random, number: int) -> None:
        """Send requests about texts that no other client changes."""
        n_texts = 0
        while not self.stopping.is_set():
            name = chance.choice(self.names)
            mine = [
                text for (where, text) in list(self.states) if where == name and text.startswith(f"{number} ")
            ]
            action = chance.random()
            if action < 0.4 or not mine:
                n_texts += 1
                self.add(name, f"{number} {n_texts} {chance.choice(NOTES)}", chance.random() < 0.1)
            elif action < 0.6:
                self.delete(name, chance.choice(mine))
            elif action < 0.9:
                self.search(name, chance.choice(mine))
            elif (answer := self.service.ask("POST", f"/collections/{name}/reload")) is not None:
                self.count("reloads", answer)

    def count(self, noun: str, answer: httpx.Response) -> bool:
        """Count an answer; return whether it is a success."""
        refused = answer.status_code in (404, 422, 503, 507)
        if answer.status_code != 200 and not refused:
            self.failures.append(f"{noun}: {answer.status_code} {answer.text[:200]}")
        self.counts[f"{noun} refused" if refused else noun] += 1
        return answer.status_code == 200

    def add(self, name: str, text: str, is_invalid: bool) -> None:
        """Add a text; an invalid request also has an id that is there, and must add nothing."""
        documents = [{"text": text, "id": text, "columns": {"mark": text}}]
        if is_invalid:
            documents.append({"text": "the id is there already", "id": "1"})
        self.states[name, text] = UNKNOWN
        answer = self.service.ask("POST", f"/collections/{name}/documents", {"documents": documents})
        if answer is not None:
            self.states[name, text] = PRESENT if self.count("additions", answer) else ABSENT
            if is_invalid and self.states[name, text] == PRESENT:
                self.failures.append(f"{name}: an id was added twice")

    def delete(self, name: str, text: str) -> None:
        """Delete a text; one that is there must be deleted, unless the collection is busy."""
        before, self.states[name, text] = self.states[name, text], UNKNOWN
        answer = self.service.ask("DELETE", f"/collections/{name}/documents", {"ids": [text]})
        if answer is None:
            return
        if self.count("deletions", answer):
            self.states[name, text] = ABSENT
            if before == ABSENT:
                self.failures.append(f"{name}: a refused or deleted text was there: {text!r}")
        else:
            self.states[name, text] = ABSENT if answer.status_code == 422 else before
            if answer.status_code == 422 and before == PRESENT:
                self.failures.append(f"{name}: an acknowledged text is lost: {text!r}")

    def search(self, name: str, text: str) -> None:
        """Search for a text by its column: it must be found exactly if it is there."""
        body = {"query": text, "collection": name, "where": {"mark": [text]}}
        answer = self.service.ask("POST", "/search", body)
        if answer is None:
            return
        if answer.status_code == 422 and "no column" in answer.text:  # the first text of a client brings it
            hits = []
        elif self.count("searches", answer):
            hits = [hit["text"] for hit in answer.json()["hits"]]
        else:
            return
        state = self.states[name, text]
        if state != UNKNOWN and hits != ([text] if state == PRESENT else []):
            self.counts["wrong answers"] += 1
            self.failures.append(f"{name}: {text!r} is {state}, found {hits}")

    def run_other_writer(self, chance: random.Random, number: int) -> None:
        """Add texts from the command line to the folders that the service uses."""
        source, n_texts = self.home.parent / "texts.txt", 0
        while not self.stopping.is_set():
            name, n_texts = chance.choice(self.names), n_texts + 1
            text = f"{number} {n_texts} added from the shell"
            source.write_text(f"{text}\n", encoding="utf-8")
            self.states[name, text] = UNKNOWN
            command = [*COMMAND, "index", str(self.home / name / "index"), str(source), "--add"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
            self.states[name, text] = ABSENT if done.returncode else PRESENT
            self.counts[
                "additions from the shell refused" if done.returncode else "additions from the shell"
            ] += 1
            if done.returncode and len(done.stderr.strip().splitlines()) != 1:
                self.failures.append(f"tacit index --add: {done.stderr[-300:]}")

    def compare_folders(self) -> None:
        """Count texts that were acknowledged and are lost, and those that were refused and are there."""
        stored = {name: stored_texts(self.home / name / "index") for name in self.names}
        for (name, text), state in self.states.items():
            self.counts["acknowledged writes lost"] += state == PRESENT and text not in stored[name]
            self.counts["refused writes present"] += state == ABSENT and text in stored[name]
            self.counts["texts compared"] += state != UNKNOWN
        for name in self.names:
            if not stored[name].issuperset(NOTES):
                self.failures.append(f"{name}: notes are lost")

    def has_failed(self) -> bool:
        """Return whether anything was lost or wrong."""
        wrong = ("acknowledged writes lost", "refused writes present", "wrong answers")
        return bool(self.failures) or any(self.counts[name] for name in wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        home.mkdir()
        soak = ServiceSoak(home, arguments.seed)
        soak.run(arguments.minutes * 60)
    soak.counts.update({"acknowledged writes lost": 0, "refused writes present": 0, "wrong answers": 0})
    for name, number in sorted(soak.counts.items()):
        say(f"{number:,} {name}")
    for failure in soak.failures:
        say(failure)
    sys.exit(soak.has_failed())


if __name__ == "__main__":
    main()
