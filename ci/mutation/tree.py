"""A clone of the repository with a build folder of its own, in which one mutation is made at a time."""

import contextlib
import ctypes
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import guarded

COMPILE_LIMIT_S = 600
CLONE_NEWNS = 0x20000
# What verdicts depend on besides the mutations.
SOURCES = ("framework", "kernels", "scenarios", "tests", "reports", "cmake", "CMakeLists.txt")
# What else a build reads, and tests do; only a tree that is copied, not cloned, needs the list.
BESIDES = ("CMakePresets.json", "ci", "docs", "templates", "README.md", "CONTRIBUTING.md", "LICENSE", ".clang-format",
           ".gitignore")
IGNORED = {"__pycache__", "node_modules"}
OBJECT = re.compile(r" -o (\S+) ")


class Refused(Exception):
    """A campaign that cannot be run, or not be trusted: the message, and the status to exit with."""

    def __init__(self, message, status=4):
        super().__init__(message)
        self.status = status


def say(text):
    print(f"ci/mutate: {text}", file=sys.stderr, flush=True)


def checked(command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", **options)
    if done.returncode != 0:
        raise Refused(f"failed with status {done.returncode}: {' '.join(map(str, command))}\n{done.stdout[-3000:]}")
    return done.stdout


@functools.cache
def is_repository(root):
    """Whether git is there, and takes the folder for a repository of its own."""
    if shutil.which("git") is None:
        return False
    done = subprocess.run(["git", "-C", root, "rev-parse", "--show-toplevel"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.returncode == 0 and os.path.realpath(done.stdout.rstrip("\n")) == os.path.realpath(root)


def write_if_other(source, target):
    """A file that stays as it is keeps its time, so that nothing is built anew for it."""
    content = source.read_bytes()
    if not target.exists() or target.read_bytes() != content:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        shutil.copymode(source, target)


class Tree:
    """check_out(), configure() and build_unmutated() come first, in this order. The sources are as in the commit
    except within mutated(): a process that is killed there leaves a changed source, which the next check_out()
    undoes. What is not in a repository, as on a machine that was given the sources alone, is copied as it is."""

    def __init__(self, root, folder, parallel):
        self.root, self.folder, self.source, self.parallel = root, folder, folder / "tree", parallel
        self.build_folder = self.source / "build" / "release"
        self.bin = self.build_folder / "bin"
        self._clean_objects = {}
        self._commands = None
        # What is broken is not worth keeping; what ccache has of the unbroken is.
        self._environment = {**os.environ, "CCACHE_READONLY": "1"}

    def check_out(self, revision):
        if is_repository(self.root):
            self._clone(revision)
        else:
            self._copy()
        # The headers of CUDA, without which less is built.
        if (self.root / ".venv").exists() and not os.path.lexists(self.source / ".venv"):
            os.symlink((self.root / ".venv").resolve(), self.source / ".venv")

    def _clone(self, revision):
        if not (self.source / ".git").exists():
            self.source.parent.mkdir(parents=True, exist_ok=True)
            checked(["git", "clone", "--quiet", "--shared", "--no-checkout", self.root, self.source])
        checked(["git", "-C", self.source, "checkout", "--quiet", "--force", "--detach", revision])

    def _copy(self):
        for name in (*SOURCES, *BESIDES):
            for path in [self.root / name, *(self.root / name).rglob("*")]:
                if path.is_file() and not IGNORED.intersection(path.parts):
                    write_if_other(path, self.source / path.relative_to(self.root))
        for path in self._files():
            if not (self.root / path.relative_to(self.source)).exists():
                path.unlink()

    def _files(self):
        return sorted(path for name in SOURCES for path in [self.source / name, *(self.source / name).rglob("*")]
                      if path.is_file())

    def state(self):
        """Equal for trees whose verdicts can be compared."""
        if is_repository(self.root):
            return checked(["git", "-C", self.source, "ls-tree", "HEAD", "--", *SOURCES])
        digest = hashlib.sha256()
        for path in self._files():
            digest.update(f"{path.relative_to(self.source)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return digest.hexdigest()

    def take_own_copy(self, folder):
        """From here on this process, and what it starts, has a copy of this tree's folder at the same path, which is
        kept in `folder`; all other processes see the first one. Nothing is built for it. False where that is not
        allowed: it takes the right to mount."""
        if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
            return False
        checked(["mount", "--make-rprivate", "/"])
        shutil.rmtree(folder, ignore_errors=True)
        checked(["cp", "--archive", "--reflink=auto", self.folder, folder])
        checked(["mount", "--bind", folder, self.folder])
        return True

    def share_store(self, store):
        """A copy of what another tree has compiled for scenarios."""
        if not (self.folder / "store").exists():
            checked(["cp", "--archive", "--reflink=auto", store, self.folder / "store"])

    def configure(self, alone):
        """As ci/test builds, except that each source of the targets `alone` is compiled alone."""
        checked(["cmake", "-S", self.source, "--preset", "release", "-B", self.build_folder,
                 "-DTUNECHECK_BUILD_BENCHMARKS=OFF", f"-DTUNECHECK_ALONE={';'.join(alone)}"], cwd=self.source)

    def build_unmutated(self, targets, cores):
        say(f"building {self.build_folder}")
        checked(self._ninja(targets, cores))

    def _ninja(self, targets, cores):
        return ["cmake", "--build", str(self.build_folder), "--parallel", str(cores), "--target", *targets]

    def build(self, targets):
        """Whether it could be built, with a mutation in it."""
        return self._builds(targets) or self._builds(targets)  # it may have failed for another reason

    def _builds(self, targets):
        outcome = guarded.run(self._ninja(targets, self.parallel), self.source, self._environment, COMPILE_LIMIT_S)
        return outcome.status == 0 and not outcome.ended_for

    def objects_of(self, file):
        """What the source is compiled to, alone."""
        if self._commands is None:
            with open(self.build_folder / "compile_commands.json", encoding="utf-8") as text:
                self._commands = json.load(text)
        path = str(self.source / file)
        found = sorted(OBJECT.search(entry["command"])[1] for entry in self._commands if entry["file"] == path)
        if not found:
            raise Refused(f"{file} is compiled by no target that compiles its sources alone")
        return found

    def digests(self, objects):
        return [hashlib.sha256((self.build_folder / name).read_bytes()).hexdigest() for name in objects]

    def clean_digests(self, file):
        """Digests of the objects of the unmutated source; call it before the mutation."""
        if file not in self._clean_objects:
            objects = self.objects_of(file)
            if not self.build(objects):
                raise Refused(f"{file} does not compile as it is")
            self._clean_objects[file] = self.digests(objects)
        return self._clean_objects[file]

    def listed_scenarios(self, *options):
        return checked([self.bin / "tunecheck", "run", "--list", *options]).split()

    def parts_with(self, folders):
        """The test programs that are made of something in these folders, or start it: what each is made of."""
        prefixes = tuple(f"{folder}/" for folder in folders)
        inputs = {part: self._inputs_of(f"tunecheck-test-{part}") for part in self._test_parts()}
        return {part: files for part, files in inputs.items() if any(name.startswith(prefixes) for name in files)}

    def _test_parts(self):
        known = checked(["ninja", "-C", self.build_folder, "-t", "targets", "all"])
        prefix = "bin/tunecheck-test-"
        programs = {line.partition(":")[0][len(prefix):] for line in known.splitlines() if line.startswith(prefix)}
        return sorted(programs - {"precompiled"})

    def _inputs_of(self, target):
        """Every file of the tree that the target, or what is built before it, is made of."""
        listed = checked(["ninja", "-C", self.build_folder, "-t", "inputs", target])
        prefix = f"{self.source}/"
        return {line[len(prefix):] for line in listed.splitlines() if line.startswith(prefix)}

    @contextlib.contextmanager
    def mutated(self, mutation):
        path = self.source / mutation.file
        content = path.read_bytes()
        path.write_bytes(mutation.applied_to(content))
        try:
            yield
        finally:
            path.write_bytes(content)
