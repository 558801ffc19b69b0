#pragma once
// What Bursts keeps of each burst that is not over, and of each kernel. For its own sources alone.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "observe/evidence_clock.hpp"
#include "observe/watch/bursts.hpp"

namespace tunecheck::watch {

// One text for the digests of the regions that hold nothing but what the program asked for. Where
// there is no such region, all regions count.
inline std::string text_of(const std::vector<std::uint64_t>& digests,
                           const std::vector<bool>& has_rest) {
  const bool is_any_exact =
      has_rest.size() < digests.size() || std::count(has_rest.begin(), has_rest.end(), false) > 0;
  std::uint64_t all = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < digests.size(); ++i)
    if (!is_any_exact || i >= has_rest.size() || !has_rest[i])
      all = (all ^ digests[i]) * 0x9e3779b97f4a7c15 + (all >> 29);
  return fmt::format("{:016x}", all);
}

inline std::uint64_t size_of(const Regions& regions) {
  std::uint64_t bytes = 0;
  for (const Region& region : regions)
    bytes += region.size;
  return bytes;
}

inline CodeLaunches new_code(const LaunchSeen& launch) {
  CodeLaunches code;
  code.code = launch.code;
  code.module = launch.module;
  code.built = launch.built;
  code.first_ns = evidence_now_ns();
  return code;
}

// `path` is 0 where it is not known.
inline void count_launch(CodeLaunches& code, bool was_measured, bool begins_run,
                         std::uint64_t path) {
  constexpr std::size_t most_paths = 16;
  ++code.launches;
  code.measured += was_measured ? 1 : 0;
  code.last_ns = evidence_now_ns();
  if (begins_run) {
    ++code.runs;
    code.last_run_ns = code.last_ns;
  }
  if (code.runs == 1) code.first_run_ns = code.last_ns;
  if (path != 0 && std::find(code.paths.begin(), code.paths.end(), path) != code.paths.end())
    return;
  if (path == 0 || code.paths.size() >= most_paths)
    code.has_all_paths = false;
  else
    code.paths.push_back(path);
}

// A burst that is not over: what will be told of it, and what is kept to launch its winner again.
struct Bursts::Burst {
  BurstEvent event;
  Group* group = nullptr;
  Regions regions;
  std::vector<TensorSeen> tensors;
  std::vector<bool> has_rest;      // as LaunchSeen has it
  std::unique_ptr<Copy> pristine;  // null where nothing is kept
  bool is_looked_at = false;       // its content is known
  Digests found_first;
  Digests found;                 // by the launch that is under way
  std::vector<bool> is_written;  // by region: some launch has changed it
  std::int64_t runs = 0;         // of codes
  std::int64_t told_at = 0;      // the number of these when it is to be told next
  std::vector<std::unordered_set<std::uint64_t>> known;  // by region: at first, or left by launches
  std::vector<std::int64_t> spoilt, spoilt_since;        // by region: before and since the winner's
  std::function<Result<void>(const Regions&)> relaunch;
  const void* owner = nullptr;
  std::vector<Digests> left;            // by launches of the winner since another code
  std::unique_ptr<Copy> left_content;   // what the last of these left
  std::string settled;                  // the winner that has been launched again; "" if none
  std::vector<Digests> right;           // what its two replays left
  std::unique_ptr<Copy> right_content;  // and the first of them; null where there was no room
  int running = 0;
  std::int64_t looks_in_run = 0;  // at launches of the winner since another code
  std::int64_t unlooked = 0;      // launches since the last one that was looked at
  Digests last_left;              // by that one; empty before it
  bool is_disturbed = false;      // something else may have written since then
  std::int64_t clock_reads = 0;   // of the process at the end of its last launch
  bool was_read = false;          // since the last launch
  std::optional<bool> next_is_copy;

  [[nodiscard]] bool is_of(const LaunchSeen& launch) const {
    return event.kernel == launch.kernel && event.shapes == launch.shapes &&
           event.scalars == launch.scalars && regions == launch.regions;
  }
  [[nodiscard]] bool touches(const Regions& others) const {
    for (const Region& own : regions)
      for (const Region& other : others)
        if (own.overlaps(other)) return true;
    return false;
  }
  // Whether it has something to do before another kernel writes to its memory.
  [[nodiscard]] bool minds_writes() const {
    return (is_looked_at && !is_disturbed) || event.codes.size() > 1;
  }
  [[nodiscard]] CodeLaunches& code(const LaunchSeen& launch) {
    for (CodeLaunches& known_code : event.codes)
      if (known_code.code == launch.code) return known_code;
    return event.codes.emplace_back(new_code(launch));
  }
  // What the winner left: where some launch of it was right, that one.
  [[nodiscard]] std::string result() const;
  // Several launches in one code without a look at a clock were no trials: a launch with one, or of
  // another code, begins something else.
  [[nodiscard]] bool was_used_before(const std::string& code, bool is_measured) const {
    return event.codes.size() == 1 && event.codes[0].launches > 1 && event.codes[0].measured == 0 &&
           (event.winner != code || is_measured);
  }
  // Its memory holds what its last launch left.
  [[nodiscard]] bool is_undisturbed() const {
    return is_looked_at && !is_disturbed && running == 0 && !last_left.empty();
  }
  [[nodiscard]] bool holds(const Digests& found) const {
    constexpr std::size_t most_known = 4096;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (known[i].size() < most_known && !known[i].contains(found[i])) return false;
    return true;
  }
};

struct Bursts::Group {
  TotalEvent total;
  std::int64_t clock_reads = -1;  // of the process at the end of the last launch
  std::int64_t cost_ns = 0;       // of looking, since another code
  int open = 0;                   // bursts
  bool is_told = true;            // the totals
  // For the next launch on other arguments.
  std::vector<std::pair<BurstEvent, Regions>> waiting;
  // In one code, the last one by its numbers, inputs and code.
  std::map<std::tuple<std::string, std::string, std::string>, BurstEvent> singles;
};

}  // namespace tunecheck::watch
