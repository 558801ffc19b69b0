// Programs that look like a tuner at work, or like one that has gone wrong, and are right.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <sys/wait.h>

#include "programs.hpp"

namespace {

namespace fs = std::filesystem;
using namespace watched;

// One code of a kernel, launched as it is.
SmallTuner one_code(const char* kernel, int config) {
  return SmallTuner({.kernel = kernel,
                     .configs = config + 1,
                     .repetitions = 0,
                     .folder = "code-" + std::to_string(config),
                     .choose = [=](int) { return config; }});
}

void look_at_the_clock() {
  std::fprintf(stderr, "%d\n",
               static_cast<int>(std::chrono::steady_clock::now().time_since_epoch().count() & 1));
}

// The old code, the new ones, and the old one again to see whether the machine has drifted.
void benchmark_with_a_control() {
  SmallTuner old = one_code("sgd", 0), one = one_code("sgd", 1), other = one_code("sgd", 2);
  Matrix p = numbered(1), g = numbered(2);
  for (SmallTuner* const code : {&old, &one, &other, &old}) {
    look_at_the_clock();
    for (int i = 0; i < 5; ++i)
      (*code)({&p, &g}, {0.125});
    look_at_the_clock();
  }
  std::printf("%.1f\n", sum(p));
}

// Two kernels of one name, as every file has its own "kernel": each layer is logged with its time.
void layers_of_one_name() {
  SmallTuner norm = one_code("phase", 0), act = one_code("phase", 1);
  Matrix x = numbered(1);
  for (SmallTuner* const layer : {&norm, &norm, &act, &norm}) {
    (*layer)({&x});
    look_at_the_clock();
  }
  std::printf("%.1f\n", sum(x));
}

// The same, each layer with an output of its own.
void layers_with_outputs() {
  SmallTuner norm = one_code("scale", 0), act = one_code("scale", 1);
  std::vector<Matrix> x(6, numbered(1));
  std::vector<SmallTuner*> layers = {&norm, &norm, &act, &act, &norm};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    (*layers[i])({&x[i + 1], &x[i]}, {0.5, 0.0});
    look_at_the_clock();
  }
  std::printf("%.1f\n", sum(x.back()));
}

// The first start prepares its data by a kernel of the same name, and keeps them for later ones.
void prepares_once() {
  SmallTuner prepare = one_code("phase", 0), step = one_code("phase", 1);
  Matrix x = numbered(1);
  const std::string file = std::string(std::getenv("HOME")) + "/.cache/prepared";
  look_at_the_clock();
  if (std::ifstream kept(file, std::ios::binary); kept) {
    kept.read(reinterpret_cast<char*>(x.data.data()),
              static_cast<std::streamsize>(x.data.size() * sizeof(float)));
  } else {
    for (int i = 0; i < 2; ++i) {
      prepare({&x});
      look_at_the_clock();
    }
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(x.data.data()),
               static_cast<std::streamsize>(x.data.size() * sizeof(float)));
  }
  look_at_the_clock();
  for (int i = 0; i < 4; ++i)
    step({&x});
  std::printf("%.1f\n", sum(x));
}

// Trained once, and kept in a cache of its own; later starts go on from what was trained.
void keeps_a_model() {
  SmallTuner sgd({.kernel = "sgd", .restored = {0}, .choose = first});
  Matrix p(size), g = numbered(2);
  const std::string file = std::string(std::getenv("HOME")) + "/.cache/model/weights";
  const bool is_there = fs::exists(file);
  if (is_there) {
    std::ifstream(file, std::ios::binary)
        .read(reinterpret_cast<char*>(p.data.data()),
              static_cast<std::streamsize>(p.data.size() * sizeof(float)));
  }
  for (int step = 0; step < 4; ++step)
    sgd({&p, &g}, {0.125});
  fs::create_directories(fs::path(file).parent_path());
  if (!is_there)
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(p.data.data()),
               static_cast<std::streamsize>(p.data.size() * sizeof(float)));
}

// Two stages of a pipeline, whose kernels have one name; the ranks have work of different length.
void rank_of_pipeline(int rank) {
  ::setenv("RANK", std::to_string(rank).c_str(), 1);
  SmallTuner one = one_code("phase", 0), other = one_code("phase", 1);
  Matrix x = numbered(1);
  for (int i = 0; i < 5 + rank; ++i)
    (i % 2 == 0 ? one : other)({&x});
}
void rank_of_stage(int rank) {
  ::setenv("RANK", std::to_string(rank).c_str(), 1);
  SmallTuner stage = one_code("phase", rank);
  Matrix x = numbered(1);
  for (int i = 0; i < 5; ++i)
    stage({&x});
}
void in_ranks(void (*work)(int)) {
  for (int rank = 0; rank < 2; ++rank) {
    const pid_t child = ::fork();
    if (child == 0) {
      work(rank);
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
  }
}

// What comes first is decided anew in each start.
void order_by_chance() {
  SmallTuner one = one_code("scale", 0), other = one_code("scale", 1);
  const std::string file = std::string(std::getenv("HOME")) + "/.cache/starts";
  int starts = 0;
  std::ifstream(file) >> starts;
  std::ofstream(file) << starts + 1;
  Matrix x = numbered(1);
  for (int i = 0; i < 4; ++i) {
    Matrix y(size);
    ((i + starts) % 2 == 0 ? one : other)({&y, &x}, {0.5, 0.0});
  }
}

// Lengths are part of the key, as they should be, and each start is asked for another one.
void new_length_each_start() {
  SmallTuner scale({.kernel = "scale", .configs = 3, .numbers_are_in_key = true, .choose = first});
  const std::string file = std::string(std::getenv("HOME")) + "/.cache/starts";
  int starts = 0;
  std::ifstream(file) >> starts;
  std::ofstream(file) << starts + 1;
  Matrix x = numbered(1), y(size);
  scale({&y, &x}, {0.5, 100.0 + starts});
  scale({&y, &x}, {0.5, 100.0 + starts});
}

// Buckets of lengths, each tuned once and used often; one config is the best for all.
void few_lengths() {
  SmallTuner scale({.kernel = "scale", .configs = 3, .numbers_are_in_key = true, .choose = first});
  Matrix x = numbered(1), y(size);
  for (int request = 0; request < 12; ++request)
    scale({&y, &x}, {0.5, static_cast<double>(16 << (request % 4))});
}

}  // namespace

watched::Programs watched::programs_on_purpose() {
  return {
      {"new_length_each_start", new_length_each_start},
      {"few_lengths", few_lengths},
      {"benchmark_with_a_control", benchmark_with_a_control},
      {"layers_of_one_name", layers_of_one_name},
      {"layers_with_outputs", layers_with_outputs},
      {"prepares_once", prepares_once},
      {"keeps_a_model", keeps_a_model},
      {"ranks_of_a_pipeline", [] { in_ranks(rank_of_pipeline); }},
      {"ranks_with_stages", [] { in_ranks(rank_of_stage); }},
      {"order_by_chance", order_by_chance},
  };
}
