#include "planted_build.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "blind_probe.hpp"
#include "core/resources.hpp"

namespace tunecheck::test {

namespace fs = std::filesystem;

std::string adapter_info(const std::string& program, const std::string& arguments) {
  return fmt::format(
      "adapter\n{{\n  name reference\n  command \"{}\"\n  arguments \"{}\"\n"
      "  cache_variable TUNECHECK_CACHE_DIR\n  compiler_variable TUNECHECK_CXX\n"
      "  backends cpu\n  capabilities \"cache artifact burst\"\n}}\n",
      program, arguments);
}

void make_build_with(const fs::path& folder, const std::string& program,
                     const std::string& arguments) {
  const fs::path shared = folder / "share" / "tunecheck";
  ASSERT_TRUE(create_folders(shared / "adapters" / "reference"));
  fs::create_directory_symlink(program_folder(), folder / "bin");
  fs::create_directory_symlink(find_resources().kernels, shared / "kernels");
  ASSERT_TRUE(write_file(shared / "adapters" / "reference" / "adapter.info",
                         adapter_info(program, arguments)));
}

void make_build(const fs::path& folder, const std::string& mutant) {
  if (mutant.empty())
    make_build_with(folder, "tunecheck-adapter-reference", "");
  else
    make_build_with(folder, "tunecheck-adapter-mutants", "--mutant " + mutant);
}

std::string slow_after_tuning(const fs::path& folder, const std::string& condition,
                              const std::string& late_s) {
  const fs::path script = folder / "adapter.sh";
  const std::string text =
      fmt::format(R"sh(#!/bin/sh
if [ -z "$(ls -A "$TUNECHECK_CACHE_DIR")" ]; then
  echo tuned >> {0}/tunings
  tunings=$(wc -l < {0}/tunings)
  [ ! {1} ] || touch "$TUNECHECK_CACHE_DIR/slow"
elif [ -e "$TUNECHECK_CACHE_DIR/slow" ]; then
  sleep {3}
fi
exec {2} "$@"
)sh",
                  folder.string(), condition,
                  (program_folder() / "tunecheck-adapter-reference").string(), late_s);
  EXPECT_TRUE(write_file(script, text));
  fs::permissions(script, fs::perms::owner_all);
  return script.string();
}

std::string unlucky_tuner(const fs::path& folder, const std::string& condition,
                          const std::string& mutant) {
  const fs::path script = folder / "unlucky.sh";
  const std::string text =
      fmt::format(R"sh(#!/bin/sh
if [ -z "$(ls -A "$TUNECHECK_CACHE_DIR")" ]; then
  echo tuned >> {0}/tunings
  tunings=$(wc -l < {0}/tunings)
  if [ {1} ]; then exec {2}/tunecheck-adapter-mutants --mutant {3} "$@"; fi
fi
exec {2}/tunecheck-adapter-reference "$@"
)sh",
                  folder.string(), condition, program_folder().string(), mutant);
  EXPECT_TRUE(write_file(script, text));
  fs::permissions(script, fs::perms::owner_all);
  return script.string();
}

std::string tuner_of_two_minds(const fs::path& folder, const std::string& condition) {
  const fs::path script = folder / "two_minds.sh";
  const std::string text = fmt::format(R"sh(#!/bin/sh
mutant=winner_without_times
if [ -e "$TUNECHECK_CACHE_DIR/mind" ]; then
  cat "$TUNECHECK_CACHE_DIR/mind" >> {0}/warm_starts
else
  echo tuned >> {0}/tunings
  tunings=$(wc -l < {0}/tunings)
  if [ {1} ]; then
    mutant=stores_the_default
    export TUNECHECK_SEARCH_OFF=yes
  fi
  echo $mutant > "$TUNECHECK_CACHE_DIR/mind"
fi
exec {2}/tunecheck-adapter-mutants --mutant $mutant "$@"
)sh",
                                       folder.string(), condition, program_folder().string());
  EXPECT_TRUE(write_file(script, text));
  fs::permissions(script, fs::perms::owner_all);
  return script.string();
}

std::string without_warm_starts(const fs::path& folder) {
  const fs::path script = folder / "no_warm_start.sh";
  const std::string text = fmt::format(R"sh(#!/bin/sh
[ -z "$(ls -A "$TUNECHECK_CACHE_DIR")" ] || exit 7
exec {} "$@"
)sh",
                                       (program_folder() / "tunecheck-adapter-reference").string());
  EXPECT_TRUE(write_file(script, text));
  fs::permissions(script, fs::perms::owner_all);
  return script.string();
}

std::string under_blind_probe(const fs::path& folder, const std::string& condition) {
  const fs::path script = folder / "blind.sh";
  const std::string text = fmt::format(R"sh(#!/bin/sh
cached=$(ls -A "$TUNECHECK_CACHE_DIR" | wc -l)
if [ {0} ]; then
  {1}
  unset LD_PRELOAD
fi
exec {2} "$@"
)sh",
                                       condition, blind_command(folder),
                                       (program_folder() / "tunecheck-adapter-reference").string());
  EXPECT_TRUE(write_file(script, text));
  fs::permissions(script, fs::perms::owner_all);
  return script.string();
}

}  // namespace tunecheck::test
