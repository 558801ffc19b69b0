// Mutants that leave something of the process changed after a call.
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "mutants/mutant.hpp"

namespace tunecheck::test {
namespace {

void answer_with(const std::string& mutant) {
  ReferenceAdapterSetup setup;
  find_mutant(mutant)->plant(setup);
  protocol::CallAnswer answer;
  setup.before_answer({}, answer);
}

TEST(SurroundingsMutants, leaves_umask_as_nobody_has_it) {
  const mode_t before = ::umask(022);
  answer_with("leaves_umask");
  EXPECT_EQ(::umask(before), 0067U);
}

TEST(SurroundingsMutants, changes_folder_to_the_temporary_one) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path("/");
  answer_with("changes_folder");
  EXPECT_TRUE(std::filesystem::equivalent(std::filesystem::current_path(),
                                          std::filesystem::temp_directory_path()));
  std::filesystem::current_path(before);
}

// The lowest number that no descriptor has.
int next_descriptor() {
  const int next = ::dup(STDOUT_FILENO);
  ::close(next);
  return next;
}

TEST(SurroundingsMutants, leaves_a_pipe_at_each_call) {
  const int before = next_descriptor();
  answer_with("leaves_a_pipe");
  answer_with("leaves_a_pipe");
  EXPECT_GE(next_descriptor(), before + 4);
}

TEST(SurroundingsMutants, leaves_a_variable_for_whoever_comes_next) {
  ::unsetenv("OMP_NUM_THREADS");
  answer_with("leaves_a_variable");
  const char* const value = std::getenv("OMP_NUM_THREADS");
  EXPECT_EQ(value != nullptr ? std::string(value) : "", "1");
  ::unsetenv("OMP_NUM_THREADS");
}

}  // namespace
}  // namespace tunecheck::test
