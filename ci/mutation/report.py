"""The shares of what was caught, in Markdown."""

import collections
import json
import pathlib

from jury import BROKEN, CAUGHT, COUNTED, SAME, SURVIVED, TIMED_OUT


# What a person said of survivors: one line each, "equivalent" (no input makes a difference that a user could see)
# or "open", and why. Known by the text of its line, so that it holds in a later revision too.
JUDGEMENTS = pathlib.Path(__file__).with_name("judgements.jsonl")


def read_judgements(file=JUDGEMENTS):
    judgements = {}
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            judgement = json.loads(line)
            judgements[tuple(judgement[name] for name in ("file", "text", "before", "after"))] = judgement
    return judgements


def judgement_of(record):
    return read_judgements().get(tuple(record[name] for name in ("file", "text", "before", "after")), {})


def is_equivalent(record):
    return record["verdict"] == SURVIVED and judgement_of(record).get("verdict") == "equivalent"


def read_records(file):
    """The last record of each mutation: one that was judged again counts once."""
    records = {}
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            records[key_of(record)] = record
    return list(records.values())


def key_of(record):
    return tuple(record[name] for name in ("file", "line", "column", "before", "after"))


def counted(records):
    return [record for record in records if record["verdict"] in COUNTED]


def share_caught(records):
    """In percent of those that are not equivalent; None where nothing counts."""
    counting = [record for record in counted(records) if not is_equivalent(record)]
    caught = sum(record["verdict"] != SURVIVED for record in counting)
    return 100 * caught / len(counting) if counting else None


def percent(records):
    share = share_caught(records)
    return "-" if share is None else f"{share:.1f} %"


def row(name, records):
    number = collections.Counter(record["verdict"] for record in records)
    hours = sum(record["seconds"] for record in records) / 3600
    return (f"| {name} | {len(counted(records))} | {number[CAUGHT]} | {number[TIMED_OUT]} | {number[SURVIVED]} | "
            f"{sum(map(is_equivalent, records))} | {percent(records)} | {number[BROKEN]} | {number[SAME]} | {hours:.2f} |")


HEAD = ("| {} | mutations that count | caught | timed out | survived | of these equivalent | noticed of the others | did not compile | same code | "
        "hours |\n|---|---|---|---|---|---|---|---|---|---|")


def code(text):
    """As a table of Markdown shows it."""
    return f"`{text}`".replace("|", "\\|") if text else "nothing"


def folder_of(record):
    return "/".join(record["file"].split("/")[:-1][:3])


def by_folder(records):
    folders = collections.defaultdict(list)
    for record in records:
        folders[folder_of(record)].append(record)
    return [row(f"`{name}`", folders[name]) for name in sorted(folders)]


def noticed_by(records):
    """Which program or family of scenarios notices how much."""
    number = collections.Counter(
        record["by"].partition(":")[0] if record["by"].startswith("tests/") or record["verdict"] == TIMED_OUT
        else "scenarios: " + record["by"].split()[-1].partition(".")[0]
        for record in records if record["verdict"] in (CAUGHT, TIMED_OUT))
    return [f"| {name} | {count} |" for name, count in number.most_common()]


def survivors(records):
    found = sorted((record for record in records if record["verdict"] == SURVIVED), key=key_of)
    return [f"| `{record['file']}:{record['line']}` | {code(record['before'])} | {code(record['after'])} | "
            f"{code(record['text'])} | {said_of(record)} |" for record in found]


def said_of(record):
    judgement = judgement_of(record)
    return f"{judgement['verdict']}: {judgement['why']}" if judgement else "not judged yet"


def section(name, seed, records):
    """One campaign with one seed."""
    revisions = sorted({record["revision"] for record in records})
    lines = [f"## {name}, seed {seed}", "", f"Revision {', '.join(revisions)}.", "",
             HEAD.format("folder"), *by_folder(records), row("all", records), "",
             "| noticed first by | mutations |", "|---|---|", *noticed_by(records), ""]
    if found := survivors(records):
        lines += ["| survived at | before | after | line | why |", "|---|---|---|---|---|", *found, ""]
    return "\n".join(lines)
