"""A call's space: the configs that a tuner may choose among."""

import itertools
from dataclasses import dataclass, field
from typing import Iterator, Mapping

from .expression import evaluate


@dataclass
class Space:
    """Parameters with their values, in the order of the kernel file, and a condition over
    parameters and sizes; "" for none."""

    parameters: dict[str, list[int]]
    where: str = ""
    sizes: dict[str, int] = field(default_factory=dict)

    def holds(self, config: Mapping[str, int]) -> bool:
        """Whether `where` keeps this config. ExpressionError where it is no expression."""
        return not self.where or evaluate(self.where, {**self.sizes, **config}) != 0

    def __iter__(self) -> Iterator[dict[str, int]]:
        """All configs, the first parameter varying slowest."""
        for values in itertools.product(*self.parameters.values()):
            config = dict(zip(self.parameters, values))
            if self.holds(config):
                yield config


def config_text(config: Mapping[str, int]) -> str:
    """The text by which observers know a config, "block=64,vec=4": the value of the macro
    TUNECHECK_CONFIG."""
    return ",".join(f"{name}={config[name]}" for name in sorted(config))
