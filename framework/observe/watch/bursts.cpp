#include "observe/watch/bursts.hpp"

#include <algorithm>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

#include "observe/evidence_clock.hpp"
#include "observe/watch/settings.hpp"

namespace tunecheck::watch {
namespace {

constexpr std::int64_t totals_every_ns = 50'000'000;
// Results of the winner's launches that are kept; bursts in one code that are told per kernel and
// shapes.
constexpr std::size_t most_left = 256;
constexpr std::size_t most_single_bursts = 32;
constexpr std::size_t most_known = 4096;
constexpr std::size_t most_streams = 1024;  // that have numbers of their own
// Runs of codes in a burst after each of which it is told; then after twice as many each time.
constexpr std::int64_t tells_each_run = 32;

thread_local bool replaying = false;
thread_local std::uint64_t launching = 0;  // the number of the burst; 0: none that is looked at

struct Replaying {
  Replaying() { replaying = true; }
  Replaying(const Replaying&) = delete;
  Replaying& operator=(const Replaying&) = delete;
  ~Replaying() { replaying = false; }
};

std::string text_of(const std::vector<std::uint64_t>& digests) {
  std::uint64_t all = 0xcbf29ce484222325;
  for (const std::uint64_t digest : digests)
    all = (all ^ digest) * 0x9e3779b97f4a7c15 + (all >> 29);
  return fmt::format("{:016x}", all);
}

std::uint64_t size_of(const Regions& regions) {
  std::uint64_t bytes = 0;
  for (const Region& region : regions)
    bytes += region.size;
  return bytes;
}

// Adds the time of its life.
class Cost {
 public:
  explicit Cost(std::int64_t& total) : m_total(total), m_began_ns(evidence_now_ns()) {}
  Cost(const Cost&) = delete;
  Cost& operator=(const Cost&) = delete;
  ~Cost() { m_total += evidence_now_ns() - m_began_ns; }

 private:
  std::int64_t& m_total;
  std::int64_t m_began_ns;
};

CodeLaunches new_code(const LaunchSeen& launch) {
  CodeLaunches code;
  code.code = launch.code;
  code.module = launch.module;
  code.first_ns = evidence_now_ns();
  return code;
}

void count_launch(CodeLaunches& code, bool was_measured, bool begins_run) {
  ++code.launches;
  code.measured += was_measured ? 1 : 0;
  code.last_ns = evidence_now_ns();
  if (begins_run) {
    ++code.runs;
    code.last_run_ns = code.last_ns;
  }
  if (code.runs == 1) code.first_run_ns = code.last_ns;
}

}  // namespace

// A burst that is not over: what will be told of it, and what is kept to launch its winner again.
struct Bursts::Burst {
  BurstEvent event;
  Group* group = nullptr;
  Regions regions;
  std::vector<TensorSeen> tensors;
  std::unique_ptr<Copy> pristine;  // null where nothing is kept
  bool is_looked_at = false;       // its content is known
  Digests found_first;
  std::int64_t runs = 0;     // of codes
  std::int64_t told_at = 0;  // the number of these when it is to be told next
  std::vector<std::unordered_set<std::uint64_t>> known;  // by region: at first, or left by launches
  std::vector<std::int64_t> spoilt, spoilt_since;        // by region: before and since the winner's
  std::optional<Digests> last_left;                      // by its last launch, where that is known
  std::function<Result<void>(const Regions&)> relaunch;
  const void* owner = nullptr;
  std::vector<Digests> left;            // by launches of the winner since another code
  std::unique_ptr<Copy> left_content;   // what the last of these left
  std::string settled;                  // the winner that has been launched again; "" if none
  std::vector<Digests> right;           // what its two replays left
  std::unique_ptr<Copy> right_content;  // and the first of them
  int running = 0;
  std::int64_t clock_reads = 0;  // of the process at the end of its last launch
  bool was_read = false;         // since the last launch
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
  [[nodiscard]] CodeLaunches& code(const LaunchSeen& launch) {
    for (CodeLaunches& known_code : event.codes)
      if (known_code.code == launch.code) return known_code;
    return event.codes.emplace_back(new_code(launch));
  }
  // What the winner left: where some launch of it was right, that one.
  [[nodiscard]] std::string result() const {
    if (event.replay == Replay::same && !settled.empty()) return text_of(right[0]);
    return left.empty() ? "" : text_of(left.front());
  }
  // Several launches in one code without a look at a clock were no trials: a launch with one, or of
  // another code, begins something else.
  [[nodiscard]] bool was_used_before(const std::string& code, bool is_measured) const {
    return event.codes.size() == 1 && event.codes[0].launches > 1 && event.codes[0].measured == 0 &&
           (event.winner != code || is_measured);
  }
  [[nodiscard]] bool holds(const Digests& found) const {
    for (std::size_t i = 0; i < found.size(); ++i)
      if (known[i].size() < most_known && !known[i].contains(found[i])) return false;
    return true;
  }
};

struct Bursts::Group {
  TotalEvent total;
  std::int64_t clock_reads = -1;  // of the process at the end of the last launch
  std::int64_t cost_ns = 0;       // of looking, since another code
  bool is_told = true;            // the totals
  // For the next launch on other arguments.
  std::vector<std::pair<BurstEvent, Regions>> waiting;
  // In one code, the last one by its numbers and inputs.
  std::map<std::pair<std::string, std::string>, BurstEvent> singles;
};

Bursts::Bursts(Memory& memory, BurstLimits limits, Tell tell, Where where)
    : m_memory(memory), m_limits(limits), m_tell(std::move(tell)), m_where(std::move(where)) {}

Bursts::~Bursts() = default;

bool Bursts::is_replaying() {
  return replaying;
}

Bursts::Group& Bursts::group_of(const LaunchSeen& launch) {
  const auto [place, is_new] = m_groups.try_emplace({launch.kernel, launch.shapes});
  if (is_new) place->second.total = {::getpid(), launch.kernel, launch.shapes, {}, {}, 0, 0, {}};
  return place->second;
}

// True where the kernel's launches with these shapes have been of one code for long.
bool Bursts::count(Group& group, const LaunchSeen& launch) {
  TotalEvent& total = group.total;
  group.is_told = false;
  const bool is_other = total.last_code != launch.code;
  if (is_other) group.cost_ns = 0;
  total.last_code = launch.code;
  total.after_trials = is_other ? 1 : total.after_trials + 1;
  auto code = std::find_if(total.codes.begin(), total.codes.end(),
                           [&](const CodeLaunches& known) { return known.code == launch.code; });
  if (code == total.codes.end()) {
    code = total.codes.insert(total.codes.end(), new_code(launch));
  }
  if (launch.captured) ++code->captured;
  count_launch(*code, group.clock_reads >= 0 && group.clock_reads != m_clock_reads, is_other);
  group.clock_reads = m_clock_reads;
  return total.after_trials > m_limits.looked_at &&
         group.cost_ns >
             (total.codes.size() == 1 ? m_limits.first_code_ns : m_limits.further_codes_ns);
}

Bursts::Burst* Bursts::find(const LaunchSeen& launch) {
  for (Burst& burst : m_open)
    if (burst.is_of(launch)) return &burst;
  return nullptr;
}

std::int64_t Bursts::number_of_stream(std::uint64_t stream) {
  const auto known = m_streams.find(stream);
  if (known != m_streams.end()) return known->second;
  const auto number = static_cast<std::int64_t>(m_streams.size());
  if (m_streams.size() < most_streams) m_streams.emplace(stream, number);
  return number;
}

std::uint64_t Bursts::kept_bytes() const {
  std::uint64_t bytes = 0;
  for (const Burst& burst : m_open)
    if (burst.pristine != nullptr) bytes += size_of(burst.regions);
  return bytes;
}

Bursts::Burst* Bursts::open(Group& group, const LaunchSeen& launch,
                            const std::optional<Digests>& found) {
  // The oldest ends where too much would be kept.
  while (!m_open.empty() && (m_open.size() >= m_limits.open ||
                             kept_bytes() + size_of(launch.regions) > m_limits.bytes))
    close(m_open.begin());
  Burst& burst = m_open.emplace_back();
  BurstEvent& event = burst.event;
  event.pid = ::getpid();
  event.number = ++m_last_number;
  event.kernel = launch.kernel;
  event.shapes = launch.shapes;
  event.scalars = launch.scalars;
  event.place = launch.place.launch;
  event.definition = launch.place.definition;
  event.stream = number_of_stream(launch.stream);
  event.first_ns = evidence_now_ns();
  burst.group = &group;
  burst.regions = launch.regions;
  burst.tensors = launch.tensors;
  burst.known.resize(launch.regions.size());
  burst.spoilt.resize(launch.regions.size());
  burst.spoilt_since.resize(launch.regions.size());
  burst.clock_reads = m_clock_reads;
  for (const TensorSeen& tensor : launch.tensors) {
    ArgumentSeen& argument = event.arguments.emplace_back();
    argument.index = tensor.index;
    argument.bytes = tensor.bytes;
    if (found) argument.found = fmt::format("{:016x}", (*found)[tensor.region]);
  }
  if (!found) {
    event.why_not =
        fmt::format("its arguments are {} bytes, more than are kept", size_of(launch.regions));
    return &burst;
  }
  burst.is_looked_at = true;
  event.inputs = text_of(*found);
  for (std::size_t i = 0; i < found->size(); ++i)
    burst.known[i].insert((*found)[i]);
  auto copy = m_memory.copy(launch.regions);
  if (copy)
    burst.pristine = std::move(*copy);
  else
    event.why_not = "its arguments could not be copied: " + copy.error().message;
  burst.found_first = *found;
  return &burst;
}

void Bursts::add(Burst& burst, const LaunchSeen& launch, const std::optional<Digests>& found) {
  BurstEvent& event = burst.event;
  const bool was_measured = burst.clock_reads != m_clock_reads;
  CodeLaunches& code = burst.code(launch);
  count_launch(code, was_measured, event.winner != launch.code);
  if (event.winner != launch.code) {
    event.winner = launch.code;
    event.after_trials = 0;
    ++burst.runs;
    for (std::size_t i = 0; i < burst.spoilt.size(); ++i)
      burst.spoilt[i] += std::exchange(burst.spoilt_since[i], 0);
    burst.left.clear();
    burst.left_content.reset();
    burst.settled.clear();
  }
  ++event.after_trials;
  if (was_measured) ++event.measured;
  if (burst.running++ > 0) event.concurrent = true;
  burst.relaunch = launch.relaunch;
  burst.owner = launch.owner;
  burst.was_read = false;
  burst.next_is_copy.reset();
  if (!launch.relaunch && event.why_not.empty()) event.why_not = launch.why_no_replay;
  if (!found || !burst.is_looked_at) return;
  for (std::size_t i = 0; i < found->size(); ++i)
    if ((*found)[i] != burst.found_first[i]) ++burst.spoilt_since[i];
  if (*found == burst.found_first && burst.last_left && *burst.last_left != burst.found_first)
    ++code.restored;
  burst.last_left.reset();
}

// What launches on other arguments say of the bursts of the kernel so far.
void Bursts::note_next(Group& group, const LaunchSeen& launch,
                       const std::optional<Digests>& found) {
  if (!found) return;
  const std::string inputs = text_of(*found);
  for (Burst& burst : m_open)
    if (burst.event.codes.size() > 1 && !burst.is_of(launch) && burst.touches(launch.regions))
      burst.was_read = true;
  for (Burst& burst : m_open)
    if (burst.group == &group && !burst.is_of(launch) && !burst.next_is_copy)
      burst.next_is_copy = burst.event.inputs == inputs && burst.regions != launch.regions;
  for (auto& [event, regions] : group.waiting) {
    event.was_on_copies = event.inputs == inputs && regions != launch.regions;
    m_tell(to_line(event));
  }
  group.waiting.clear();
}

// Asked without the lock: `m_where` may wait for a lock of an interpreter, whose holder may wait
// for this one.
bool Bursts::wants_place(const LaunchSeen& launch) {
  const std::lock_guard lock(m_mutex);
  const auto group = m_groups.find({launch.kernel, launch.shapes});
  return group == m_groups.end() || group->second.total.last_code != launch.code ||
         group->second.total.after_trials < m_limits.looked_at;
}

void Bursts::begins(LaunchSeen launch) {
  if (wants_place(launch)) launch.place = m_where(launch.kernel);
  const std::lock_guard lock(m_mutex);
  launching = 0;
  Group& group = group_of(launch);
  const bool is_steady = count(group, launch);
  if (const std::int64_t now = evidence_now_ns(); now - m_totals_told_ns > totals_every_ns) {
    tell_totals();
    m_totals_told_ns = now;
  }
  const Cost cost(group.cost_ns);
  if (launch.captured || launch.is_hidden) {
    ++group.total.skipped;
    return;
  }
  if (is_steady && group.waiting.empty()) {
    ++group.total.skipped;
    close_if([&](const Burst& burst) { return burst.group == &group && burst.running == 0; });
    return;
  }
  settle_if([&](const Burst& burst) {  // of several codes
    return !burst.is_of(launch) && (burst.group == &group || burst.touches(launch.regions));
  });
  std::optional<Digests> found;
  if (size_of(launch.regions) <= m_limits.bytes) {
    auto digests = m_memory.digests(launch.regions);
    if (digests)
      found = std::move(*digests);
    else
      trouble(digests.error().message);
  }
  note_next(group, launch, found);
  Burst* burst = find(launch);
  const bool is_new_call =
      burst != nullptr && burst->running == 0 &&
      ((found && burst->is_looked_at && !burst->holds(*found)) ||
       burst->was_used_before(launch.code, burst->clock_reads != m_clock_reads));
  if (is_new_call) {
    close_if([&](const Burst& other) { return &other == burst; });
    burst = nullptr;
  }
  if (burst == nullptr) burst = open(group, launch, found);
  add(*burst, launch, found);
  launching = burst->event.number;
}

void Bursts::ends(bool succeeded) {
  const std::lock_guard lock(m_mutex);
  const std::uint64_t number = std::exchange(launching, 0);
  const auto burst = std::find_if(m_open.begin(), m_open.end(),
                                  [&](const Burst& other) { return other.event.number == number; });
  if (burst == m_open.end()) return;
  const Cost cost(burst->group->cost_ns);
  --burst->running;
  burst->group->clock_reads = m_clock_reads;
  burst->event.last_ns = evidence_now_ns();
  burst->clock_reads = m_clock_reads;
  if (!burst->is_looked_at) return;
  if (!succeeded) {
    // It computed nothing: no winner, and no trial that spoils.
    std::erase_if(burst->event.codes, [&](CodeLaunches& code) {
      return code.code == burst->event.winner && --code.launches == 0;
    });
    burst->event.winner.clear();
    return;
  }
  const auto left = m_memory.digests(burst->regions);
  if (!left) return trouble(left.error().message);
  burst->last_left = *left;
  for (std::size_t i = 0; i < left->size(); ++i)
    burst->known[i].insert((*left)[i]);
  if (burst->left.size() >= most_left) return;
  burst->left.push_back(*left);
  if (burst->event.codes.size() < 2) return;
  if (auto content = m_memory.copy(burst->regions)) burst->left_content = std::move(*content);
  // The process may be killed before the burst is over.
  if (burst->event.after_trials == 1 && burst->runs >= burst->told_at) {
    burst->told_at = burst->runs < tells_each_run ? burst->runs + 1 : 2 * burst->runs;
    tell_so_far(*burst);
  }
}

void Bursts::tell_so_far(Burst& burst) {
  if (burst.running > 0) return;
  compare(burst);
  BurstEvent event = burst.event;
  event.is_over = false;
  event.result = burst.result();
  event.was_on_copies = burst.next_is_copy.value_or(false);
  m_tell(to_line(event));
  tell_totals();
}

Result<Bursts::Digests> Bursts::replay(Burst& burst, const Copy& on) {
  const Replaying marked;
  TUNECHECK_CHECK(burst.relaunch(on.regions()));
  return m_memory.digests(on.regions());
}

// Launches the winner twice on what the first launch found. Done as soon as something else is seen,
// and not only at the end of the burst: the process may end without a warning, and its device
// before it.
void Bursts::settle(Burst& burst) {
  BurstEvent& event = burst.event;
  if (event.codes.size() < 2 || event.winner.empty() || event.winner == burst.settled ||
      !event.why_not.empty() || burst.pristine == nullptr || burst.running > 0)
    return;
  if (!burst.relaunch) {
    event.why_not = "its code has been unloaded";
    return;
  }
  burst.right.clear();
  for (int i = 0; i < 2; ++i) {
    auto copy = m_memory.copy(burst.pristine->regions());
    auto left = copy ? replay(burst, **copy) : Result<Digests>(failure(copy.error()));
    if (!left) {
      event.why_not = "the replay failed: " + left.error().message;
      return;
    }
    burst.right.push_back(std::move(*left));
    if (i == 0) burst.right_content = std::move(*copy);
  }
  burst.settled = event.winner;
  if (burst.right[0] == burst.right[1]) find_spoilt(burst);
}

void Bursts::settle_if(const std::function<bool(const Burst&)>& condition) {
  for (Burst& burst : m_open)
    if (burst.event.codes.size() > 1 && condition(burst)) settle(burst);
}

// Compares what the winner's replays left with what the program was left with.
void Bursts::compare(Burst& burst) {
  settle(burst);
  BurstEvent& event = burst.event;
  for (std::size_t i = 0; i < burst.tensors.size(); ++i)
    event.arguments[i].spoilt = burst.spoilt[burst.tensors[i].region];
  if (burst.settled.empty()) {
    if (event.winner.empty()) event.why_not = "its last launch failed";
    return;
  }
  const bool is_right = std::any_of(burst.right.begin(), burst.right.end(), [&](const auto& right) {
    return std::find(burst.left.begin(), burst.left.end(), right) != burst.left.end();
  });
  const bool is_steady = burst.right[0] == burst.right[1];
  event.replay = is_right ? Replay::same : is_steady ? Replay::differs : Replay::not_steady;
  if (event.replay != Replay::differs || burst.left_content == nullptr) return;
  for (std::size_t i = 0; i < burst.tensors.size(); ++i) {
    const std::size_t region = burst.tensors[i].region;
    const auto difference = m_memory.difference(burst.right_content->regions()[region],
                                                burst.left_content->regions()[region],
                                                burst.pristine->regions()[region]);
    if (!difference) continue;
    event.arguments[i].differing = difference->bytes;
    event.arguments[i].written = difference->changed;
  }
}

// Does the winner read the arguments in which trials found another content? For each, it is
// launched once more, on the first content except in that argument.
void Bursts::find_spoilt(Burst& burst) {
  for (std::size_t i = 0; i < burst.regions.size(); ++i) {
    if (burst.spoilt[i] == 0 || burst.right[0][i] == burst.found_first[i]) continue;
    auto copy = m_memory.copy(burst.pristine->regions());
    if (!copy || !m_memory.write((*copy)->regions()[i], burst.right_content->regions()[i]))
      continue;
    const auto result = replay(burst, **copy);
    if (!result || *result == burst.right[0]) continue;
    for (std::size_t k = 0; k < burst.tensors.size(); ++k)
      if (burst.tensors[k].region == i) burst.event.arguments[k].is_read = true;
  }
}

void Bursts::hand_over(Burst& burst, bool waits) {
  Group& group = *burst.group;
  BurstEvent& event = burst.event;
  if (event.codes.size() < 2) {
    std::pair call(event.scalars, event.inputs);
    if (group.singles.size() < most_single_bursts || group.singles.contains(call))
      group.singles.insert_or_assign(std::move(call), std::move(event));
    return;
  }
  if (waits)
    group.waiting.emplace_back(std::move(event), burst.regions);
  else
    m_tell(to_line(event));
}

void Bursts::close(std::list<Burst>::iterator burst) {
  BurstEvent& event = burst->event;
  if (event.codes.size() > 1) compare(*burst);
  event.result = burst->result();
  event.was_on_copies = burst->next_is_copy.value_or(false);
  const bool waits = event.replay == Replay::differs && !burst->next_is_copy;
  hand_over(*burst, waits);
  m_open.erase(burst);
}

void Bursts::close_if(const std::function<bool(const Burst&)>& condition) {
  for (auto burst = m_open.begin(); burst != m_open.end();) {
    const auto next = std::next(burst);
    if (condition(*burst)) close(burst);
    burst = next;
  }
}

void Bursts::memory_is_read(const Region& region) {
  const std::lock_guard lock(m_mutex);
  for (Burst& burst : m_open)
    for (const Region& own : burst.regions)
      if (own.overlaps(region)) {
        burst.was_read = true;
        settle(burst);
      }
}

void Bursts::memory_goes(const Region& region) {
  const std::lock_guard lock(m_mutex);
  const auto is_there = [&](const Burst& burst) {
    return std::any_of(burst.regions.begin(), burst.regions.end(),
                       [&](const Region& own) { return own.overlaps(region); });
  };
  // What nobody has read until then nobody reads.
  for (Burst& burst : m_open)
    if (!burst.was_read && is_there(burst)) burst.next_is_copy = true;
  close_if(is_there);
}

void Bursts::code_goes(const void* owner) {
  const std::lock_guard lock(m_mutex);
  settle_if([&](const Burst& burst) { return burst.owner == owner; });
  for (Burst& burst : m_open)
    if (burst.owner == owner) burst.relaunch = nullptr;
}

void Bursts::tell_totals() {
  for (auto& [key, group] : m_groups)
    if (!group.is_told) {
      group.total.rank = rank_of_process();
      m_tell(to_line(group.total));
      group.is_told = true;
    }
}

void Bursts::finish() {
  const std::lock_guard lock(m_mutex);
  close_if([](const Burst& burst) { return burst.running == 0; });
  for (auto& [key, group] : m_groups) {
    for (const auto& [event, regions] : group.waiting)
      m_tell(to_line(event));
    group.waiting.clear();
    for (const auto& [call, event] : std::exchange(group.singles, {}))
      m_tell(to_line(event));
  }
  tell_totals();
}

void Bursts::after_fork_in_child() {
  m_open.clear();
  m_groups.clear();
  m_streams.clear();
  launching = 0;
  m_mutex.unlock();
}

void Bursts::trouble(const std::string& what) {
  if (m_troubles.insert(what).second) m_tell(to_line(TroubleEvent{::getpid(), what}));
}

}  // namespace tunecheck::watch
