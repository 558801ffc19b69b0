#include "observe/probe/counting.hpp"

#include <array>
#include <atomic>
#include <fcntl.h>
#include <functional>
#include <unistd.h>

#include <sys/mman.h>

#include "observe/launch_counts.hpp"

namespace tunecheck::probe {
namespace {

// Shared with the judge and with forked children. Never unmapped: kernels may run at the end.
LaunchCounts* counts = nullptr;

std::uint64_t read(std::uint64_t& value) noexcept {
  return std::atomic_ref(value).load(std::memory_order_relaxed);
}

void add(std::uint64_t& value, std::uint64_t more) noexcept {
  std::atomic_ref(value).fetch_add(more, std::memory_order_relaxed);
}

// By hash, and a table that is full calls nothing first: a launch costs the same however many
// there were. A forked child begins anew. Trials have one thread each.
bool is_first(std::uint64_t process, const void* entry) noexcept {
  constexpr std::size_t places = 64;
  thread_local std::uint64_t known_of = 0;
  thread_local std::array<const void*, places> known{};
  if (known_of != process) {
    known_of = process;
    known.fill(nullptr);
  }
  const std::size_t begin = std::hash<const void*>()(entry) / 64 % places;
  for (std::size_t i = 0; i < places; ++i) {
    const void*& place = known[(begin + i) % places];
    if (place == entry) return false;
    if (place != nullptr) continue;
    place = entry;
    return true;
  }
  return false;
}

}  // namespace

void map_counts(const char* file) noexcept {
  const int opened = ::open(file, O_RDWR | O_CLOEXEC);
  if (opened < 0) return;
  void* const mapped =
      ::mmap(nullptr, sizeof(LaunchCounts), PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  ::close(opened);
  if (mapped != MAP_FAILED) counts = static_cast<LaunchCounts*>(mapped);
}

bool counting(std::uint64_t process) noexcept {
  if (counts == nullptr) return false;
  const Counted counted = std::atomic_ref(counts->counting).load(std::memory_order_relaxed);
  return counted == Counted::all ||
         (counted == Counted::trials && process != read(counts->process));
}

bool is_first_of_trial(std::uint64_t process, const void* entry) noexcept {
  return counts != nullptr &&
         std::atomic_ref(counts->counting).load(std::memory_order_relaxed) == Counted::trials &&
         process != read(counts->process) && is_first(process, entry);
}

void count_begin(std::uint64_t process) noexcept {
  add(process == read(counts->process) ? counts->launches : counts->trial_launches, 1);
}

void count_end(std::uint64_t process, int status, std::int64_t elapsed_ns) noexcept {
  if (process != read(counts->process)) return;
  add(counts->ended, 1);
  if (status != 0) add(counts->failed, 1);
  add(counts->elapsed_ns, static_cast<std::uint64_t>(elapsed_ns));
}

}  // namespace tunecheck::probe
