"""The service under load on the loopback interface, in three scenarios.

python benchmarks/server.py [--model FOLDER] [--clients 32] [--seconds 60] [--only load|beside|slow]

load: 32 clients send requests to /similarity without a pause. Prints the median and the 99th percentile of
the latency, requests per second, errors, and the memory of the service at the start, middle and end.
beside: one client sends single texts to be encoded, while another sends one batch of 2,000 texts of 3,800
characters (7.8 MB) after another. Prints the latency of single texts with and without these batches.
slow: 64 clients send all but the last kilobyte of a body of 7.8 MB and then wait. Prints the memory that this
adds to the service, and the latency of other clients.

Without --model, a model of random words is trained; with it, requests contain texts of WordNet. Clients and
service run on the same machine.
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
from contextlib import suppress
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
    memory_mb: list[float] = []

    async def watch() -> None:
        while True:
            memory_mb.append(memory(pid))
            await asyncio.sleep(1)

    watching = asyncio.create_task(watch())
    await asyncio.gather(*work)
    watching.cancel()
    settled = memory_mb[min(5, len(memory_mb) - 1) :]
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


def request(path: str, body: bytes, length: int | None = None) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {length or len(body)}\r\n\r\n".encode() + body


async def send(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, message: bytes
) -> tuple[float, bytes]:
    started = time.perf_counter()
    writer.write(message)
    answer = await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(int(re.search(rb"content-length: (\d+)", answer)[1]))
    return time.perf_counter() - started, answer


def large_body(sample: list[str]) -> bytes:
    rng = random.Random(7)
    long = []
    for _ in range(2000):
        text = ""
        while len(text) < 3800:
            text += rng.choice(sample) + " "
        long.append(text[:3800])
    return json.dumps({"input": long}).encode()


async def beside(port: int, sample: list[str], seconds: float) -> dict[str, object]:
    """Measure requests of one text, first alone, then during large batches."""
    body = large_body(sample)
    large_times: list[float] = []
    ended = asyncio.Event()

    async def ask_large() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while not ended.is_set():
            elapsed, answer = await send(reader, writer, request("/v1/embeddings", body))
            assert answer.startswith(b"HTTP/1.1 200"), answer[:40]
            large_times.append(elapsed)
        writer.close()

    async def ask_small() -> list[float]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        times, until = [], time.perf_counter() + seconds
        while time.perf_counter() < until:
            message = request("/v1/embeddings", json.dumps({"input": random.choice(sample)}).encode())
            elapsed, answer = await send(reader, writer, message)
            assert answer.startswith(b"HTTP/1.1 200"), answer[:40]
            times.append(elapsed)
            await asyncio.sleep(0.005)
        writer.close()
        return times

    alone = await ask_small()
    working = asyncio.create_task(ask_large())
    times = await ask_small()
    ended.set()
    await working
    return {
        "batch_mb": round(len(body) / 1e6, 2),
        "batches": len(large_times),
        "seconds_a_batch": round(float(np.median(large_times)), 2),
        "one_text_requests": len(times),
        "p50_ms": round(float(np.quantile(times, 0.5)) * 1000, 1),
        "p95_ms": round(float(np.quantile(times, 0.95)) * 1000, 1),
        "longest_ms": round(max(times) * 1000, 1),
        "alone_p95_ms": round(float(np.quantile(alone, 0.95)) * 1000, 1),
    }


async def slow(port: int, pid: int, clients: int = 64) -> dict[str, object]:
    """Measure the memory that slow clients add."""
    before, peak = memory(pid), 0.0
    body = b'{"input": "' + b"x" * 7_800_000

    async def pour() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request("/v1/embeddings", body[:-1000], len(body)))
        with suppress(TimeoutError, ConnectionError):
            await asyncio.wait_for(writer.drain(), 10)
        return reader, writer

    pouring = asyncio.gather(*(pour() for _ in range(clients)))
    times: list[float] = []
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while not pouring.done() or len(times) < 100:
        elapsed, answer = await send(reader, writer, request("/v1/embeddings", b'{"input": "a text"}'))
        assert answer.startswith(b"HTTP/1.1 200"), answer[:40]
        times.append(elapsed)
        peak = max(peak, memory(pid))
        await asyncio.sleep(0.02)
    for _, slow_writer in await pouring:
        slow_writer.close()
    return {
        "slow_clients": clients,
        "memory_added_mb": round(peak - before, 1),
        "p95_ms_of_others": round(float(np.quantile(times, 0.95)) * 1000, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model")
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", choices=["load", "beside", "slow"])
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        sample = texts(20_000)
        model = options.model or f"{folder}/model"
        if not options.model:
            corpus = Path(folder, "corpus.txt")
            corpus.write_text("\n".join(sample), encoding="utf-8")
            subprocess.run([*COMMAND, "train", model, str(corpus), "--sweeps", "5"], check=True)
        else:
            from tacit.corpora import read_named_texts

            sample = [text for text in read_named_texts("wordnet") if len(text) < 200][:20_000]
        process = subprocess.Popen(
            [*COMMAND, "serve", "--model", model, "--port", "0", "--read-only"],
            stdout=subprocess.PIPE,
            env=dict(os.environ),
        )
        try:
            line = process.stdout.readline().decode()
            port = int(re.search(r":(\d+) ", line)[1])
            asyncio.run(load(port, process.pid, 4, 3, sample))  # to warm up
            scenarios = {
                "load": lambda: load(port, process.pid, options.clients, options.seconds, sample),
                "beside": lambda: beside(port, sample, min(options.seconds, 20)),
                "slow": lambda: slow(port, process.pid),
            }
            for name in [options.only] if options.only else scenarios:
                print(json.dumps({name: asyncio.run(scenarios[name]())}, indent=2), flush=True)
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
