"""tacit doctor: check the installation, or a folder that tacit wrote."""

from __future__ import annotations

from textwrap import fill, indent
from typing import Any

import click

from tacit.cli.output import print_json, print_result, print_stderr
from tacit.cli.shared_options import json_option


@click.command(short_help="Check this installation, or a model folder.")
@click.argument("model", required=False)
@click.option("--clear-cache", is_flag=True, help="Remove the indexes and models in the cache.")
@click.option("--warm", is_flag=True, help="Compile ahead what the first command would compile.")
@json_option
def doctor(model: str | None, clear_cache: bool, warm: bool, as_json: bool) -> None:
    """Print versions, BLAS and threads, and check the solver against the paper's formula.

    With MODEL, a folder that tacit wrote, read and check every byte of this folder instead. The cache is the
    folder $TACIT_CACHE or the user's cache folder; what was removed from it is built again when needed.
    """
    if clear_cache:
        _clear_cache(as_json)
        return
    from tacit.workflows.diagnosis import check_installation, compile_kernels, verify_folder

    if warm:
        report = compile_kernels()
        print_result(report, [f"compiled in {report['seconds']} s"], as_json)
        return
    report = check_installation() if model is None else verify_folder(model)
    if as_json:
        print_json(report)
    elif model is None:
        _print_installation(report)
    else:
        facts = ", ".join(f"{name} {report[name]}" for name in ("class", "format", "tacit"))
        click.echo(f"{model} is sound: {facts}")
        _print_rows({"checked": "; ".join(report["checked"])})
    if model is None and not report["self_test"]["sound"]:
        print_stderr("the solver does not agree with the reference: reinstall tacit, numba and numpy")
        raise SystemExit(1)


def _clear_cache(as_json: bool) -> None:
    from tacit.workflows.cache import cache_root, remove_oldest_entries

    report = {"cache": str(cache_root()), "removed_bytes": remove_oldest_entries(0)}
    line = f"{report['cache']}: {report['removed_bytes']:,} bytes removed"
    print_result(report, [line], as_json)


def _print_installation(report: dict[str, Any]) -> None:
    test = report["self_test"]
    click.echo(
        f"tacit {report['tacit']}, Python {report['python']}, {report['system']}, {report['threads']} threads"
    )
    versions = {
        name: ", ".join(f"{key} {version or 'not installed'}" for key, version in report[name].items())
        for name in ("packages", "extras")
    }
    self_test = (
        f"{'sound' if test['sound'] else 'NOT SOUND'}: relative error {test['relative_error']:.1e} against "
        f"the reference, threads {'agree' if test['threads_agree'] else 'DISAGREE'} bit for bit, "
        f"{test['seconds']} s"
    )
    blas = ("; ".join(report["blas"]) or "none found") + " (not used for training)"
    _print_rows({**versions, "BLAS": blas, "self-test": self_test})


def _print_rows(rows: dict[str, str]) -> None:
    for name, text in rows.items():
        wrapped = indent(fill(text, 69, break_on_hyphens=False), " " * 11)
        click.echo(f"{name:<11}{wrapped.lstrip()}")
