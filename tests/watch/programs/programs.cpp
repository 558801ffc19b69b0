// Programs that are watched: each with one mistake in the tuner that it uses, or with none. The
// first argument is the name.
#include "programs.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <unistd.h>

#include <sys/wait.h>

namespace {

using namespace watched;

// Nothing is put back: each trial works on what the one before has left.
void forgotten_restore() {
  SmallTuner sgd({.kernel = "sgd"});
  train(sgd);
}

// The gradient is put back, which nobody changes, and not the parameters.
void misspelt_restore() {
  SmallTuner sgd({.kernel = "sgd", .restored = {1}});
  train(sgd);
}

// The accumulator is set to 0 where the kernel is tuned, and not where its winner is known.
void reset_on_miss_only() {
  SmallTuner add({.kernel = "add", .zeroed = {0}});
  Matrix total(size, 5);
  Matrix x = numbered(1);
  add({&total, &x});
  std::printf("%.1f\n", sum(total));
}

// Its folder has another name in each process.
void moving_cache() {
  SmallTuner sgd(
      {.kernel = "sgd", .restored = {0}, .folder = std::to_string(::getpid()), .choose = first});
  train(sgd);
}

// It keeps nothing for the next process.
void forgetful_tuner() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}, .is_remembered = false, .choose = first});
  train(sgd);
}

// A number that changes nothing is in the key, and another one at each step.
void key_with_step() {
  SmallTuner scale({.kernel = "scale", .configs = 2, .numbers_are_in_key = true, .choose = first});
  Matrix x = numbered(1);
  Matrix y(size);
  for (int step = 0; step < 5; ++step)
    scale({&y, &x}, {0.5, static_cast<double>(step)});
  std::printf("%.1f\n", sum(y));
}

// The neighbours of a winner that it remembers are tried again in each process.
void coordinate_descent() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}, .tries_neighbours = true, .choose = first});
  train(sgd);
}

void rank(int number) {
  ::setenv("RANK", std::to_string(number).c_str(), 1);
  SmallTuner total(
      {.kernel = "total", .folder = std::to_string(number), .choose = [=](int) { return number; }});
  Matrix x = numbered(0.1F);
  Matrix y(1);
  total({&y, &x});
  total({&y, &x});
}

// Two processes choose for themselves.
void ranks_disagree() {
  for (int number = 0; number < 2; ++number) {
    const std::string command =
        "RANK=" + std::to_string(number) + " " + program_invocation_name + " rank";
    if (std::system(command.c_str()) != 0) std::exit(1);
  }
}

// Tuned in each process, with another winner each time, and the order of a sum depends on it.
void winner_changes_bits() {
  const std::string counter = std::string(std::getenv("HOME")) + "/.starts";
  int starts = 0;
  if (FILE* const file = std::fopen(counter.c_str(), "r")) {
    if (std::fscanf(file, "%d", &starts) != 1) starts = 0;
    std::fclose(file);
  }
  if (FILE* const file = std::fopen(counter.c_str(), "w")) {
    std::fprintf(file, "%d", starts + 1);
    std::fclose(file);
  }
  SmallTuner total({.kernel = "total", .is_remembered = false, .choose = [&](int) {
                      return starts == 0 ? 0 : 2;
                    }});
  Matrix x = numbered(0.1F);
  Matrix y(1);
  total({&y, &x});
  total({&y, &x});
  std::printf("%.4f\n", sum(y));
}

// All is put back behind the last trial, so that the result is right and the trials were not.
void spoilt_trials() {
  SmallTuner sgd({.kernel = "sgd", .restores_at_end = true});
  train(sgd);
}

// From here on nothing is wrong.

void restores() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  train(sgd);
}

void one_call() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  train(sgd, 1);
}

void on_copies() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}, .is_on_copies = true});
  train(sgd);
}

void on_fresh_copies() {
  SmallTuner sgd({.kernel = "sgd", .is_on_fresh_copies = true});
  train(sgd);
}

void pure_output() {
  SmallTuner scale({.kernel = "scale"});
  Matrix x = numbered(1);
  Matrix y(size);
  for (int step = 0; step < 4; ++step)
    scale({&y, &x}, {0.5, static_cast<double>(step)});
  std::printf("%.1f\n", sum(y));
}

// The caller sets the accumulator to 0, the tuner puts it back.
void accumulates() {
  SmallTuner add({.kernel = "add", .restored = {0}});
  Matrix total(size);
  Matrix x = numbered(1);
  for (int step = 0; step < 3; ++step) {
    std::fill(total.data.begin(), total.data.end(), 0.0F);
    add({&total, &x});
    add({&total, &x});
  }
  std::printf("%.1f\n", sum(total));
}

// Two codes of one kernel on the same memory, because the work has two halves.
void two_phases() {
  SmallTuner odd({.kernel = "phase", .configs = 1});
  SmallTuner even(
      {.kernel = "phase", .configs = 2, .restored = {0}, .choose = [](int) { return 1; }});
  Matrix p = numbered(1);
  for (int step = 0; step < 6; ++step) {
    odd({&p});
    even({&p});
  }
  std::printf("%.1f\n", sum(p));
}

// Trials on the program's own memory with numbers of no importance, and then the real ones.
void scratch_first() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  Matrix p(size, 1);
  Matrix g(size, 1);
  sgd({&p, &g}, {0.125});
  p = numbered(1);
  g = numbered(2);
  for (int step = 0; step < 3; ++step)
    sgd({&p, &g}, {0.125});
  std::printf("%.1f\n", sum(p));
}

void threads() {
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i)
    all.emplace_back([i] {
      SmallTuner sgd({.kernel = "sgd", .restored = {0}, .folder = std::to_string(i)});
      Matrix p = numbered(static_cast<float>(i));
      Matrix g = numbered(2);
      for (int step = 0; step < 5; ++step)
        sgd({&p, &g}, {0.25});
    });
  for (std::thread& thread : all)
    thread.join();
}

// Other numbers at each launch: nobody can say what is right.
void unseeded() {
  std::srand(static_cast<unsigned>(::getpid()));
  SmallTuner noisy({.kernel = "noisy", .restored = {0}});
  Matrix p = numbered(1);
  noisy({&p});
  noisy({&p});
}

void forks() {
  for (int i = 0; i < 2; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      SmallTuner sgd({.kernel = "sgd", .restored = {0}, .folder = std::to_string(i)});
      train(sgd);
      std::fflush(stdout);
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
  }
}

// Another number of steps in each process, as of a server that answers what it is asked.
void other_work_warm() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  train(sgd, 1 + static_cast<int>(::getpid() % 4));
}

// Each step logs its time, and the first one has a code of its own.
void logs_its_time() {
  SmallTuner begin({.kernel = "sgd", .configs = 1, .repetitions = 0});
  SmallTuner go_on(
      {.kernel = "sgd", .configs = 2, .repetitions = 0, .folder = "go_on", .choose = [](int) {
         return 1;
       }});
  Matrix p = numbered(1);
  Matrix g = numbered(2);
  for (int step = 0; step < 8; ++step) {
    const auto begun = std::chrono::steady_clock::now();
    (step == 0 ? begin : go_on)({&p, &g}, {0.125});
    std::fprintf(stderr, "%d\n",
                 static_cast<int>((std::chrono::steady_clock::now() - begun).count() > 0));
  }
}

// A default that many steps have used, and then a tuning that puts all back.
void tunes_late() {
  SmallTuner usual({.kernel = "sgd", .configs = 1, .repetitions = 0});
  SmallTuner sgd({.kernel = "sgd", .restored = {0}, .folder = "late"});
  Matrix p = numbered(1);
  Matrix g = numbered(2);
  for (int step = 0; step < 40; ++step)
    usual({&p, &g}, {0.125});
  for (int step = 0; step < 10; ++step)
    sgd({&p, &g}, {0.125});
  std::printf("%.1f\n", sum(p));
}

// Two layers of equal shape, each with a winner of its own.
void layers() {
  SmallTuner one({.kernel = "sgd", .restored = {0}, .folder = "1", .choose = first});
  SmallTuner other(
      {.kernel = "sgd", .restored = {0}, .folder = "2", .choose = [](int) { return 2; }});
  Matrix p = numbered(1), q = numbered(7), g = numbered(2);
  for (int step = 0; step < 3; ++step) {
    one({&p, &g}, {0.125});
    other({&q, &g}, {0.125});
  }
  std::printf("%.1f\n", sum(p) + sum(q));
}

// A sum by parts, as many as the config says: what others left in the workspace is of no
// importance.
void workspace() {
  SmallTuner parts({.kernel = "parts", .choose = [](int) { return 1; }});
  Matrix x = numbered(1), y(1), work(64);
  parts({&y, &x, &work});
  parts({&y, &x, &work});
  std::printf("%.1f\n", sum(y));
}

// What it goes on from lies in its working folder.
void checkpoints() {
  const char* const file = std::getenv("CHECKPOINT");
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  Matrix p = numbered(1), g = numbered(2);
  if (FILE* const saved = std::fopen(file, "rb")) {
    if (std::fread(p.data.data(), sizeof(float), p.data.size(), saved) == 0) std::exit(1);
    std::fclose(saved);
  } else {
    FILE* const made = std::fopen(file, "wb");
    std::fwrite(g.data.data(), sizeof(float), g.data.size(), made);
    std::fclose(made);
  }
  sgd({&p, &g}, {0.125});
}

// Tuned by a worker that is ended when its work is done, as those of a pool are.
void worker_is_ended() {
  const pid_t child = ::fork();
  if (child == 0) {
    SmallTuner sgd({.kernel = "sgd", .choose = first});
    train(sgd);
    std::fflush(stdout);
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
}

void becomes_another_program() {
  SmallTuner sgd({.kernel = "sgd", .choose = first});
  train(sgd);
  std::fflush(stdout);
  ::execl("/bin/true", "true", nullptr);
}

void signals_its_group() {
  ::signal(SIGTERM, SIG_IGN);
  if (::kill(::getppid(), 0) != 0 || ::kill(0, SIGTERM) != 0) std::exit(1);
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  train(sgd);
}

void reads_input() {
  int number = 0;
  if (std::scanf("%d", &number) != 1) number = 1;
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  Matrix p = numbered(static_cast<float>(number)), g = numbered(2);
  sgd({&p, &g}, {0.125});
  std::printf("%.1f\n", sum(p));
}

void fails() {
  restores();
  std::exit(3);
}

void crashes() {
  restores();
  std::fflush(stdout);
  std::abort();
}

const Programs programs = {
    {"forgotten_restore", forgotten_restore},
    {"misspelt_restore", misspelt_restore},
    {"reset_on_miss_only", reset_on_miss_only},
    {"moving_cache", moving_cache},
    {"forgetful_tuner", forgetful_tuner},
    {"key_with_step", key_with_step},
    {"coordinate_descent", coordinate_descent},
    {"ranks_disagree", ranks_disagree},
    {"rank", [] { rank(std::atoi(std::getenv("RANK"))); }},
    {"winner_changes_bits", winner_changes_bits},
    {"spoilt_trials", spoilt_trials},
    {"restores", restores},
    {"one_call", one_call},
    {"on_copies", on_copies},
    {"on_fresh_copies", on_fresh_copies},
    {"pure_output", pure_output},
    {"accumulates", accumulates},
    {"two_phases", two_phases},
    {"scratch_first", scratch_first},
    {"threads", threads},
    {"unseeded", unseeded},
    {"forks", forks},
    {"other_work_warm", other_work_warm},
    {"logs_its_time", logs_its_time},
    {"tunes_late", tunes_late},
    {"layers", layers},
    {"workspace", workspace},
    {"checkpoints", checkpoints},
    {"worker_is_ended", worker_is_ended},
    {"becomes_another_program", becomes_another_program},
    {"signals_its_group", signals_its_group},
    {"reads_input", reads_input},
    {"fails", fails},
    {"crashes", crashes},
};

}  // namespace

void watched::train(SmallTuner& sgd, int steps) {
  Matrix p = numbered(1);
  Matrix g = numbered(2);
  for (int step = 0; step < steps; ++step)
    sgd({&p, &g}, {0.125});
  std::printf("%.1f\n", sum(p));
}

int main(int count, char** arguments) {
  Programs all = programs;
  all.merge(programs_with_a_life());
  all.merge(programs_of_processes());
  all.merge(programs_on_purpose());
  const auto program = all.find(count > 1 ? arguments[1] : "");
  if (program == all.end()) {
    std::fprintf(stderr, "expected the name of a program\n");
    return 2;
  }
  program->second();
}
