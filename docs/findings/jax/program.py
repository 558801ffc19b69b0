"""What the scripts next to this one start in processes of their own, with processes.py: 2 * x + 1 by jax.jit, where x
is 1, so that 3 is right.

Prints one line of JSON: an element of the result, whether it was compiled or found, what was warned of, and what was
raised."""

import json
import sys
import warnings

import jax
import numpy


def main():
    events = []
    jax.monitoring.register_event_listener(lambda event, **_: events.append(event))
    jax.monitoring.register_event_duration_secs_listener(
        lambda event, duration, **_: events.append(event)
    )
    x = jax.device_put(numpy.ones(65536, numpy.float32))
    events.clear()
    error, value = "", None
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            value = jax.jit(lambda x: 2 * x + 1)(x)[0].item()
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}".splitlines()[0]
    found = "/jax/compilation_cache/cache_hits" in events
    print(
        json.dumps(
            {
                "value": value,
                "found": found,
                "warnings": [str(each.message).splitlines()[0][:160] for each in warned],
                "error": error,
            }
        )
    )


if __name__ == "__main__":
    main()
