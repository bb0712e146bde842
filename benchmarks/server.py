"""The service under load: 32 clients ask /similarity without a pause, on loopback.

python benchmarks/server.py [--model FOLDER] [--clients 32] [--seconds 60]

Prints latency at the median and the 99th percentile, requests a second, errors, and the service's memory at
the beginning, in the middle and at the end. Without --model it trains one of random words; with one it asks
with WordNet's texts. Clients and service share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

COMMAND = [sys.executable, "-c", "from tacit.cli.main import run; run()"]
WORDS = 2000


def texts(n: int) -> list[str]:
    rng = random.Random(5)
    words = ["".join(rng.choices("abcdefghijklmnoprstuvwz", k=rng.randint(3, 9))) for _ in range(WORDS)]
    return [" ".join(words[int(WORDS * rng.random() ** 2)] for _ in range(10)) for _ in range(n)]


def memory(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


async def client(port: int, bodies: list[bytes], until: float, times: list[float], errors: list[str]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    number = 0
    while time.perf_counter() < until:
        body = bodies[number % len(bodies)]
        number += 1
        started = time.perf_counter()
        head = "POST /similarity HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", answer)[1])
        content = await reader.readexactly(length)
        times.append(time.perf_counter() - started)
        if not answer.startswith(b"HTTP/1.1 200") or b'"score"' not in content:
            errors.append(answer.split(b"\r\n")[0].decode())
    writer.close()


async def load(port: int, pid: int, clients: int, seconds: float, sample: list[str]) -> dict[str, object]:
    rng = random.Random(6)
    times: list[float] = []
    errors: list[str] = []
    until = time.perf_counter() + seconds
    work = []
    for _ in range(clients):
        pairs = [(rng.choice(sample), rng.choice(sample)) for _ in range(50)]
        bodies = [json.dumps({"pairs": [{"a": a, "b": b}]}).encode() for a, b in pairs]
        work.append(client(port, bodies, until, times, errors))
    held: list[float] = []

    async def watch() -> None:
        while True:
            held.append(memory(pid))
            await asyncio.sleep(1)

    watching = asyncio.create_task(watch())
    await asyncio.gather(*work)
    watching.cancel()
    settled = held[min(5, len(held) - 1) :]
    return {
        "clients": clients,
        "seconds": seconds,
        "requests": len(times),
        "errors": len(errors),
        "requests_per_second": round(len(times) / seconds, 1),
        "p50_ms": round(float(np.quantile(times, 0.5)) * 1000, 1),
        "p99_ms": round(float(np.quantile(times, 0.99)) * 1000, 1),
        "memory_mb": {"begin": settled[0], "middle": settled[len(settled) // 2], "end": settled[-1]},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model")
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        sample = texts(20_000)
        model = given.model or f"{folder}/model"
        if not given.model:
            corpus = Path(folder, "corpus.txt")
            corpus.write_text("\n".join(sample), encoding="utf-8")
            subprocess.run([*COMMAND, "train", model, str(corpus), "--sweeps", "5"], check=True)
        else:
            from tacit.corpora import named_corpus

            sample = [text for text in named_corpus("wordnet") if len(text) < 200][:20_000]
        process = subprocess.Popen(
            [*COMMAND, "serve", "--model", model, "--port", "0"], stdout=subprocess.PIPE, env=dict(os.environ)
        )
        try:
            line = process.stdout.readline().decode()
            port = int(re.search(r":(\d+) ", line)[1])
            asyncio.run(load(port, process.pid, 4, 3, sample))  # to warm up
            print(
                json.dumps(
                    asyncio.run(load(port, process.pid, given.clients, given.seconds, sample)), indent=2
                )
            )
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
