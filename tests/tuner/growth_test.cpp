// A process that meets ever more keys: what stays in memory, and what comes back from the store.
#include <fstream>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/digest.hpp"
#include "probe_kernel.hpp"
#include "tuner/loaded_winners.hpp"

namespace tunecheck::test {
namespace {

// Counts the modules that are loaded.
class CountingBackend : public FunctionBackend {
 public:
  using FunctionBackend::FunctionBackend;
  [[nodiscard]] Result<std::unique_ptr<Module>> load(const Artifact& artifact) const override {
    TUNECHECK_TRY(std::unique_ptr<Module> module, FunctionBackend::load(artifact));
    return std::unique_ptr<Module>(std::make_unique<CountedModule>(std::move(module), loaded));
  }
  mutable std::atomic<int> loaded{0};

 private:
  class CountedModule : public Module {
   public:
    CountedModule(std::unique_ptr<Module> module, std::atomic<int>& count)
        : m_module(std::move(module)), m_count(count) {
      ++m_count;
    }
    ~CountedModule() override { --m_count; }
    LaunchStatus launch(const LaunchArguments& arguments) const override {
      return m_module->launch(arguments);
    }
    TimedLaunch timed_launch(const LaunchArguments& arguments) const override {
      return m_module->timed_launch(arguments);
    }

   private:
    std::unique_ptr<Module> m_module;
    std::atomic<int>& m_count;
  };
};

// A store in which every key has been tuned already; keeps nothing, so that what grows is the
// tuner's.
class FullStore : public WinnerStore {
 public:
  [[nodiscard]] Found find(const Key& key, const KeyContext&) override {
    ++lookups();
    Entry entry;
    entry.key = key;
    entry.winner = {{"step", 1}};
    return {Found::State::hit, {}, entry, artifact()};
  }
  [[nodiscard]] Result<void> put(const Entry&, const Artifact&) override { return {}; }
  [[nodiscard]] std::optional<Key> nearest(const Key&) override { return std::nullopt; }
  [[nodiscard]] std::unique_ptr<StoreLock> lock(const Key&) override { return nullptr; }
  [[nodiscard]] std::unique_ptr<TuningJournal> journal(const Key&) override { return nullptr; }

  static int& lookups() {
    static int count = 0;
    return count;
  }

 private:
  static Artifact artifact() {
    constexpr std::string_view text = "function artifact step=1";
    const auto bytes = std::as_bytes(std::span(text));
    return {{bytes.begin(), bytes.end()}};
  }
};

std::int64_t resident_kib() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  statm >> total >> resident;
  return resident * (::sysconf(_SC_PAGESIZE) / 1024);
}

class Growth : public testing::Test {
 protected:
  static TunerParts full_parts() {
    TunerParts parts = TunerParts::standard();
    parts.make_store = [](const TunerOptions&) { return std::make_unique<FullStore>(); };
    return parts;
  }
  // The call with one key after the other; true where each was a hit.
  static bool call_all(TunedKernel& kernel, ProbeTensors& tensors, int first, int end) {
    bool hits = true;
    for (int i = first; i < end; ++i) {
      tensors.set_alpha(i);
      const auto report = kernel.call(tensors.arguments());
      hits = hits && report && report->cache == CacheUse::hit;
    }
    return hits;
  }

  ProbeFolder m_folder;
  CountingBackend m_backend{[](const Config&, const LaunchArguments&) { return 0; }};
  ProbeTensors m_tensors;
};

TEST_F(Growth, a_hundred_thousand_keys_and_a_million_calls_leave_memory_flat) {
  constexpr int few = 10'000;
  constexpr int keys = 100'000;
  constexpr int calls = 1'000'000;
  const TunerOptions options = quick_options("some folder");
  Tuner tuner(m_backend, options, full_parts());
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  ASSERT_TRUE(call_all(kernel, m_tensors, 0, few));
  const std::int64_t after_few = resident_kib();
  ASSERT_TRUE(call_all(kernel, m_tensors, few, keys));
  for (int done = keys; done < calls; done += 16)
    ASSERT_TRUE(call_all(kernel, m_tensors, 0, 16));
  // A key alone is longer than 500 bytes: 90,000 more of them would be 40 MiB.
  EXPECT_LT(resident_kib() - after_few, 8 * 1024);
  EXPECT_LE(m_backend.loaded, static_cast<int>(options.loaded_winners_limit) + 16);
}

TEST_F(Growth, a_winner_that_was_let_go_is_loaded_again_without_tuning) {
  TunerOptions options = quick_options("some folder");
  options.loaded_winners_limit = 4;
  Tuner tuner(m_backend, options, full_parts());
  TunedKernel kernel = tuner.bind(m_folder.request()).value();
  FullStore::lookups() = 0;
  ASSERT_TRUE(call_all(kernel, m_tensors, 0, 40));
  EXPECT_EQ(FullStore::lookups(), 40);
  EXPECT_LE(m_backend.loaded, 4 + 16);
  // Of these the fast path has its own.
  ASSERT_TRUE(call_all(kernel, m_tensors, 0, 16));
  EXPECT_EQ(FullStore::lookups(), 40);
  ASSERT_TRUE(call_all(kernel, m_tensors, 20, 21));
  EXPECT_EQ(FullStore::lookups(), 41);
  EXPECT_EQ(m_backend.compiles(), 0);
}

TEST_F(Growth, a_reported_config_outlives_the_winner_that_was_let_go) {
  TunerOptions options = quick_options("some folder");
  options.loaded_winners_limit = 1;
  Tuner tuner(m_backend, options, full_parts());
  const auto call = [&](double alpha) {
    // A kernel bound for one call keeps nothing.
    m_tensors.set_alpha(alpha);
    return tuner.bind(m_folder.request()).value().call(m_tensors.arguments()).value().winner;
  };
  const Config* const first = call(1);
  for (int i = 2; i < 10; ++i)
    EXPECT_EQ(call(i), first);
  EXPECT_LE(m_backend.loaded, 2);
  EXPECT_EQ(*first, (Config{{"step", 1}}));
}

TEST_F(Growth, winners_that_no_store_holds_are_kept) {
  TunerOptions options = quick_options("");
  options.loaded_winners_limit = 2;
  FunctionBackend backend(run_probe);
  Tuner tuner(backend, options);
  for (const CacheUse use : {CacheUse::disabled, CacheUse::hit})
    for (int alpha = 1; alpha <= 8; ++alpha) {
      ProbeTensors tensors;
      tensors.set_alpha(alpha);
      EXPECT_EQ(tuner.bind(m_folder.request()).value().call(tensors.arguments()).value().cache, use)
          << alpha;
    }
}

TEST_F(Growth, what_somebody_uses_is_not_let_go) {
  detail::LoadedWinners winners(2);
  const auto key = [](int number) {
    return Key(std::vector<KeyValue>{{"kernel", fmt::format("kernel_{}", number)}});
  };
  const auto used = winners.slot(key(0));
  for (int i = 1; i < 20; ++i)
    (void)winners.slot(key(i));
  EXPECT_EQ(winners.slot(key(0)), used);
  EXPECT_LE(winners.count(), 3U);
}

}  // namespace
}  // namespace tunecheck::test
