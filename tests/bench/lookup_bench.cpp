// A lookup in a cache folder with many entries against one with few.
#include <chrono>
#include <optional>

#include <benchmark/benchmark.h>

#include "bench_kernel.hpp"
#include "core/digest.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck::bench {
namespace {

constexpr int few = 100;
constexpr int many = 100'000;
constexpr int looked_up = 64;

Key key_of(int number) {
  return Key({{"kernel", "nudge"},
              {"shape", fmt::format("x={0} y={0}", number)},
              {"toolchain", "a compiler", true}});
}

// A folder with this many entries of one kernel, written without the care that a real put takes.
class FilledStore {
 public:
  explicit FilledStore(int entries)
      : m_folder(TemporaryFolder::create("tunecheck-bench").value()), m_store(m_folder.path()) {
    const std::vector<std::byte> artifact(16'000, std::byte{7});
    Entry entry;
    entry.winner = {{"block", 1}};
    entry.artifact_digest = artifact_digest(artifact);
    entry.artifact_bytes = artifact.size();
    for (int i = 0; i < entries; ++i) {
      entry.key = key_of(i);
      const std::filesystem::path folder = m_store.folder_of(entry.key);
      std::filesystem::create_directories(folder);
      must(write_file(m_store.file_of(entry.key), to_json_text(entry)));
      // Only what is going to be found needs its artifact.
      if (i < looked_up) must(write_file(folder / (entry.artifact_digest + ".so"), artifact));
    }
  }

  // Nanoseconds of a lookup of some entry that is there, or of some that is not.
  double find_ns(bool present, const KeyContext& context) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < looked_up; ++i) {
      const Found found = m_store.find(key_of(present ? i : -1 - i), context);
      if ((found.state == Found::State::hit) != present) m_as_expected = false;
    }
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start)
               .count() /
           looked_up;
  }
  [[nodiscard]] bool as_expected() const { return m_as_expected; }

 private:
  TemporaryFolder m_folder;
  FolderStore m_store;
  bool m_as_expected = true;
};

FilledStore& store_of(int entries) {
  static std::optional<FilledStore> small;
  static std::optional<FilledStore> large;
  std::optional<FilledStore>& store = entries == few ? small : large;
  if (!store) store.emplace(entries);
  return *store;
}

void lookup_among_100000_against_100(benchmark::State& state) {
  const bool present = state.range(0) != 0;
  const CpuBackend backend;
  const TuneRequest request;
  const TunerOptions options;
  const BoundFacts facts{{}, failure("none"), {}, {}, {}};
  const KeyContext context{backend, request, options, facts, nullptr};
  FilledStore& small = store_of(few);
  FilledStore& large = store_of(many);
  std::vector<double> small_ns;
  std::vector<double> large_ns;
  for (auto _ : state) {
    small_ns.push_back(small.find_ns(present, context));
    large_ns.push_back(large.find_ns(present, context));
  }
  if (!small.as_expected() || !large.as_expected())
    return state.SkipWithError("a lookup did not find what is there");
  state.counters["among_100_ns"] = median_of(small_ns);
  state.counters["among_100000_ns"] = median_of(large_ns);
  state.counters["ratio"] = median_of(large_ns) / median_of(small_ns);
}
BENCHMARK(lookup_among_100000_against_100)->ArgName("present")->Arg(1)->Arg(0);

}  // namespace
}  // namespace tunecheck::bench
