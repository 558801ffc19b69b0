"""A config: one choice of tuning parameters, name to value."""

from typing import Mapping

Config = dict[str, int]


def config_text(config: Mapping[str, int]) -> str:
    """The text by which observers know a config, "block=64,vec=4": the value of the macro
    TUNECHECK_CONFIG."""
    return ",".join(f"{name}={config[name]}" for name in sorted(config))
