"""Frame rate of panning a map in a browser, and the time to compute its layout.

    python benchmarks/map.py                 frames per second while panning synthetic points
    python benchmarks/map.py --index FOLDER  the time of the layout of an index, exact and by usearch's graph

Frames are measured in headless Chromium without a graphics card: `raster` sets pixels in an image larger
than the view, which panning moves; `card` is WebGL, which the processor emulates here (SwiftShader) and a
browser with a graphics card runs on the card.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from tacit.search.map import GRID_SIDE, Label, Map
from tacit.search.map_export import render_html

SIZES = (20_000, 117_658, 300_000)
PAN = """async ([frames, pace]) => {
    const canvas = document.getElementById("map"), box = canvas.getBoundingClientRect();
    const at = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, {
        pointerId: 1, pointerType: "mouse", bubbles: true, clientX: box.left + x, clientY: box.top + y }));
    canvas.setPointerCapture = () => {};
    const frame = () => new Promise((soon) => requestAnimationFrame(soon));
    let x = box.width / 2, y = box.height / 2;
    at("pointerdown", x, y);
    const times = [];
    for (let k = 0; k < frames; k++) {
        x += pace * Math.cos(k / 30);
        y += pace * Math.sin(k / 30);
        at("pointermove", x, y);
        await frame();
        times.push(performance.now());
    }
    at("pointerup", x, y);
    return times;
}"""


def make_map(n: int) -> Map:
    """Create points in 24 clusters, with as many labels as a map of that size has."""
    rng = np.random.default_rng(0)
    group = rng.integers(0, 24, n).astype(np.uint8)
    centers = rng.uniform(-0.8, 0.8, (24, 2))
    points = np.clip(centers[group] + rng.normal(scale=0.12, size=(n, 2)), -1, 1).astype(np.float32)
    labels = [Label(0, *centers[g].tolist(), f"group {g}, of words", n // 24) for g in range(24)]
    for level in (1, 2, 3, 4):
        side = GRID_SIDE * 2 ** (level - 1)
        positions = rng.uniform(-1, 1, (side * side // 2, 2)).round(4).tolist()
        labels += [Label(level, x, y, f"place {i}, word", 9) for i, (x, y) in enumerate(positions)]
    texts = SimpleNamespace(decoded=lambda rows: ["a text"] * len(rows))
    return Map(
        points,
        group,
        [f"group {g}" for g in range(24)],
        np.arange(n),
        labels,
        SimpleNamespace(ids=texts, texts=texts),
    )


def measure_frames(browser: str, sizes: list[int]) -> None:
    from playwright.sync_api import sync_playwright

    print("| points | painter | zoom | frames a second | slowest frame, ms |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--enable-unsafe-swiftshader"]
        )
        for n in sizes:
            file = Path(folder, f"{n}.html")
            file.write_text(render_html(make_map(n), "A map"), encoding="utf-8")
            for painter in ("raster", "card"):
                page = chromium.new_page(viewport={"width": 1280, "height": 860})
                page.goto(f"{file.as_uri()}#painter={painter}")
                page.wait_for_selector("#map[data-points]", timeout=120_000)
                for zoom in ("whole", "nearer"):
                    if zoom == "nearer":
                        for _ in range(3):
                            page.click("[data-do=in]")
                    page.evaluate(PAN, [10, 20])
                    gaps = np.diff(page.evaluate(PAN, [180, 20]))
                    print(
                        f"| {n:,} | {painter} | {zoom} | {1000 / gaps.mean():.0f} | {gaps.max():.0f} |",
                        flush=True,
                    )
                page.close()
        chromium.close()


def measure_layout(folder: str) -> None:
    import tacit
    from tacit.search import approximate, layout

    index = tacit.load(folder)
    print(f"{len(index):,} texts")
    for name, most in (("by usearch's graph", approximate.EXACT_KNN_MAX_TEXTS), ("exactly", 10**9)):
        approximate.EXACT_KNN_MAX_TEXTS = most
        started = time.perf_counter()
        layout.compute_layout(index.snapshot.full_precision_vectors(np.flatnonzero(index.snapshot.alive)))
        print(f"neighbors {name}: laid out in {time.perf_counter() - started:.1f} s", flush=True)


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--index", help="Index folder whose layout is measured instead.")
    options.add_argument("--browser", default=shutil.which("chromium") or "chromium")
    options.add_argument("--points", type=int, nargs="+", default=list(SIZES))
    arguments = options.parse_args()
    if arguments.index:
        measure_layout(arguments.index)
    else:
        measure_frames(arguments.browser, arguments.points)
