// Compilers that a program starts in one way or another: each is seen, once.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watched.hpp"

namespace tunecheck::watch {
namespace {

namespace fs = std::filesystem;

struct Way {
  std::string name;
  std::string script;  // for a shell; $C compiles k.cpp, and what is behind it is its arguments
};
void PrintTo(const Way& way, std::ostream* out) {
  *out << way.name;
}

class Compiles : public testing::Test {
 protected:
  Compiles() : m_folder(fs::temp_directory_path() / ("compilers-" + std::to_string(::getpid()))) {
    fs::create_directories(m_folder);
    std::ofstream(m_folder / "k.cpp") << "int k() { return 1; }\n";
  }
  ~Compiles() override { fs::remove_all(m_folder); }
  [[nodiscard]] WatchResult watch(const std::string& script) const {
    Watched watched("compilers");
    const std::string compile = WATCHED_COMPILER " -c k.cpp -o k.o";
    watched.options.command = {"/bin/sh", "-c",
                               "set -e; cd " + m_folder.string() + "; C='" + compile +
                                   "'; L=" + WATCHED_LAUNCHER + "; " + script};
    watched.options.warm_runs = 1;
    return watched.run();
  }
  const fs::path m_folder;
};
class Compilers : public Compiles, public testing::WithParamInterface<Way> {};

const std::string python =
    "python3 -c '"
    "import os, subprocess, sys\n"
    "def compiles(command): return subprocess.run(command).returncode\n"
    "from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor\n"
    "import multiprocessing as m\n"
    "c = sys.argv[1:]\n";

TEST_P(Compilers, is_seen_in_each_run) {
  if (GetParam().name == "by_ccache" && std::system("command -v ccache > /dev/null") != 0)
    GTEST_SKIP() << "ccache is not installed";
  const WatchResult result = watch(GetParam().script);
  ASSERT_EQ(result.runs.size(), 2U);
  for (const WatchResult::Run& run : result.runs) {
    EXPECT_EQ(run.end, "exit status 0");
    EXPECT_EQ(run.compiles, 1) << run.name;
  }
  EXPECT_EQ(words_of(result), std::set<std::string>{"COMPILED"});
}

std::string name_of_way(const testing::TestParamInfo<Way>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(
    Started, Compilers,
    testing::Values(
        Way{"by_a_shell", "$C"}, Way{"by_name", "set -- $C; shift; c++ \"$@\""},
        Way{"through_env", "env A=1 $C"}, Way{"without_an_environment", "env -i PATH=\"$PATH\" $C"},
        Way{"in_another_session", "setsid -w $C"}, Way{"by_exec", "exec $C"},
        Way{"by_another_name", "set -- $C; ln -sf \"$1\" mine; shift; ./mine \"$@\""},
        Way{"by_a_static_program", "$L $C"}, Way{"in_the_background", "$C & wait $!"},
        Way{"by_an_orphan",
            "(setsid sh -c \"$C; echo > done\" &); "
            "until test -e done; do sleep 0.05; done; rm done"},
        Way{"by_vfork", python + "sys.exit(compiles(c))' $C"},
        Way{"by_fork", python + "sys.exit(subprocess.run(c, preexec_fn=os.getpid).returncode)' $C"},
        Way{"by_posix_spawn",
            python + "p = os.posix_spawn(c[0], c, os.environ)\nsys.exit(os.waitpid(p, 0)[1])' $C"},
        Way{"by_a_pool_of_threads",
            python +
                "with ThreadPoolExecutor() as p: sys.exit(p.submit(compiles, c).result())' $C"},
        Way{"by_a_pool_of_processes",
            python + "with ProcessPoolExecutor(2, mp_context=m.get_context(\"fork\")) as p: "
                     "sys.exit(p.submit(compiles, c).result())' $C"},
        Way{"by_ccache", "CCACHE_DISABLE=1 ccache $C"}),
    name_of_way);

// What a compile cache answers was not compiled.
TEST_F(Compiles, a_hit_of_ccache_is_no_compile) {
  if (std::system("command -v ccache > /dev/null") != 0) GTEST_SKIP() << "ccache is not installed";
  const WatchResult result = watch("ccache $C");
  EXPECT_EQ(result.runs.at(0).compiles, 1);
  EXPECT_EQ(result.runs.at(1).compiles, 0);
  EXPECT_EQ(words_of(result), std::set<std::string>{});
}

// A version, a path, a list of macros: no compile.
TEST_F(Compiles, questions_are_no_compiles) {
  const WatchResult result = watch(
      "set -- $C; $1 --version; $1 -print-prog-name=ld; $1 -dumpmachine; $1 -v; "
      "$1 -dM -E -x c++ /dev/null; echo | $1 -E -v -x c++ -; $1 -print-search-dirs; $1 \"-###\" -c "
      "k.cpp");
  EXPECT_EQ(result.runs.at(0).compiles, 0);
  EXPECT_EQ(words_of(result), std::set<std::string>{});
}

}  // namespace
}  // namespace tunecheck::watch
