"""FLA's config files, made from the timings that Triton stored.

FLA's wheel reads such files and does not write them. In its repository a script that is run by hand
between two starts does (scripts/extract_triton_autotune_cache.py); this does the same, in the format that
`KernelConfigFile` of fla/ops/utils/cache.py reads."""

import json
import os
from pathlib import Path
from typing import Any, Callable

_TIMINGS = ".autotune.json"


def extract(
    timings: Path, configs: Path, key_hash: Callable[[Any], str], triton_version: str
) -> str:
    """For each kernel with stored timings below `timings`: CONFIGS/KERNEL.json with the fastest config
    of each key. Returns what could not be read or written, "" if all could."""
    troubles: list[str] = []
    found: dict[str, dict[str, Any]] = {}
    for file in sorted(timings.rglob(f"*{_TIMINGS}")):
        try:
            stored = json.loads(file.read_text(encoding="utf-8"))
            config, _ = min(stored["configs_timings"], key=lambda entry: _times(entry[1]))
            entry = {"autotune_key": stored["key"], "config": config}
            kernel = file.name.removesuffix(_TIMINGS)
            found.setdefault(kernel, {})[key_hash(stored["key"])] = entry
        except (OSError, ValueError, KeyError, TypeError) as error:
            troubles.append(f"{file.name}: {error}")
    for kernel, entries in found.items():
        content = {
            "kernel_name": kernel,
            "triton_version": triton_version,
            "default_config": next(iter(entries.values()))["config"],
            "autotune_entries": entries,
        }
        try:
            _replace(configs / f"{kernel}.json", json.dumps(content, indent=1))
        except OSError as error:
            troubles.append(f"{kernel}.json is not stored: {error}")
    return "; ".join(troubles)


def _replace(file: Path, content: str) -> None:
    """As a whole: processes may tune at the same moment."""
    file.parent.mkdir(exist_ok=True)
    new = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        new.write_text(content, encoding="utf-8")
        new.replace(file)
    except OSError:
        new.unlink(missing_ok=True)
        raise


def _times(value: Any) -> tuple[float, ...]:
    return tuple(value) if isinstance(value, list) else (value,)
