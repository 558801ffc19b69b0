// tunecheck-many-entries: what a cache folder costs that has very many entries. One folder grows to
// each of the given sizes. At each size `tunecheck-cache list` runs, with its peak memory and its
// time, and entries are looked up that are there and that are not. The entries are whole: the tuner
// uses them. To save room, entries share the files of their artifacts (hard links).
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "backend/cpu/cpu_backend.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t artifact_bytes = 16'000;
constexpr int looked_up = 500;
constexpr int rounds = 7;
constexpr int links_of_a_file = 60'000;  // ext4 allows 65,000

void must(const Result<void>& done) {
  if (!done) throw std::runtime_error(done.error().text());
}

Key key_of(int number) {
  return Key({{"arch", "x86-64-v2"},
              {"kernel", "nudge"},
              {"shape", fmt::format("x={0} y={0}", number)},
              {"toolchain", "a compiler", true}});
}

class GrowingFolder {
 public:
  explicit GrowingFolder(const fs::path& below)
      : m_root(below / "cache"), m_shared(below / "artifact"), m_store(m_root) {
    m_entry.winner = {{"block", 64}};
    m_entry.trials = {{{{"block", 64}}, "", 1200, 1100, 1300, 16},
                      {{{"block", 128}}, "signal 11 (Segmentation fault)"}};
    m_entry.tuner_version = "0.1.0";
    m_entry.created_ns = 1;
    m_entry.artifact_digest = artifact_digest(m_artifact);
    m_entry.artifact_bytes = m_artifact.size();
    fs::create_directories(m_root);
    fs::permissions(m_root, fs::perms::owner_all);
  }

  void grow_to(int entries) {
    for (; m_count < entries; ++m_count) {
      m_entry.key = key_of(m_count);
      const fs::path file = m_store.file_of(m_entry.key);
      fs::create_directories(file.parent_path());
      must(write_file(file, std::string_view(to_json_text(m_entry))));
      if (m_count % links_of_a_file == 0) {
        fs::remove(m_shared);
        must(write_file(m_shared, m_artifact));
      }
      fs::create_hard_link(m_shared, file.parent_path() / (m_entry.artifact_digest + ".so"));
    }
    ::sync();
  }

  // Microseconds of a lookup.
  double find_us(bool present, const KeyContext& context) {
    std::vector<Key> keys;
    for (int i = 0; i < looked_up; ++i)
      keys.push_back(
          key_of(present ? static_cast<int>(std::int64_t{m_count} * i / looked_up) : -1 - i));
    const auto start = std::chrono::steady_clock::now();
    for (const Key& key : keys)
      if ((m_store.find(key, context).state == Found::State::hit) != present)
        throw std::runtime_error("a lookup did not find what is there");
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
               .count() /
           looked_up;
  }

  [[nodiscard]] const fs::path& root() const { return m_root; }

 private:
  fs::path m_root, m_shared;
  FolderStore m_store;
  std::vector<std::byte> m_artifact = std::vector<std::byte>(artifact_bytes, std::byte{7});
  Entry m_entry;
  int m_count = 0;
};

struct Listing {
  double seconds = 0;
  double peak_mib = 0;
  std::int64_t lines = 0;
};

// `program list`, with the most memory that it had at any time.
Listing list(const std::string& program, const fs::path& cache) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error(last_system_error());
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::array<std::string, 4> words = {program, "list", "--cache", cache.string()};
  std::array<char*, 5> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i)
    arguments[i] = words[i].data();
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error != 0) throw std::runtime_error("cannot start " + program);
  Listing listing;
  std::array<char, 65536> text{};
  for (ssize_t got = 0; (got = ::read(ends[0], text.data(), text.size())) > 0;)
    listing.lines += std::count(text.begin(), text.begin() + got, '\n');
  ::close(ends[0]);
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  if (status != 0) throw std::runtime_error(program + " failed");
  listing.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  listing.peak_mib = static_cast<double>(used.ru_maxrss) / 1024;
  return listing;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int run(int count, char** values) {
  std::vector<int> sizes = {10'000, 100'000, 1'000'000};
  std::string below = "/tmp";
  double most_growth = 0;
  std::string program =
      (fs::read_symlink("/proc/self/exe").parent_path() / "tunecheck-cache").string();
  CLI::App app("Lists and looks up in a cache folder with very many entries");
  app.add_option("--entries", sizes, "Sizes of the folder, in increasing order")->delimiter(',');
  app.add_option("--below", below, "Where the folder is made, and removed")->capture_default_str();
  app.add_option("--program", program, "tunecheck-cache");
  app.add_option("--at-most", most_growth,
                 "Status 1 if listing the last size takes so many times the memory of the first");
  CLI11_PARSE(app, count, values);
  ::setenv("TMPDIR", below.c_str(), 1);
  const TemporaryFolder home = TemporaryFolder::create("tunecheck-many-entries").value();
  GrowingFolder folder(home.path());
  const CpuBackend backend;
  const TuneRequest request;
  const TunerOptions options;
  const BoundFacts facts{{}, failure("none"), {}, {}, {}};
  const KeyContext context{backend, request, options, facts, nullptr};
  fmt::print(
      "| entries | list, peak MiB | list, s | lookup that hits, us | that misses, us |\n"
      "|---|---|---|---|---|\n");
  std::vector<double> peaks;
  for (const int size : sizes) {
    folder.grow_to(size);
    (void)folder.find_us(true, context);
    std::vector<double> hits, misses;
    for (int round = 0; round < rounds; ++round) {
      hits.push_back(folder.find_us(true, context));
      misses.push_back(folder.find_us(false, context));
    }
    const Listing listing = list(program, folder.root());
    if (listing.lines != size + 2) throw std::runtime_error("the list is not whole");
    peaks.push_back(listing.peak_mib);
    fmt::print("| {} | {:.1f} | {:.2f} | {:.1f} | {:.1f} |\n", size, listing.peak_mib,
               listing.seconds, median_of(hits), median_of(misses));
    std::fflush(stdout);
  }
  return most_growth > 0 && peaks.back() > peaks.front() * most_growth ? 1 : 0;
}

}  // namespace
}  // namespace tunecheck::bench

int main(int count, char** values) {
  try {
    return tunecheck::bench::run(count, values);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tunecheck-many-entries: {}\n", error.what());
    return 1;
  }
}
