// Programs whose mistakes show when they are ready, or when what they are made from is edited.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <unistd.h>

#include "programs.hpp"

namespace {

using namespace watched;

void say_ready() {
  std::printf("is ready\n");
  std::fflush(stdout);
  if (const char* const file = std::getenv("READY_FILE")) std::ofstream(file) << "ready\n";
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

// What is launched by every request.
void answer(SmallTuner& sgd, SmallTuner& scale) {
  Matrix p = numbered(1), g = numbered(2), y(size);
  sgd({&p, &g}, {0.125});
  scale({&y, &p}, {0.5, 0.0});
}

// One kernel is warmed up, and the other one forgotten.
void tunes_when_ready() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}, .choose = first});
  SmallTuner scale({.kernel = "scale", .choose = first});
  train(sgd);
  say_ready();
  for (int request = 0; request < 3; ++request)
    answer(sgd, scale);
}

void warms_up() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}});
  SmallTuner scale({.kernel = "scale"});
  answer(sgd, scale);
  say_ready();
  for (int request = 0; request < 3; ++request)
    answer(sgd, scale);
}

// A child of it says that it is ready, at its end.
void becomes_ready_in_a_child() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}, .choose = first});
  train(sgd);
  if (std::system("echo is re\"\"ady") != 0) std::exit(1);
}

std::string sources() {
  const char* const folder = std::getenv("SOURCES");
  return folder != nullptr ? folder : WATCHED_KERNELS;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A folder by what the kernel is made from.
std::string key(bool with_header) {
  std::string all = text_of(sources() + "/times_factor.cpp");
  if (with_header) all += text_of(sources() + "/factor.h");
  return std::to_string(std::hash<std::string>{}(all));
}

void multiply(TunerOptions options, int winner = 0) {
  options.kernel = "times_factor";
  options.sources = sources();
  options.choose = [=](int) { return winner; };
  SmallTuner kernel(std::move(options));
  Matrix x = numbered(1), y(size);
  kernel({&y, &x});
  kernel({&y, &x});
  std::printf("%.1f\n", sum(y));
}

// The header that the kernel includes is not in its key.
void forgets_headers() {
  multiply({.folder = key(false)});
}
void knows_headers() {
  multiply({.folder = key(true)});
}
// It compiles what it launches in each process, and takes the winner of the old source.
void keeps_winner() {
  multiply({.folder = key(false), .compiles_always = true});
}
// Its folder was filled by a search of more configs than it tries by itself.
void longer_search() {
  const bool is_long = std::getenv("LONG") != nullptr;
  multiply({.configs = is_long ? 4 : 3, .folder = key(true)}, is_long ? 3 : 0);
}

// The accumulator is set to 0 before each launch, but for that of a winner from the cache.
void first_launch_is_cached() {
  SmallTuner add({.kernel = "add", .restored = {0}});
  Matrix total(size, 7), x = numbered(1);
  const bool is_cached = std::filesystem::exists(std::string(std::getenv("HOME")) +
                                                 "/.cache/small_tuner/add-4096-4096.winner");
  for (int call = 0; call < 3; ++call) {
    if (call > 0 || !is_cached) std::fill(total.data.begin(), total.data.end(), 0.0F);
    add({&total, &x});
    std::printf("%.1f\n", sum(total));
  }
}

}  // namespace

watched::Programs watched::programs_with_a_life() {
  return {
      {"tunes_when_ready", tunes_when_ready},
      {"warms_up", warms_up},
      {"becomes_ready_in_a_child", becomes_ready_in_a_child},
      {"forgets_headers", forgets_headers},
      {"knows_headers", knows_headers},
      {"keeps_winner", keeps_winner},
      {"longer_search", longer_search},
      {"first_launch_is_cached", first_launch_is_cached},
  };
}
