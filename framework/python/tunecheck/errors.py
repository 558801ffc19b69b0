"""What a call of tunecheck can fail with."""

from __future__ import annotations


class TunecheckError(Exception):
    """tunecheck could not do what was asked: bad input (status 3), or nothing to be trusted (status 4).

    `status` is the exit status of the command, as the README has it.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class SchemaError(TunecheckError):
    """A file of results is not as its schema says, or its version is not known here."""

    def __init__(self, message: str) -> None:
        super().__init__(3, message)
