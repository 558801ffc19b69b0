"""One part of a campaign that is divided among machines, and the parts put together again."""

import json
import os
import pathlib

from jury import COUNTED
from report import key_of, read_records
from tree import Refused

MOST = 10_000

# The index that a scheduler says, the number of all, the first index, the step, and what the first index is without
# it; as framework/judge/scenario/shard.cpp has them, which a test compares.
SCHEDULERS = (
    ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", 0),
    ("CI_NODE_INDEX", "CI_NODE_TOTAL", "", "", 1),
    ("JOB_COMPLETION_INDEX", "TUNECHECK_SHARDS", "", "", 0),
)


def checked(number, count, name, found):
    if number is None or count is None or not (1 <= count <= MOST and 1 <= number <= count):
        raise Refused(f"{name}: expected a part and the number of all, from 1/1 to {MOST}/{MOST}, found \"{found}\"", 3)
    return number, count


def whole(text):
    return int(text) if text.isascii() and text.isdigit() else None


def parse(text, name="--shard"):
    number, slash, count = text.partition("/")
    return checked(whole(number), whole(count) if slash else None, name, text)


def of_scheduler(environment):
    """What the first scheduler says that says anything; None without one."""
    for index, total, first, step, begins_at in SCHEDULERS:
        if not environment.get(index):
            continue
        if not environment.get(total):
            raise Refused(f"{index}: expected the number of all parts in {total} next to it", 3)
        at = whole(environment[index])
        begin = whole(environment.get(first) or str(begins_at))
        by = whole(environment.get(step) or "1")
        number = None
        if None not in (at, begin, by) and by > 0 and (at - begin) % by == 0:
            number = (at - begin) // by + 1
        return checked(number, whole(environment[total]), index, f"{environment[index]} of {environment[total]}")
    return None


def asked(option, environment=os.environ):
    """(number, count) from --shard and the environment; None where nothing is divided."""
    if option and option != "auto":
        return parse(option)
    if environment.get("TUNECHECK_SHARD"):
        return parse(environment["TUNECHECK_SHARD"], "TUNECHECK_SHARD")
    if not option:
        return None
    found = of_scheduler(environment)
    if found is None:
        raise Refused("--shard: expected TUNECHECK_SHARD, SLURM_ARRAY_TASK_ID, CI_NODE_INDEX or JOB_COMPLETION_INDEX "
                      "in the environment, found none", 3)
    return found


def share(part, whole_number):
    """How many of so many are the part's."""
    number, count = part
    return (whole_number + count - number) // count


def mutations_of(part, mutations):
    """Every count-th one: those that are judged first are of all parts."""
    number, count = part
    return mutations[number - 1::count]


def described(part, campaign, seed, number, mutations):
    """What each record of a part says of the whole. `mutations` are the part's."""
    return {"number": part[0], "count": part[1], "campaign": campaign, "seed": seed, "mutations": number,
            "listed": len(mutations)}


def records_of(file):
    try:
        records = read_records(pathlib.Path(file))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refused(f"{file}: expected what ci/mutate wrote: {error}", 3) from error
    if not records:
        raise Refused(f"{file}: expected mutations that were judged, found none")
    return records


def check_alike(first, other, file):
    for name, what in (("campaign", "campaign"), ("seed", "seed"), ("count", "number of parts"),
                       ("mutations", "number of mutations")):
        if first["part"][name] != other["part"][name]:
            raise Refused(f"{file}: expected the {what} {first['part'][name]} of the first part, "
                          f"found {other['part'][name]}")
    for name, what in (("revision", "commit"), ("scenarios", "scenarios"), ("most", "--most")):
        if first.get(name) != other.get(name):
            raise Refused(f"{file}: expected the {what} {first.get(name)} of the first part, found {other.get(name)}")


def check_ended(records, file):
    part = records[0]["part"]
    wanted = share((part["number"], part["count"]), part["mutations"])
    counting = sum(record["verdict"] in COUNTED for record in records)
    if counting < wanted and len(records) < part["listed"]:
        raise Refused(f"{file}: expected {wanted} mutations that count, found {counting}: part {part['number']} of "
                      f"{part['count']} has not ended")


def joined(files):
    """The records of all parts in one list, and what the parts were of."""
    found, all_records, first = {}, {}, None
    for file in files:
        records = records_of(file)
        first = first or records[0]
        for record in records:
            if not isinstance(record.get("part"), dict):
                raise Refused(f"{file}: expected a part of a campaign (ci/mutate --shard), found a whole one")
            check_alike(first, record, file)
            if record["part"]["number"] != records[0]["part"]["number"]:
                raise Refused(f"{file}: expected mutations of one part, found two")
        number = records[0]["part"]["number"]
        if number in found:
            raise Refused(f"{file}: part {number} of {first['part']['count']} is there twice, also in {found[number]}")
        found[number] = file
        check_ended(records, file)
        for record in records:
            if all_records.setdefault(key_of(record), record) is not record:
                raise Refused(f"{file}: expected each mutation in one part, found {record['file']}:{record['line']} in two")
    missing = [number for number in range(1, first["part"]["count"] + 1) if number not in found]
    if missing:
        raise Refused(f"{'part' if len(missing) == 1 else 'parts'} {', '.join(map(str, missing))} of "
                      f"{first['part']['count']} {'is' if len(missing) == 1 else 'are'} missing")
    return list(all_records.values()), first["part"]


def write_whole(files, out):
    """Writes the whole as ci/mutate would have; returns its file and its records."""
    records, part = joined(files)
    file = out / f"{part['campaign']}-{part['seed']}.jsonl"
    if any(pathlib.Path(each).resolve() == file.resolve() for each in files):
        raise Refused(f"--out: expected a folder that has none of the parts: {file} would be replaced", 3)
    out.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({name: value for name, value in record.items() if name != "part"}) for record in records]
    file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return file, records
