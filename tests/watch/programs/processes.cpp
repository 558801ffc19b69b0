// Programs that are right, in some way in which processes, files and times come and go.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <string>
#include <thread>
#include <unistd.h>

#include <sys/wait.h>

#include "programs.hpp"

namespace {

namespace fs = std::filesystem;
using namespace watched;

std::string home() {
  return std::getenv("HOME");
}

// Ends with the status of `name`, which is started anew.
void run_worker(const char* name) {
  const char* const arguments[] = {program_invocation_name, name, nullptr};
  pid_t worker = 0;
  int status = 0;
  if (::posix_spawn(&worker, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(arguments),
                    environ) != 0 ||
      ::waitpid(worker, &status, 0) != worker || status != 0)
    std::exit(1);
}

void worker() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  train(sgd);
}

// One worker after the other, each a process: the first of a start tunes.
void spawns_workers() {
  for (int i = 0; i < 3; ++i)
    run_worker("worker");
}

// Several at once wait for the one that tunes.
void workers_wait_for_one_that_tunes() {
  worker();
  std::fflush(stdout);
  std::vector<pid_t> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(::fork());
    if (all.back() == 0) {
      worker();
      std::fflush(stdout);
      ::_exit(0);
    }
  }
  for (const pid_t each : all)
    ::waitpid(each, nullptr, 0);
}

// Other data in each process, and a log of when it was made.
void seeds_by_time() {
  std::srand(static_cast<unsigned>(std::chrono::steady_clock::now().time_since_epoch().count()));
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  Matrix p(size), g(size);
  for (std::size_t i = 0; i < p.data.size(); ++i) {
    p.data[i] = static_cast<float>(std::rand() % 1000);
    g.data[i] = static_cast<float>(std::rand() % 1000);
  }
  std::ofstream log(home() + "/.cache/log.txt", std::ios::app);
  for (int step = 0; step < 3; ++step) {
    sgd({&p, &g}, {0.125});
    log << std::time(nullptr) << ": step " << step << ", " << sum(p) << '\n';
  }
}

// What is older than some number of entries goes, and its own entry stays.
void limits_its_cache() {
  const fs::path old = home() + "/.cache/small_tuner/old";
  fs::create_directories(old);
  std::ofstream(old / "entry") << "old";
  worker();
  fs::remove_all(old);
}

// Each start begins with nothing, and so tunes again: no mistake of a cache, and found.
void deletes_its_cache() {
  fs::remove_all(home() + "/.cache/small_tuner");
  SmallTuner sgd({.kernel = "sgd", .restored = {0}, .choose = first});
  train(sgd);
}

void uses_temporary_files() {
  std::string file =
      std::string(std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp") +
      "/scratch-XXXXXX";
  const int scratch = ::mkstemp(file.data());
  if (scratch < 0 || ::write(scratch, "x", 1) != 1) std::exit(1);
  worker();
  ::close(scratch);
  ::unlink(file.c_str());
}

void ends_by_a_signal() {
  worker();
  std::fflush(stdout);
  ::raise(SIGTERM);
}

// The one that was started ends at once, and what it left goes on in a session of its own.
void daemonizes() {
  if (::fork() != 0) ::_exit(0);
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  worker();
}

// The same, but the one that was started waits until the service has done its work.
void waits_for_its_service() {
  int ends[2] = {};
  if (::pipe(ends) != 0) std::exit(1);
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) {
      worker();
      std::fflush(stdout);
      if (::write(ends[1], "x", 1) != 1) ::_exit(1);
    }
    ::_exit(0);
  }
  char done = 0;
  if (::read(ends[0], &done, 1) != 1) std::exit(1);
}

// A pool of threads on memory of their own, one of which tunes.
void pool_of_threads() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  Matrix p = numbered(1), g = numbered(2);
  sgd({&p, &g}, {0.25});
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([i] {
      SmallTuner own({.kernel = "sgd", .restored = {0}});
      Matrix q = numbered(static_cast<float>(i)), h = numbered(2);
      for (int step = 0; step < 20; ++step)
        own({&q, &h}, {0.25});
    });
  for (std::thread& thread : all)
    thread.join();
}

// Each config is timed on data that are made anew, in memory that is given back.
void fresh_data_for_each_trial() {
  SmallTuner sgd({.kernel = "sgd", .is_on_fresh_copies = true});
  for (int step = 0; step < 3; ++step) {
    Matrix p = numbered(static_cast<float>(step)), g = numbered(2);
    sgd({&p, &g}, {0.125});
  }
}

}  // namespace

watched::Programs watched::programs_of_processes() {
  return {
      {"worker", worker},
      {"spawns_workers", spawns_workers},
      {"workers_wait_for_one_that_tunes", workers_wait_for_one_that_tunes},
      {"seeds_by_time", seeds_by_time},
      {"limits_its_cache", limits_its_cache},
      {"deletes_its_cache", deletes_its_cache},
      {"uses_temporary_files", uses_temporary_files},
      {"ends_by_a_signal", ends_by_a_signal},
      {"daemonizes", daemonizes},
      {"waits_for_its_service", waits_for_its_service},
      {"pool_of_threads", pool_of_threads},
      {"fresh_data_for_each_trial", fresh_data_for_each_trial},
  };
}
