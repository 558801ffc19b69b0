// A call that leaves more behind than its result: bugs in what the process has besides its memory.
// Each result and each answer is right.
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>

#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

// A mask that nobody begins with, and that leaves everything to the owner.
void mask_files(const protocol::CallRequest&, const protocol::CallAnswer&) {
  ::umask(0067);
}

void stay_in_temporary_folder(const protocol::CallRequest&, const protocol::CallAnswer&) {
  std::error_code ignored;
  std::filesystem::current_path(std::filesystem::temp_directory_path(ignored), ignored);
}

void keep_one_thread(const protocol::CallRequest&, const protocol::CallAnswer&) {
  ::setenv("OMP_NUM_THREADS", "1", 1);
}

void forget_a_pipe(const protocol::CallRequest&, const protocol::CallAnswer&) {
  int ends[2];
  (void)!::pipe2(ends, O_CLOEXEC);
}

}  // namespace

std::vector<Mutant> surroundings_mutants() {
  return {
      {"leaves_umask",
       "narrows the process's umask for the files that it stores, and does not put it back",
       [](ReferenceAdapterSetup& setup) { setup.before_answer = mask_files; }},
      {"changes_folder", "changes to its temporary folder while it tunes, and stays there",
       [](ReferenceAdapterSetup& setup) { setup.before_answer = stay_in_temporary_folder; }},
      {"leaves_a_variable",
       "sets a variable for its measurements, which every later compiler and the caller's own "
       "programs get as well",
       [](ReferenceAdapterSetup& setup) { setup.before_answer = keep_one_thread; }},
      {"leaves_a_pipe", "leaves a pipe open at each call, until no descriptor is left",
       [](ReferenceAdapterSetup& setup) { setup.before_answer = forget_a_pipe; }},
  };
}

}  // namespace tunecheck::mutants
