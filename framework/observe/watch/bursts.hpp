#pragma once
// Which launches belong together, and whether the last of them left what it should have.
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "observe/watch/memory.hpp"
#include "observe/watch/program_place.hpp"
#include "observe/watch/watch_events.hpp"

namespace tunecheck::watch {

/// An argument that is a tensor: where its memory is among the regions of the launch.
struct TensorSeen {
  int index = 0;
  std::size_t region = 0;
  std::uint64_t bytes = 0;
};

/// A launch that is about to be made.
struct LaunchSeen {
  std::string kernel;
  std::string code;  ///< tells it from other codes of the kernel
  std::string module;
  std::string built = {};  ///< digest of what of the module is run
  std::string shapes;      ///< of its tensors, as a text
  std::string scalars;     ///< its other arguments, as a text
  /// All memory that it is given, each byte once, in the order of the arguments.
  Regions regions;
  std::vector<TensorSeen> tensors;
  /// By region: it may end with something that the program did not ask for, and that differs from
  /// one piece of memory to the next. Empty where none does.
  std::vector<bool> has_rest = {};
  /// Launches it again on other memory of the same sizes, and waits for its end. Empty where that
  /// cannot be done: then `why_no_replay` says why.
  std::function<Result<void>(const Regions& instead)> relaunch;
  std::string why_no_replay;
  const void* owner = nullptr;  ///< what `relaunch` needs to be loaded
  bool captured = false;        ///< recorded into a graph and not run
  bool is_hidden = false;       ///< nothing may wait for the device now; it is only counted
  /// Tells launches of one code with the same shapes from all others, for is_counted(); 0: not
  /// known.
  std::uint64_t quick_key = 0;
  std::uint64_t stream = 0;  ///< what tells it from other streams or threads
  Caller caller = {};        ///< filled in by Bursts
};

struct BurstLimits {
  std::uint64_t bytes =
      std::uint64_t{256}
      << 20;  ///< of memory that one launch is given, and of all first contents that are kept
  /// Looking at a kernel's launches goes on for so many of one code, and then until it has taken so
  /// long; later ones are only counted, until another code is launched. The first code may be a
  /// program's only one; of several, one may be the winner of a tuning that is not over.
  std::int64_t looked_at = 32;
  std::int64_t first_code_ns = 250'000'000;
  std::int64_t further_codes_ns = 2'000'000'000;
  /// And, of all kernels together, until it has taken so long and as long as the program itself
  /// (half as long for launches in the only code of their kernel); but the first few are looked at.
  std::int64_t first_looked_at = 4;
  std::int64_t all_kernels_ns = std::numeric_limits<std::int64_t>::max();
  std::size_t open = 16;  ///< bursts at one moment
  /// Bursts are told of all that is written to their memory. Then a code that is launched over and
  /// over need not be looked at each time: what it found is what it had left.
  bool sees_writes = false;
};

/// A burst is what a tuner does in one call: launches of one kernel on the same arguments, with
/// nothing in between that gave these a content that was not theirs at first and that no launch of
/// the burst had left. The last of several codes that were launched is the winner.
///
/// The right answer of a call that tunes is one launch of the winner on what the caller gave. So
/// what the first launch finds is kept, and when the burst is over the winner is launched once more
/// on a copy of that (twice, to see whether it computes the same each time). If no launch of it
/// since the last other code left the same bytes, the tuning has changed what the program computes.
/// That the program goes on with the same kernel on the same arguments is no reason to blame it:
/// one launch that left the right bytes is enough.
///
/// What is told is evidence and no verdict: a program may launch several codes on purpose.
///
/// begins() and ends() of one launch come from one thread; all members may be called by any.
class Bursts {
 public:
  using Tell = std::function<void(const std::string& line)>;
  using Where = std::function<Caller(const LaunchSeen& launch, bool wants_place)>;

  /// `memory` outlives it. `tell` gets whole lines; `where` says from where in the program the
  /// calling thread launches, and is asked for each launch that is looked at.
  Bursts(Memory& memory, BurstLimits limits, Tell tell, Where where);
  ~Bursts();

  /// Counts a launch of which nothing else is wanted: one whose `quick_key` has been given to
  /// begins(), of a kernel whose launches are only counted by now. False: begins() is to be called.
  [[nodiscard]] bool is_counted(std::uint64_t quick_key, const Regions& regions);
  void begins(LaunchSeen launch);
  void ends(bool succeeded);

  /// The program has read a clock, or has recorded an event.
  void clock_was_read() { m_clock_reads.fetch_add(1, std::memory_order_relaxed); }
  /// The program reads this memory, or gives it back: what bursts left there will not change.
  void memory_is_read(const Region& region);
  void memory_goes(const Region& region);
  /// Whether some burst's memory is there.
  [[nodiscard]] bool is_used(const Region& region);
  /// Something other than a launch that begins() is told of is about to write there.
  void memory_is_written(const Region& region);
  void all_memory_is_written();
  /// What the replays of some launches need is about to be unloaded.
  void code_goes(const void* owner);

  /// Ends all bursts and tells all totals: before the process ends.
  void finish();

  /// Around fork(): the child begins without bursts, and has told nothing.
  void before_fork() { m_mutex.lock(); }
  void after_fork_in_parent() { m_mutex.unlock(); }
  void after_fork_in_child();

  /// True while the calling thread replays: the launches that it makes are not the program's.
  [[nodiscard]] static bool is_replaying();

 private:
  struct Burst;
  struct Group;
  using Digests = std::vector<std::uint64_t>;

  Group& group_of(const LaunchSeen& launch);
  [[nodiscard]] std::uint64_t kept_bytes() const;
  [[nodiscard]] std::int64_t number_of_stream(std::uint64_t stream);
  struct Wanted {
    bool path = false, place = false;
  };
  [[nodiscard]] Wanted wanted_of_caller(const LaunchSeen& launch);
  void count(Group& group, const LaunchSeen& launch);
  [[nodiscard]] bool is_steady(const Group& group) const;
  [[nodiscard]] bool has_cost_enough(const Group& group) const;
  [[nodiscard]] std::int64_t looks_of(const Group& group) const;
  [[nodiscard]] bool make_room(std::uint64_t bytes);
  void tell_totals_at_times();
  void end_steady(Group& group, const LaunchSeen& launch);
  [[nodiscard]] std::optional<Digests> look(const Burst* burst, const LaunchSeen& launch);
  void follow(Burst& burst);
  void write_to(const std::function<bool(const Burst&)>& condition);
  Burst* find(const LaunchSeen& launch);
  Burst* open(Group& group, const LaunchSeen& launch, const std::optional<Digests>& found);
  void add(Burst& burst, const LaunchSeen& launch, const std::optional<Digests>& found);
  void note_next(Group& group, const LaunchSeen& launch, const std::optional<Digests>& found);
  void tell_so_far(Burst& burst);
  void close(std::list<Burst>::iterator burst);
  void close_if(const std::function<bool(const Burst&)>& condition);
  void settle(Burst& burst);
  void settle_if(const std::function<bool(const Burst&)>& condition);
  void compare(Burst& burst);
  void find_what_is_read(Burst& burst);
  Result<Digests> replay(Burst& burst, const Copy& on);
  void hand_over(Burst& burst, bool waits);
  void tell_totals();
  void trouble(const std::string& what);

  Memory& m_memory;
  const BurstLimits m_limits;
  const Tell m_tell;
  const Where m_where;
  std::atomic<std::int64_t> m_clock_reads{0};
  std::mutex m_mutex;
  std::list<Burst> m_open;
  std::map<std::pair<std::string, std::string>, Group> m_groups;  // by kernel and shapes
  // Launches that are only counted: the group, and the code among those of its total.
  std::unordered_map<std::uint64_t, std::pair<Group*, std::size_t>> m_counted;
  std::map<std::uint64_t, std::int64_t> m_streams;  // in the order of their first bursts
  std::int64_t m_cost_ns = 0, m_first_ns = 0;
  std::uint64_t m_last_number = 0;
  std::int64_t m_totals_due_ns = 0;
  std::unordered_set<std::string> m_troubles;
};

}  // namespace tunecheck::watch
