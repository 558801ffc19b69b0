"""ci/mutate of the source tree that is the argument: which mutations it makes, in a project of a few lines, and what
it says of them there; and what it does with commands that do not end, or leave something behind."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
sys.path.insert(0, str(ROOT / "ci" / "mutation"))

import campaigns  # noqa: E402
import guarded  # noqa: E402
import mutations  # noqa: E402
import workers  # noqa: E402

FILES = {
    "framework/observe/sum.cpp": """// Left alone: 1 + 2 == 3, true.
#include <string>
#if 1 + 1 == 2
#define TWO \\
  1 + 1
#endif
static_assert(1 + 1 == 2, "1 + 1");
[[deprecated("1 + 1")]] int old(int a);
int sum(int a, int b) { return a + b; }
bool is_less(int a, int b) { return a < b; }
bool is_true(bool a) { return a && a; }
std::string text(const std::string& a) { return a + "1 + 1 /* 2 */"; }
""",
    "framework/tuner/double.cpp": "int twice(int a) { return a * 2; }\n",
    # What it answers depends on what is linked. A third of its test fails only once, and only if is_less() is mutated.
    "tests/observe/sum_test.cpp": """#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
int sum(int a, int b);
bool is_less(int a, int b);
TEST(Sum, has_two_parts) { EXPECT_EQ(sum(2, 3), 5); }
TEST(Sum, fails_once) {
  const std::filesystem::path seen = std::filesystem::temp_directory_path() / "seen";
  const bool is_mutated = is_less(1, 1) || !is_less(0, 1);
  EXPECT_TRUE(!is_mutated || std::filesystem::exists(seen));
  std::ofstream{seen};
}
""",
    # tunecheck run --list, or tunecheck run SCENARIO... --adapter NAME --jobs N --out FOLDER. reload.fails always does.
    "framework/cli/main.cpp": """#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>
int twice(int a);
int main(int, char** words) {
  const std::vector<std::string> all{"reload.doubles", "reload.fails", "growth.1", "growth.2", "growth.3", "growth.4",
                                     "growth.5", "growth.6", "growth.7", "growth.8", "growth.9", "growth.10"};
  std::vector<std::string> asked, passing;
  int at = 2;
  for (; words[at] && words[at][0] != '-'; ++at)
    asked.push_back(words[at]);
  if (std::string{words[at]} == "--list") {
    for (const std::string& name : all)
      std::puts(name.c_str());
    return 0;
  }
  for (const std::string& name : asked)
    if (name != "reload.fails" && twice(3) == 6)
      passing.push_back(name);
    else
      std::printf("fail %s  0.1 s\\n", name.c_str());
  std::filesystem::create_directories(words[at + 5]);
  std::ofstream result{std::string{words[at + 5]} + "/result.json"};
  result << "{\\"scenarios\\": [";
  for (const std::string& name : passing)
    result << (&name == &passing.front() ? "" : ", ")
           << "{\\"name\\": \\"" << name << "\\", \\"verdict\\": \\"pass\\", \\"wall_ns\\": 10000000}";
  result << "]}";
  if (passing == asked)
    std::printf("PASS: %zu of %zu scenarios; 0.1 s\\n", passing.size(), asked.size());
  return passing == asked ? 0 : 1;
}
""",
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_CXX_STANDARD 20)
find_package(GTest REQUIRED)
add_library(tunecheck_observe STATIC framework/observe/sum.cpp)
add_library(tunecheck_tuner STATIC framework/tuner/double.cpp)
add_executable(tunecheck framework/cli/main.cpp)
target_link_libraries(tunecheck PRIVATE tunecheck_tuner)
add_executable(tunecheck-test-observe tests/observe/sum_test.cpp)
target_link_libraries(tunecheck-test-observe PRIVATE tunecheck_observe GTest::gtest_main)
foreach(name runner adapter-reference cxx-spy probe faults)
  add_custom_target(tunecheck-${name})
endforeach()
""",
    ".gitignore": "/build/\n/out/\n__pycache__/\n",
}


TESTS = campaigns.CAMPAIGNS["tests"]


def write_project(root):
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    shutil.copytree(ROOT / "ci", root / "ci", ignore=shutil.ignore_patterns("__pycache__", "judgements.jsonl"))
    shutil.copy(ROOT / "CMakePresets.json", root)
    git = ["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "All"]):
        subprocess.run([*git, *command], check=True)


def changes(found):
    return [(each.line, each.before, each.after) for each in found]


class Mutations(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def of(self, text):
        (self.root / "a.cpp").write_text(text)
        return mutations.of_file(self.root, "a.cpp")

    def test_only_code_is_mutated(self):
        self.assertEqual(changes(self.of(FILES["framework/observe/sum.cpp"])), [
            (9, "+", "-"), (10, "<", "<="), (10, "<", ">="), (11, "&&", "||"), (12, "+", "-")])

    def test_what_is_no_operator_between_two_values_stays(self):
        self.assertEqual(self.of("template <class T>\nT* f(T&& a, const std::map<int, T>& b) { return -*&a; }\n"
                                 "bool operator<(A a, A b);\nconst char* x = R\"(\n1 + 1\n)\"; char y = '1';\n"), [])

    def test_conditions_numbers_and_names_are_mutated(self):
        self.assertEqual(changes(self.of("int f(int a) {\n  if (g(a)) return std::min(a, 7);\n  return 0.5 * a;\n}\n")), [
            (2, "(", "(!"), (2, "min", "max"), (2, "7", "8"), (2, "7", "6"), (3, "0.5", "1.0"), (3, "*", "/")])

    def test_a_mutation_changes_its_token_alone(self):
        text = FILES["framework/observe/sum.cpp"]
        for mutation in self.of(text):
            wrong = mutation.applied_to(text.encode()).decode()
            lines = [(one, other) for one, other in zip(text.split("\n"), wrong.split("\n")) if one != other]
            self.assertEqual(lines, [(mutation.text, mutation.text[:mutation.column - 1] + mutation.after +
                                      mutation.text[mutation.column - 1 + len(mutation.before):])])

    def test_what_a_rule_names_stays(self):
        text = """int table[] = {1, 2};
int text(int a) { if (a) { return a + 1; } return table[2] + 3; }
int f(int a) {
  for (int b : table) { a = text(a + 4); }
  if (text(5)) { a = 6; }
  return fail(a + 7) + 8;
}
"""
        (self.root / "a.cpp").write_text(text)
        left_out = mutations.LeftOut(frozenset(["fail"]), frozenset(["text", "table"]))
        found = {before for _, before, _ in changes(mutations.of_file(self.root, "a.cpp", left_out))}
        self.assertEqual(found, {"+", "4", "5", "6", "8", "("})

    def test_the_rules_of_the_campaigns_name_what_there_is(self):
        for campaign in campaigns.CAMPAIGNS.values():
            for file, names in campaign.left_out_code.items():
                whole = mutations.of_file(ROOT, file)
                for name in names:
                    rest = mutations.of_file(ROOT, file, mutations.LeftOut(definitions=frozenset([name])))
                    self.assertLess(len(rest), len(whole), f"{file}: {name}")

    def test_the_seed_decides_the_order(self):
        self.of(FILES["framework/observe/sum.cpp"])
        first = mutations.shuffled(self.root, ["a.cpp"], 1, TESTS)
        self.assertEqual(first, mutations.shuffled(self.root, ["a.cpp"], 1, TESTS))
        self.assertNotEqual(first, mutations.shuffled(self.root, ["a.cpp"], 2, TESTS))
        self.assertEqual(set(first), set(mutations.shuffled(self.root, ["a.cpp"], 2, TESTS)))


class Guarded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        guarded.adopt_orphans()

    def run_shell(self, script, limit_s, stop_at=None):
        return guarded.run(["bash", "-c", script], "/", dict(os.environ), limit_s, stop_at)

    def test_what_hangs_is_ended(self):
        outcome = self.run_shell("echo begun; sleep 1000", 0.5)
        self.assertEqual((outcome.ended_for, outcome.output), ("time limit of 0 s", "begun\n"))

    def test_what_is_left_behind_is_ended(self):
        outcome = self.run_shell("setsid sleep 1000 & echo $!", 100)
        self.assertEqual(outcome.ended_for, "")
        self.assertFalse(os.path.exists(f"/proc/{outcome.output.strip()}"))

    def test_too_much_output_and_too_much_memory_end_it(self):
        most, guarded.OUTPUT = guarded.OUTPUT, 1 << 20
        self.addCleanup(setattr, guarded, "OUTPUT", most)
        self.assertEqual(self.run_shell("yes", 100).ended_for, "too much output")
        self.assertNotEqual(self.run_shell(f"python3 -c 'bytearray({guarded.MEMORY})'", 100).status, 0)

    def test_nothing_behind_the_line_that_decides_is_waited_for(self):
        outcome = self.run_shell("echo good; echo bad x; sleep 1000", 1000, re.compile("bad (x)"))
        self.assertEqual(outcome.ended_for, "stopped")


class Slow:
    """Takes a tenth of a second for a mutation."""

    def record(self, mutation):
        time.sleep(0.1)
        return {"of": mutation}


class SeveralAtOnce(unittest.TestCase):
    def test_when_the_time_is_over_what_was_judged_is_kept(self):
        judges = workers.Workers([Slow, Slow])
        self.addCleanup(judges.close)
        begun = time.monotonic()
        kept = list(judges.records(range(1000), begun + 1))
        self.assertLess(time.monotonic() - begun, 3)
        self.assertTrue(5 <= len(kept) <= 25, kept)
        self.assertEqual(len({each["of"] for each in kept}), len(kept))

    def test_all_answers_come_and_no_more_run_than_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            def busy(number):
                (pathlib.Path(folder) / str(number)).touch()
                time.sleep(0.1)
                together = len(os.listdir(folder))
                (pathlib.Path(folder) / str(number)).unlink()
                return number, together
            answers = dict(workers.at_once([lambda number=number: busy(number) for number in range(7)], 3))
        self.assertEqual(set(answers), set(range(7)))
        self.assertTrue(2 <= max(answers.values()) <= 3, answers)


class Campaigns(unittest.TestCase):
    """In a project of a few lines."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = pathlib.Path(cls.folder.name) / "toy"
        write_project(cls.root)
        # Campaigns copy the compile store; what this machine has in its own is not needed here.
        cls.environment = {**os.environ, "TUNECHECK_COMPILE_STORE": f"{cls.folder.name}/store"}

    def mutate(self, *arguments, root=None):
        main = (root or self.root) / "ci/mutation/main.py"
        return subprocess.run([sys.executable, "-B", main, *arguments], text=True, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def records(self, name):
        lines = (self.root / "out/mutate" / name).read_text().splitlines()
        return {(record["line"], record["after"]): record for record in map(json.loads, lines)}

    def test_tests_notice_what_they_test(self):
        done = self.mutate("tests", "--require", "90")
        self.assertEqual(done.returncode, 1, done.stderr)
        records = self.records("tests-1.jsonl")
        self.assertEqual({key: record["verdict"] for key, record in records.items()}, {
            (9, "-"): "caught", (10, "<="): "survived", (10, ">="): "survived",
            (11, "||"): "same code", (12, "-"): "does not compile"})
        self.assertEqual(records[9, "-"]["by"], "tests/observe: Sum.has_two_parts")
        self.assertEqual(records[10, "<="]["once"], ["tests/observe: Sum.fails_once"])
        self.assertIn("33.3 % of 3 mutations noticed", done.stdout)
        self.check_resuming()
        self.check_report()
        clone = self.root / "build/mutate/tests/job-0/tree"
        changed = subprocess.run(["git", "-C", clone, "status", "--porcelain"], check=True, stdout=subprocess.PIPE)
        self.assertEqual(changed.stdout, b"")

    def check_resuming(self):
        refused = self.mutate("tests")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("there is out/mutate/tests-1.jsonl: go on with --resume, or remove it", refused.stderr)
        before = (self.root / "out/mutate/tests-1.jsonl").read_text()
        self.assertEqual(self.mutate("tests", "--resume", "--require", "30").returncode, 0)
        self.assertEqual((self.root / "out/mutate/tests-1.jsonl").read_text(), before)

    def check_report(self):
        done = self.mutate("report")
        self.assertEqual(done.returncode, 0)
        self.assertIn("| all | 3 | 1 | 0 | 2 | 0 | 33.3 % | 1 | 1 |", done.stdout)
        self.assertIn("| `framework/observe/sum.cpp:10` | `<` | `<=` | `bool is_less(", done.stdout)
        self.assertEqual(done.stdout, (self.root / "out/mutate/report.md").read_text())
        self.check_judgements()
        self.assertEqual(self.mutate("report", "--require", "90").returncode, 1)

    def check_judgements(self):
        """What is equivalent is left out of the share; any other reason is only shown."""
        file = self.root / "ci/mutation/judgements.jsonl"
        self.addCleanup(file.unlink)
        line = "bool is_less(int a, int b) { return a < b; }"
        file.write_text("".join(
            json.dumps({"file": "framework/observe/sum.cpp", "text": line, "before": "<", "after": after,
                        "verdict": verdict, "why": "no test asks"}) + "\n"
            for after, verdict in (("<=", "equivalent"), (">=", "open"))))
        done = self.mutate("report", "--require", "50")
        self.assertEqual(done.returncode, 0)
        self.assertIn("| all | 3 | 1 | 0 | 2 | 1 | 50.0 % | 1 | 1 |", done.stdout)
        self.assertIn("| equivalent: no test asks |", done.stdout)
        self.assertIn("| open: no test asks |", done.stdout)

    def test_scenarios_notice_what_breaks_them(self):
        done = self.mutate("scenarios", "--jobs", "2", "--require", "100")
        self.assertEqual(done.returncode, 0, done.stderr)
        records = self.records("scenarios-1.jsonl")
        self.assertEqual({key: record["verdict"] for key, record in records.items()},
                         {(1, "/"): "caught", (1, "3"): "caught", (1, "1"): "caught"})
        self.assertEqual(records[1, "3"]["by"], "scenario reload.doubles")
        self.assertIn("going on without scenario reload.fails", done.stderr)
        if os.geteuid() == 0:
            self.check_copies(done.stderr)

    def test_two_machines_share_a_campaign(self):
        parts = [self.root.parent / name / "scenarios-1.jsonl" for name in ("one", "two")]
        for number, part in enumerate(parts, 1):
            done = self.mutate("scenarios", "--number", "3", "--shard", f"{number}/2", "--out", part.parent)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(part.read_text().splitlines()), 3 - number)
        done = self.mutate("merge", *parts)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("100.0 % of 3 mutations noticed", done.stdout)
        self.assertEqual(set(self.records("scenarios-1.jsonl")), {(1, "/"), (1, "3"), (1, "1")})
        lost = self.mutate("merge", parts[0], "--out", self.root.parent / "lost")
        self.assertEqual((lost.returncode, lost.stderr), (4, "ci/mutate: part 2 of 2 is missing\n"))

    def check_copies(self, log):
        """One tree was built, and is as it was; each job worked in a copy of it."""
        self.assertEqual(log.count("ci/mutate: building"), 1, log)
        trees = self.root / "build/mutate/scenarios"
        self.assertEqual(sorted(each.name for each in trees.iterdir()), ["job-0", "job-1", "job-2"])
        objects = [next((trees / f"job-{job}/tree/build/release").rglob("double.cpp.o")) for job in range(3)]
        original = objects[0].stat()
        self.assertTrue(any(each.stat().st_mtime_ns > original.st_mtime_ns for each in objects[1:]))
        self.assertLess(original.st_mtime_ns, (self.root / "out/mutate/scenarios-1.jsonl").stat().st_mtime_ns)

    def test_a_list_is_enough_where_there_is_neither_a_repository_nor_libclang(self):
        listed = self.root.parent / "listed.txt"
        listed.write_text(self.mutate("tests", "--seed", "5", "--list").stdout)
        bare = self.root.parent / "bare"
        shutil.copytree(self.root, bare, ignore=shutil.ignore_patterns(".git", "build", "out"))
        results = self.root.parent / "results"
        (bare / "ci/mutation/clang").mkdir()  # shadows libclang
        done = self.mutate("tests", "--from", listed, "--out", results, root=bare)
        self.assertEqual(done.returncode, 0, done.stderr)
        records = [json.loads(line) for line in (results / "tests-5.jsonl").read_text().splitlines()]
        self.assertEqual([(each["line"], each["column"], each["after"]) for each in records if each["line"] != 0],
                         [tuple(each) for each in self.changes_in(listed)])
        self.assertEqual({(each["line"], each["after"]): each["verdict"] for each in records}, {
            (9, "-"): "caught", (10, "<="): "survived", (10, ">="): "survived",
            (11, "||"): "same code", (12, "-"): "does not compile"})
        self.assertEqual({each["revision"] for each in records}, {listed.read_text().split("\n")[0].split()[-1]})
        listed.write_text(listed.read_text().replace("`&&`", "`||`"))
        self.assertIn("there is no `||`; the list was made of another revision",
                      self.mutate("tests", "--from", listed, "--out", results, "--resume", root=bare).stderr)

    @staticmethod
    def changes_in(listed):
        found = re.findall(r":(\d+):(\d+) `.*` -> `(.*)`", listed.read_text())
        return [(int(line), int(column), after) for line, column, after in found]

    def test_the_list_makes_nothing(self):
        listed = self.mutate("tests", "--seed", "7", "--list", "--files", "*/sum.cpp").stdout
        self.assertEqual(len(listed.splitlines()), 6)  # the first one says what it is
        self.assertEqual(listed, self.mutate("tests", "--seed", "7", "--list").stdout)
        self.assertFalse((self.root / "out/mutate/tests-7.jsonl").exists())

    def test_bad_input_is_refused(self):
        for arguments in (["tests", "--number", "0"], ["nothing"], [], ["tests", "--files", "no/such"]):
            self.assertEqual(self.mutate(*arguments).returncode, 3, arguments)


if __name__ == "__main__":
    unittest.main(verbosity=2)
