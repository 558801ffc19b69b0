#pragma once
// Processes that call a tuned kernel over and over on one cache folder, and what they have seen.
#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "probe_kernel.hpp"

namespace tunecheck::test {

struct CallerCounts {
  std::atomic<int> hits, misses, stale, errors, wrong, warnings, pruned;
  std::array<char, 400> first_trouble;
};

/// Counts in memory that processes share which were forked after it was made.
class SharedCounts {
 public:
  SharedCounts()
      : m_memory(::mmap(nullptr, sizeof(CallerCounts), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (m_memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    new (m_memory) CallerCounts{};
  }
  SharedCounts(const SharedCounts&) = delete;
  SharedCounts& operator=(const SharedCounts&) = delete;
  ~SharedCounts() { ::munmap(m_memory, sizeof(CallerCounts)); }
  CallerCounts& operator*() const { return *static_cast<CallerCounts*>(m_memory); }
  CallerCounts* operator->() const { return static_cast<CallerCounts*>(m_memory); }

 private:
  void* m_memory;
};

inline void note_trouble(CallerCounts& counts, const std::string& text) {
  if (counts.first_trouble[0] == '\0')
    text.copy(counts.first_trouble.data(), counts.first_trouble.size() - 1);
}

/// One call of a fresh tuner, which looks into the folder as a fresh process does. `alpha` is a
/// part of the key.
inline void call_once(const Backend& backend, const TuneRequest& request,
                      const std::filesystem::path& cache, double alpha, CallerCounts& counts) {
  ProbeTensors tensors;
  tensors.set_alpha(alpha);
  const auto report = fresh_call(backend, request, tensors, cache);
  if (!report) {
    ++counts.errors;
    return note_trouble(counts, report.error().text());
  }
  if (!tensors.hold_one_launch()) ++counts.wrong;
  if (report->cache == CacheUse::hit) ++counts.hits;
  if (report->cache == CacheUse::miss) ++counts.misses;
  if (report->cache == CacheUse::stale) ++counts.stale;
  if (!report->warnings.empty()) ++counts.warnings;
  if (report->cache == CacheUse::stale || !report->warnings.empty())
    note_trouble(counts, report->message);
}

/// A process that works until `is_enough`, or at the latest until `end`.
template <class Work, class Enough>
pid_t in_process(std::chrono::steady_clock::time_point end, Work&& work, Enough&& is_enough) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  while (std::chrono::steady_clock::now() < end && !is_enough())
    work();
  ::_exit(0);
}

inline void expect_to_end_well(const std::vector<pid_t>& children) {
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace tunecheck::test
