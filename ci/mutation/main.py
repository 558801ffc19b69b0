"""ci/mutate: what it is asked for, and its exit status."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import guarded
import shard
from baseline import Baseline
from campaigns import CAMPAIGNS, PROGRAMS, own_part
from jury import SURVIVED, Jury
from listed import head, line_of, read_list
from report import counted, key_of, percent, read_records, section, share_caught
from tree import SOURCES, Refused, Tree, checked, is_repository, say
from workers import Workers, end_on_signals

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "out" / "mutate"
USAGE = """Changes one token at a time in tunecheck's own sources, at random, and asks whether that is noticed.

  ci/mutate scenarios   mutates framework/tuner and framework/backend; scenarios must notice it
  ci/mutate tests       mutates framework/observe, harness, judge and gate; tests must notice it, or scenarios
  ci/mutate merge       puts the parts of a campaign together that --shard divided
  ci/mutate report      the shares, and what survived, as Markdown; also in out/mutate/report.md

A mutation that does not compile, or that compiles to the same code, does not count: another takes its place.
What is found is added to out/mutate/CAMPAIGN-SEED.jsonl, one line per mutation.
With --shard, machines share a campaign; with --from and --minutes, a part of it runs where there is no libclang:
docs/mutation-testing.md

Exit status: 0; 1 if less is noticed than --require asks for; 3 for bad input; 4 if nothing can be said, because
the unmutated tree does not build or fails its scenarios, or because parts do not make a whole."""


def whole(least):
    def parse(text):
        if not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a whole number of at least {least}, found \"{text}\"")
        return int(text)
    return parse


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Refused(f"{message}; ci/mutate --help", 3)


def add_options(parser):
    parser.add_argument("--number", type=whole(1), help="mutations that count; 200 for scenarios, 300 for tests")
    parser.add_argument("--seed", type=whole(0), default=1, help="which mutations, and in which order; 1")
    parser.add_argument("--shard", metavar="K/N",
                        help="judge one part of several (3/16); \"auto\" asks the variables of Slurm, GitLab or Kubernetes")
    parser.add_argument("--jobs", type=whole(1), default=1, help="trees that are mutated at once; 1")
    parser.add_argument("--minutes", type=whole(1), help="end so many minutes after the start, and keep what is judged")
    parser.add_argument("--out", type=pathlib.Path, default=OUT, metavar="FOLDER", help="of the results; out/mutate")
    parser.add_argument("--from", dest="list_file", type=pathlib.Path, metavar="FILE",
                        help="the mutations that --list printed, instead of those of --files and --seed; needs no libclang")
    parser.add_argument("--files", action="append", metavar="GLOB", help="only sources whose paths match; repeatable")
    parser.add_argument("--without", action="append", default=["docs"], metavar="PART",
                        help="test program that is not asked; \"docs\" never is, since it takes a quarter of an hour")
    parser.add_argument("--quick", action="store_true", help="ask the scenarios of `tunecheck run --quick`, then the likeliest families, and no others")
    parser.add_argument("--most", type=whole(1), metavar="N",
                        help="ask at most N test programs or sets of scenarios; what survives may then be judged --again")
    parser.add_argument("--resume", action="store_true", help="go on where the last run ended")
    parser.add_argument("--again", action="store_true", help="with --resume: judge once more what survived")
    parser.add_argument("--list", action="store_true", help="print the mutations in their order and make none")


def parse_arguments():
    parser = Parser(prog="ci/mutate", description=USAGE, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", metavar="scenarios|tests|merge|report")
    commands.required = True
    for name in (*CAMPAIGNS, "merge", "report"):
        command = commands.add_parser(name)
        command.add_argument("--require", type=float, metavar="PERCENT", help="status 1 if less is noticed")
        if name == "merge":
            command.add_argument("files", nargs="+", metavar="FILE", help="the CAMPAIGN-SEED.jsonl of every part, once")
            command.add_argument("--out", type=pathlib.Path, default=OUT, metavar="FOLDER", help="of the whole; out/mutate")
        elif name != "report":
            add_options(command)
    return parser.parse_args()


def text_of(record):
    return (f"{record['verdict']:16} {record['file']}:{record['line']}:{record['column']} `{record['before']}` -> "
            f"`{record['after']}`, {record['seconds']:.0f} s  {record['by']}".rstrip())


class Run:
    """One campaign with one seed: its options, its records, and its trees below build/mutate."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.campaign = CAMPAIGNS[arguments.command]
        self.whole_number = arguments.number or self.campaign.number
        self.shard = shard.asked(arguments.shard)
        self.number = shard.share(self.shard, self.whole_number) if self.shard else self.whole_number
        self.part = None  # what records of a part say of the whole
        self.seed = arguments.seed
        self.files = set()  # that may be mutated
        self.folder = ROOT / "build" / "mutate" / arguments.command
        self.cores = os.cpu_count() or 1
        self.parallel = max(1, self.cores // arguments.jobs)
        self.until = time.monotonic() + 60 * arguments.minutes if arguments.minutes else float("inf")
        self.revision = checked(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]).strip() if is_repository(ROOT) else ""

    def mutations(self):
        """Those of the part, where the campaign is divided."""
        mutations = self.all_mutations()
        if not self.shard:
            return mutations
        if self.shard[1] > self.whole_number:
            raise Refused(f"--shard: expected at most as many parts as mutations, {self.whole_number}, found {self.shard[1]}", 3)
        mine = shard.mutations_of(self.shard, list(mutations))
        self.part = shard.described(self.shard, self.campaign.name, self.seed, self.whole_number, mine)
        return mine

    def all_mutations(self):
        if self.arguments.list_file:
            self.seed, revision, mutations = read_list(ROOT, self.arguments.list_file, self.campaign.name)
            self.revision = self.revision or revision
            return mutations
        from mutations import number_of_tokens, shuffled, sources  # needs libclang
        files = sources(ROOT, self.campaign.folders, self.campaign.left_out, self.arguments.files)
        if not files:
            raise Refused(f"no source below {', '.join(self.campaign.folders)} matches", 3)
        changed, all_tokens = (number_of_tokens(ROOT, files, campaign) for campaign in (self.campaign, None))
        say(f"{changed} tokens can be changed; {all_tokens - changed} more stay by the rules of ci/mutation/campaigns.py")
        return shuffled(ROOT, files, self.seed, self.campaign)

    @property
    def file(self):
        return self.arguments.out / f"{self.campaign.name}-{self.seed}.jsonl"

    def check(self):
        changed = checked(["git", "-C", ROOT, "status", "--porcelain", "--", *SOURCES]) if is_repository(ROOT) else ""
        if changed:
            raise Refused(f"what is not committed would be left out:\n{changed.rstrip()}", 3)
        if self.file.exists() and not self.arguments.resume:
            raise Refused(f"there is {os.path.relpath(self.file, ROOT)}: go on with --resume, or remove it", 3)

    def check_part(self, known):
        """A part stays the part that it was."""
        if any(record.get("part") != self.part for record in known):
            raise Refused(f"--resume: expected mutations of the same part in {os.path.relpath(self.file, ROOT)}", 3)

    def open_mutations(self, mutations, known):
        """With --again, first those that survived; then new ones until enough count."""
        last = {key_of(record): record["verdict"] for record in known}
        if self.arguments.again:
            yield from (each for each in mutations if last.get(each.key) == SURVIVED)
        for each in mutations:
            if self.counting() >= self.number:
                return
            if each.key not in last:
                yield each

    def counting(self):
        return len(counted(read_records(self.file)))

    def folder_of(self, job):
        return self.folder / f"job-{job}"

    def parts(self, tree):
        """The test programs that are asked, and what each is made of."""
        if self.campaign.name == "scenarios":
            return {}
        parts = {part: files for part, files in tree.parts_with(self.campaign.folders).items()
                 if part not in self.arguments.without}
        if self.arguments.most == 1:  # then nothing but a source's own part is asked
            own = {own_part(file, parts) for file in self.files}
            return {part: files for part, files in parts.items() if part in own or None in own}
        return parts

    def prepare(self, job, cores):
        """The job's tree, built."""
        tree = Tree(ROOT, self.folder_of(job), self.parallel)
        tree.check_out(self.revision)
        tree.configure(self.campaign.alone)
        for file in sorted(self.files):  # not after an hour
            tree.objects_of(file)
        tree.build_unmutated(PROGRAMS + [f"tunecheck-test-{part}" for part in self.parts(tree)], cores)
        return tree

    def measured(self, tree):
        baseline = Baseline(tree, self.parts(tree), self.arguments.quick, self.parallel, self.cores)
        baseline.copy_store(pathlib.Path(os.environ.get("TUNECHECK_COMPILE_STORE") or ROOT / "build/compile-store"))
        baseline.measure()
        return baseline

    def juries(self):
        """A function for each job that makes its jury, in the job's own process. A single one works in the tree that
        was measured; several work in copies of it, or, where this is not allowed, in trees that they build."""
        first = self.prepare(0, self.cores)
        baseline = self.measured(first)

        def make(job):
            tree = first
            if self.arguments.jobs > 1 and not first.take_own_copy(self.folder_of(job + 1)):
                tree = first if job == 0 else self.prepare(job, self.parallel)
                tree.share_store(baseline.store)
            return Jury(tree, lambda file: self.stages_for(baseline, file)[:self.arguments.most], tree.folder / "store")

        return [lambda job=job: make(job) for job in range(self.arguments.jobs)]

    def stages_for(self, baseline, file):
        tests = baseline.tests_for(file) if self.campaign.name == "tests" else []
        return tests + baseline.scenarios_for(file)

    def records(self, mutations, known):
        """Judges until enough count, and stores each record at once."""
        workers = Workers(self.juries())
        try:
            self.arguments.out.mkdir(parents=True, exist_ok=True)
            with self.file.open("a", encoding="utf-8") as file:
                for record in workers.records(self.open_mutations(mutations, known), self.until):
                    record.update(revision=self.revision, scenarios="quick" if self.arguments.quick else "all",
                                  most=self.arguments.most)
                    if self.part:
                        record.update(part=self.part)
                    file.write(json.dumps(record) + "\n")
                    file.flush()
                    print(f"{self.counting():4} of {self.number}  {text_of(record)}", flush=True)
        finally:
            workers.close()


def run(arguments):
    campaign = Run(arguments)
    mutations = campaign.mutations()
    campaign.files = {each.file for each in mutations}
    if arguments.list:
        print(head(campaign.campaign.name, campaign.seed, campaign.revision or "unknown"), *map(line_of, mutations), sep="\n")
        return 0
    campaign.check()
    known = read_records(campaign.file)
    campaign.check_part(known)
    campaign.records(mutations, known)
    records = read_records(campaign.file)
    print(f"{percent(records)} of {len(counted(records))} mutations noticed; {campaign.file}")
    return status(arguments.require, [records])


def status(required, all_records):
    shares = [share_caught(records) for records in all_records]
    return int(required is not None and any(share is None or share < required for share in shares))


def merge(arguments):
    file, records = shard.write_whole(arguments.files, arguments.out)
    print(f"{percent(records)} of {len(counted(records))} mutations noticed; {file}")
    return status(arguments.require, [records])


def report(arguments):
    files = sorted(OUT.glob("*-*.jsonl"))
    if not files:
        raise Refused("nothing was run yet: there is no out/mutate/*.jsonl", 3)
    stored = {file.stem: read_records(file) for file in files}
    page = "\n".join(section(*name.rsplit("-", 1), records) for name, records in stored.items())
    (OUT / "report.md").write_text(page, encoding="utf-8")
    print(page, end="")
    return status(arguments.require, stored.values())


def main():
    end_on_signals()
    guarded.adopt_orphans()
    try:
        arguments = parse_arguments()
        return {"report": report, "merge": merge}.get(arguments.command, run)(arguments)
    except Refused as refused:
        say(refused)
        return refused.status
    except (subprocess.SubprocessError, OSError) as error:
        say(error)
        return 4
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
