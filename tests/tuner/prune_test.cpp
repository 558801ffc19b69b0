// Entries are pruned while other processes look them up, launch them and compile them.
#include <thread>

#include "backend/cpu/cpu_backend.hpp"
#include "many_callers.hpp"
#include "tuner/cache_command/clean.hpp"
#include "tuner/cache_command/contents.hpp"

namespace tunecheck::test {
namespace {

constexpr const char* source = R"(#include <tunecheck/cpu_kernel.h>
void probe(tunecheck::Tensor<float> x, tunecheck::Tensor<float> y, tunecheck::Tensor<float> out,
           tunecheck::Tensor<int> total, float alpha, float beta) {
  for (long i = 0; i < x.size(0); ++i) {
    y(i) += alpha * x(i);
    out(i) = x(i) + beta;
    total(i) += 1;
  }
}
TUNECHECK_KERNEL(probe)
)";

TEST(Pruning, is_a_miss_to_those_who_use_the_entries_and_never_an_error_or_half_a_read) {
  const ProbeFolder folder;
  folder.write("cpu.cpp", source);
  const TuneRequest request = folder.request();
  const TemporaryFolder home = TemporaryFolder::create("tunecheck-prune").value();
  const std::filesystem::path cache = home.path() / "cache";
  const SharedCounts counts;
  const FunctionBackend quick(run_probe);
  const CpuBackend compiling;
  // Otherwise nothing was asked. On a busy machine that takes a while.
  constexpr int enough = 100;
  const auto is_enough = [&] {
    return counts->hits >= enough && counts->misses >= enough && counts->pruned >= enough;
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto start = [&](auto&& work) { return in_process(end, work, is_enough); };
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i)
    children.push_back(start([&] { call_once(quick, request, cache, 1, *counts); }));
  children.push_back(start([&] { call_once(compiling, request, cache, 1, *counts); }));
  children.push_back(start([&] {
    const auto cleaned = cache::clean(cache, 1, false);
    if (cleaned) counts->pruned += static_cast<int>(cleaned->removed.size());
    // So that some lookups hit.
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }));
  expect_to_end_well(children);
  EXPECT_EQ(counts->errors, 0) << counts->first_trouble.data();
  EXPECT_EQ(counts->wrong, 0);
  EXPECT_EQ(counts->stale, 0) << counts->first_trouble.data();
  EXPECT_EQ(counts->warnings, 0) << counts->first_trouble.data();
  EXPECT_TRUE(is_enough()) << counts->hits << " hits, " << counts->misses << " misses, "
                           << counts->pruned << " pruned";
  if (std::filesystem::exists(cache)) {
    for (const cache::StoredEntry& entry : cache::read_contents(cache).value().entries)
      EXPECT_EQ(entry.trouble, "");
  }
}

}  // namespace
}  // namespace tunecheck::test
