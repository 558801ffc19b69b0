// What is seen of the blocks of PyTorch's allocator.
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/command.hpp"
#include "observe/tools.hpp"

namespace tunecheck::watch {
namespace {

using testing::ElementsAreArray;
using Lines = std::vector<std::string>;

// Runs the program with the library that is loaded into each process of a watched program.
Lines lines_of(std::vector<std::string> arguments, bool is_preloaded) {
  CommandOptions options;
  options.arguments = {WATCHED_TORCH_PROGRAM, WATCHED_TORCH_ALLOCATOR};
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  options.environment = current_environment();
  if (is_preloaded) (*options.environment)["LD_PRELOAD"] = find_watch_library().value().string();
  const auto result = run_command(options);
  EXPECT_TRUE(result && result->end.success()) << (result ? result->end.text() : "not started");
  Lines lines;
  std::istringstream output(result ? result->output : "");
  for (std::string line; std::getline(output, line);)
    lines.push_back(line);
  return lines;
}

const Lines as_without_a_watch = {
    "divisions: 4",
    "profiler: 1000 2000384 7 9 1:1",
    "profiler: 2000 512 7 9 1:0",
    "profiler: 2000 -512 7 9 1:0",
    "profiler: 5000 1024 7 9 1:0",
    "profiler: 5400 1024 7 9 1:0",
    "profiler: 6000 512 7 9 1:0",
    "profiler: 6000 -512 7 9 1:0",
    "profiler: 6000 512 7 9 1:0",
    "profiler: 7000 4096 7 9 0:-1",
    "divisions: 0",
    "profiler: 8000 3072 7 9 1:0",
    "profiler: 9000 2048 7 9 1:0",
    "in the child",
    "profiler: 5000 -1024 7 9 1:0",
    "at the end",
    "profiler: 6000 -512 7 9 1:0",
};

TEST(TorchAllocator, each_block_of_a_gpu_is_seen_with_the_size_that_was_asked_for) {
  EXPECT_THAT(lines_of({}, true), ElementsAreArray({
                                      "divisions: 4",
                                      "observer: 1000 1500000 1 handed out",
                                      "profiler: 1000 2000384 7 9 1:1",
                                      "observer: 2000 512 0 handed out, at most",
                                      "profiler: 2000 512 7 9 1:0",
                                      "observer: 2000 0 0 freed",
                                      "profiler: 2000 -512 7 9 1:0",
                                      "observer: 5000 900 0 handed out",
                                      "profiler: 5000 1024 7 9 1:0",
                                      "observer: 5400 1024 0 handed out, at most",
                                      "profiler: 5400 1024 7 9 1:0",
                                      "observer: 6000 512 0 handed out, at most",
                                      "profiler: 6000 512 7 9 1:0",
                                      "observer: 6000 0 0 freed",
                                      "profiler: 6000 -512 7 9 1:0",
                                      "observer: 6000 512 0 handed out, at most",
                                      "profiler: 6000 512 7 9 1:0",
                                      "profiler: 7000 4096 7 9 0:-1",
                                      "divisions: 0",
                                      "observer: 8000 3000 0 handed out",
                                      "profiler: 8000 3072 7 9 1:0",
                                      "observer: 9000 2000 0 handed out",
                                      "profiler: 9000 2048 7 9 1:0",
                                      "in the child",
                                      "observer: 5000 0 0 freed",
                                      "profiler: 5000 -1024 7 9 1:0",
                                      "at the end",
                                      "observer: 6000 0 0 freed",
                                      "profiler: 6000 -512 7 9 1:0",
                                  }));
}

TEST(TorchAllocator, the_program_goes_on_as_without_a_watch) {
  EXPECT_THAT(lines_of({}, false), ElementsAreArray(as_without_a_watch));
  EXPECT_THAT(lines_of({"unobserved"}, true), ElementsAreArray(as_without_a_watch));
}

}  // namespace
}  // namespace tunecheck::watch
