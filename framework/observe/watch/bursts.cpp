#include "observe/watch/bursts.hpp"

#include <algorithm>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

#include "observe/evidence_clock.hpp"
#include "observe/watch/burst.hpp"
#include "observe/watch/settings.hpp"

namespace tunecheck::watch {
namespace {

// Telling totals takes a fiftieth of the time at most.
constexpr std::int64_t totals_every_ns = 50'000'000;
constexpr std::int64_t totals_cost = 50;
// Results of the winner's launches that are kept; bursts in one code that are told per kernel and
// shapes.
constexpr std::size_t most_left = 256;
constexpr std::size_t most_single_bursts = 32;
// Runs of codes in a burst after each of which it is told; then after twice as many each time.
constexpr std::int64_t tells_each_run = 32;

thread_local std::uint64_t launching = 0;  // the number of the burst; 0: none that is looked at

// Adds the time since `began_ns` to two sums at the end of its life.
class Cost {
 public:
  Cost(std::int64_t& of_kernel, std::int64_t& of_all, std::int64_t began_ns)
      : m_of_kernel(of_kernel), m_of_all(of_all), m_began_ns(began_ns) {}
  Cost(const Cost&) = delete;
  Cost& operator=(const Cost&) = delete;
  ~Cost() {
    const std::int64_t spent_ns = evidence_now_ns() - m_began_ns;
    m_of_kernel += spent_ns;
    m_of_all += spent_ns;
  }

 private:
  std::int64_t& m_of_kernel;
  std::int64_t& m_of_all;
  std::int64_t m_began_ns;
};

}  // namespace

Bursts::Bursts(Memory& memory, BurstLimits limits, Tell tell, Where where)
    : m_memory(memory), m_limits(limits), m_tell(std::move(tell)), m_where(std::move(where)) {}

Bursts::~Bursts() = default;

Bursts::Group& Bursts::group_of(const LaunchSeen& launch) {
  const auto [place, is_new] = m_groups.try_emplace({launch.kernel, launch.shapes});
  if (is_new) place->second.total = {::getpid(), launch.kernel, launch.shapes, {}, {}, 0, 0, 0, {}};
  return place->second;
}

void Bursts::count(Group& group, const LaunchSeen& launch) {
  TotalEvent& total = group.total;
  group.is_told = false;
  const bool is_other = total.last_code != launch.code;
  if (is_other) group.cost_ns = 0;
  total.last_code = launch.code;
  total.after_trials = is_other ? 1 : total.after_trials + 1;
  if (launch.caller.path != 0) total.last_path = launch.caller.path;
  auto code = std::find_if(total.codes.begin(), total.codes.end(),
                           [&](const CodeLaunches& known) { return known.code == launch.code; });
  if (code == total.codes.end()) {
    code = total.codes.insert(total.codes.end(), new_code(launch));
  }
  if (launch.captured) ++code->captured;
  count_launch(*code, group.clock_reads >= 0 && group.clock_reads != m_clock_reads, is_other,
               launch.caller.path);
  group.clock_reads = m_clock_reads;
}

// A program that works on and on without a tuner leaves half of the time to one that comes later.
bool Bursts::has_cost_enough(const Group& group) const {
  if (m_cost_ns <= m_limits.all_kernels_ns) return false;
  const std::int64_t own_ns = (evidence_now_ns() - m_first_ns) - m_cost_ns;
  return m_cost_ns > (group.total.codes.size() == 1 ? own_ns / 2 : own_ns);
}

// So many launches of one code are looked at in any case.
std::int64_t Bursts::looks_of(const Group& group) const {
  return has_cost_enough(group) ? std::min(m_limits.first_looked_at, m_limits.looked_at)
                                : m_limits.looked_at;
}

// The kernel's launches with these shapes have been of one code for long.
bool Bursts::is_steady(const Group& group) const {
  if (group.total.after_trials <= looks_of(group)) return false;
  const bool is_only_code = group.total.codes.size() == 1;
  return m_limits.bytes == 0 || has_cost_enough(group) ||
         group.cost_ns > (is_only_code ? m_limits.first_code_ns : m_limits.further_codes_ns);
}

bool Bursts::is_counted(std::uint64_t quick_key, const Regions& regions) {
  const std::lock_guard lock(m_mutex);
  const auto known = m_counted.find(quick_key);
  if (known == m_counted.end()) return false;
  const auto [group, index] = known->second;
  TotalEvent& total = group->total;
  CodeLaunches& code = total.codes[index];
  if (group->open > 0 || !group->waiting.empty() || total.last_code != code.code ||
      std::any_of(m_open.begin(), m_open.end(), [&](const Burst& burst) {
        return burst.minds_writes() && burst.touches(regions);
      }))
    return false;
  launching = 0;
  group->is_told = false;
  ++total.after_trials;
  ++total.skipped;
  count_launch(code, group->clock_reads != m_clock_reads, false, 0);
  group->clock_reads = m_clock_reads;
  tell_totals_at_times();
  return true;
}

// A launch that is only counted; later ones like it need not come here.
void Bursts::end_steady(Group& group, const LaunchSeen& launch) {
  ++group.total.skipped;
  close_if([&](const Burst& burst) { return burst.group == &group && burst.running == 0; });
  if (launch.quick_key == 0) return;
  const auto& codes = group.total.codes;
  const auto code = std::find_if(codes.begin(), codes.end(), [&](const CodeLaunches& known) {
    return known.code == launch.code;
  });
  m_counted[launch.quick_key] = {&group, static_cast<std::size_t>(code - codes.begin())};
}

Bursts::Burst* Bursts::find(const LaunchSeen& launch) {
  for (Burst& burst : m_open)
    if (burst.is_of(launch)) return &burst;
  return nullptr;
}

std::int64_t Bursts::number_of_stream(std::uint64_t stream) {
  constexpr std::size_t most_streams = 1024;  // that have numbers of their own
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

// Ends the oldest bursts where too much would be kept. False where that does not help, or is not
// worth it: a buffer as large as all that may be kept, which a timer fills before each trial, is no
// reason to end what is tuned.
bool Bursts::make_room(std::uint64_t bytes) {
  while (m_open.size() >= m_limits.open)
    close(m_open.begin());
  const bool is_large = bytes > m_limits.bytes / 4;
  for (auto burst = m_open.begin();
       burst != m_open.end() && kept_bytes() + bytes > m_limits.bytes;) {
    const auto next = std::next(burst);
    const bool is_smaller = size_of(burst->regions) < bytes;
    if (burst->pristine != nullptr && !(is_large && is_smaller)) close(burst);
    burst = next;
  }
  return kept_bytes() + bytes <= m_limits.bytes;
}

Bursts::Burst* Bursts::open(Group& group, const LaunchSeen& launch,
                            const std::optional<Digests>& found) {
  const bool has_room = make_room(size_of(launch.regions));
  Burst& burst = m_open.emplace_back();
  ++group.open;
  BurstEvent& event = burst.event;
  event.pid = ::getpid();
  event.number = ++m_last_number;
  event.kernel = launch.kernel;
  event.shapes = launch.shapes;
  event.scalars = launch.scalars;
  event.place = launch.caller.place.launch;
  event.definition = launch.caller.place.definition;
  event.stream = number_of_stream(launch.stream);
  event.first_ns = evidence_now_ns();
  burst.group = &group;
  burst.regions = launch.regions;
  burst.tensors = launch.tensors;
  burst.has_rest = launch.has_rest;
  burst.known.resize(launch.regions.size());
  burst.is_written.resize(launch.regions.size());
  burst.spoilt.resize(launch.regions.size());
  burst.spoilt_since.resize(launch.regions.size());
  burst.clock_reads = m_clock_reads;
  for (const TensorSeen& tensor : launch.tensors) {
    ArgumentSeen& argument = event.arguments.emplace_back();
    argument.index = tensor.index;
    argument.bytes = tensor.bytes;
    const bool has_rest = tensor.region < launch.has_rest.size() && launch.has_rest[tensor.region];
    if (found && !has_rest) argument.found = fmt::format("{:016x}", (*found)[tensor.region]);
  }
  if (!found) {
    event.why_not =
        fmt::format("its arguments are {} bytes, more than are kept", size_of(launch.regions));
    return &burst;
  }
  burst.is_looked_at = true;
  event.inputs = text_of(*found, launch.has_rest);
  for (std::size_t i = 0; i < found->size(); ++i)
    burst.known[i].insert((*found)[i]);
  burst.found_first = *found;
  if (!has_room) {
    event.why_not = "too much would be kept: its arguments, and those of other kernels";
    return &burst;
  }
  auto copy = m_memory.keep(launch.regions);
  if (copy)
    burst.pristine = std::move(*copy);
  else
    event.why_not = "its arguments could not be copied: " + copy.error().message;
  return &burst;
}

void Bursts::add(Burst& burst, const LaunchSeen& launch, const std::optional<Digests>& found) {
  BurstEvent& event = burst.event;
  const bool was_measured = burst.clock_reads != m_clock_reads;
  CodeLaunches& code = burst.code(launch);
  count_launch(code, was_measured, event.winner != launch.code, launch.caller.path);
  event.last_path = launch.caller.path;
  if (event.winner != launch.code) {
    event.winner = launch.code;
    event.after_trials = 0;
    ++burst.runs;
    for (std::size_t i = 0; i < burst.spoilt.size(); ++i)
      burst.spoilt[i] += std::exchange(burst.spoilt_since[i], 0);
    burst.left.clear();
    burst.left_content.reset();
    burst.settled.clear();
    burst.looks_in_run = 0;
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
  if (*found == burst.found_first && !burst.last_left.empty() &&
      burst.last_left != burst.found_first)
    ++code.restored;
}

// What launches on other arguments say of the bursts of the kernel so far.
void Bursts::note_next(Group& group, const LaunchSeen& launch,
                       const std::optional<Digests>& found) {
  if (!found) return;
  const std::string inputs = text_of(*found, launch.has_rest);
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
Bursts::Wanted Bursts::wanted_of_caller(const LaunchSeen& launch) {
  const std::lock_guard lock(m_mutex);
  const auto known = m_groups.find({launch.kernel, launch.shapes});
  if (known == m_groups.end()) return {true, true};
  const Group& group = known->second;
  if (group.total.last_code != launch.code) return {true, true};
  return {!is_steady(group) || group.open > 0, group.total.after_trials < m_limits.looked_at};
}

// What the launch will find.
std::optional<Bursts::Digests> Bursts::look(const Burst* burst, const LaunchSeen& launch) {
  if (size_of(launch.regions) > m_limits.bytes) return std::nullopt;
  if (m_limits.sees_writes && burst != nullptr && burst->is_undisturbed() && burst->unlooked == 0)
    return burst->last_left;
  auto digests = m_memory.digests(launch.regions);
  if (digests) return std::move(*digests);
  trouble(digests.error().message);
  return std::nullopt;
}

void Bursts::begins(LaunchSeen launch) {
  const std::int64_t began_ns = evidence_now_ns();
  if (const Wanted wanted = wanted_of_caller(launch); wanted.path)
    launch.caller = m_where(launch, wanted.place);
  const std::lock_guard lock(m_mutex);
  launching = 0;
  if (m_first_ns == 0) m_first_ns = began_ns;
  Group& group = group_of(launch);
  count(group, launch);
  tell_totals_at_times();
  const Cost cost(group.cost_ns, m_cost_ns, began_ns);
  if (launch.captured || launch.is_hidden) {
    ++group.total.skipped;
    return;
  }
  write_to(
      [&](const Burst& burst) { return !burst.is_of(launch) && burst.touches(launch.regions); });
  Burst* burst = find(launch);
  const bool is_ours = m_limits.sees_writes && burst != nullptr && burst->is_undisturbed();
  if (is_ours && burst->event.winner == launch.code && burst->looks_in_run >= looks_of(group)) {
    ++burst->unlooked;
    add(*burst, launch, burst->last_left);
    launching = burst->event.number;
    return;
  }
  if (is_steady(group) && group.waiting.empty()) return end_steady(group, launch);
  settle_if([&](const Burst& other) {  // of several codes
    return !other.is_of(launch) && other.group == &group;
  });
  const std::optional<Digests> found = look(burst, launch);
  note_next(group, launch, found);
  const bool is_new_call =
      burst != nullptr && burst->running == 0 &&
      ((found && burst->is_looked_at && !is_ours && !burst->holds(*found)) ||
       burst->was_used_before(launch.code, burst->clock_reads != m_clock_reads));
  if (is_new_call) {
    close_if([&](const Burst& other) { return &other == burst; });
    burst = nullptr;
  }
  if (burst == nullptr) burst = open(group, launch, found);
  if (burst->running > 0) burst->is_disturbed = true;
  burst->unlooked = 0;
  for (std::size_t i = 0; is_ours && found && i < found->size(); ++i)
    burst->known[i].insert((*found)[i]);
  add(*burst, launch, found);
  burst->found = found.value_or(Digests());
  ++burst->looks_in_run;
  launching = burst->event.number;
}

void Bursts::ends(bool succeeded) {
  const std::uint64_t number = std::exchange(launching, 0);
  if (number == 0) return;
  const std::int64_t began_ns = evidence_now_ns();
  const std::lock_guard lock(m_mutex);
  const auto burst = std::find_if(m_open.begin(), m_open.end(),
                                  [&](const Burst& other) { return other.event.number == number; });
  if (burst == m_open.end()) return;
  const Cost cost(burst->group->cost_ns, m_cost_ns, began_ns);
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
    burst->is_disturbed = true;
    return;
  }
  if (burst->unlooked > 0) return;
  const auto left = m_memory.digests(burst->regions);
  if (!left) return trouble(left.error().message);
  for (std::size_t i = 0; i < left->size(); ++i)
    burst->known[i].insert((*left)[i]);
  for (std::size_t i = 0; i < left->size(); ++i)
    if (i < burst->found.size() && (*left)[i] != burst->found[i]) burst->is_written[i] = true;
  burst->last_left = *left;
  burst->is_disturbed = false;
  if (burst->left.size() >= most_left) return;
  burst->left.push_back(*left);
  if (burst->event.codes.size() < 2) return;
  if (auto content = m_memory.keep(burst->regions)) burst->left_content = std::move(*content);
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

void Bursts::hand_over(Burst& burst, bool waits) {
  Group& group = *burst.group;
  BurstEvent& event = burst.event;
  if (event.codes.size() < 2) {
    std::tuple call(event.scalars, event.inputs, event.winner);
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
  for (std::size_t i = 0; i < burst->tensors.size(); ++i)
    event.arguments[i].is_written = burst->is_written[burst->tensors[i].region];
  event.result = burst->result();
  event.was_on_copies = burst->next_is_copy.value_or(false);
  const bool waits = event.replay == Replay::differs && !burst->next_is_copy;
  hand_over(*burst, waits);
  --burst->group->open;
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

// Takes what launches left that were not looked at, as long as it is there.
void Bursts::follow(Burst& burst) {
  if (burst.unlooked == 0 || !burst.is_undisturbed()) return;
  burst.unlooked = 0;
  auto left = m_memory.digests(burst.regions);
  if (!left) return trouble(left.error().message);
  for (std::size_t i = 0; i < left->size(); ++i)
    burst.known[i].insert((*left)[i]);
  burst.last_left = *left;
  if (burst.left.size() < most_left) burst.left.push_back(std::move(*left));
  if (burst.event.codes.size() < 2) return;
  if (auto content = m_memory.keep(burst.regions)) burst.left_content = std::move(*content);
}

void Bursts::write_to(const std::function<bool(const Burst&)>& condition) {
  for (Burst& burst : m_open) {
    if (!condition(burst)) continue;
    follow(burst);
    if (burst.event.codes.size() > 1) settle(burst);
    burst.is_disturbed = true;
  }
}

void Bursts::memory_is_written(const Region& region) {
  const std::lock_guard lock(m_mutex);
  write_to([&](const Burst& burst) { return burst.touches({region}); });
}

void Bursts::all_memory_is_written() {
  const std::lock_guard lock(m_mutex);
  write_to([](const Burst&) { return true; });
}

bool Bursts::is_used(const Region& region) {
  const Regions wanted = {region};
  const std::lock_guard lock(m_mutex);
  return std::any_of(m_open.begin(), m_open.end(),
                     [&](const Burst& burst) { return burst.touches(wanted); });
}

void Bursts::memory_goes(const Region& region) {
  const std::lock_guard lock(m_mutex);
  const Regions gone = {region};
  const auto is_there = [&](const Burst& burst) { return burst.touches(gone); };
  // What nobody has read until then nobody reads.
  for (Burst& burst : m_open)
    if (!burst.was_read && is_there(burst)) burst.next_is_copy = true;
  close_if(is_there);
}

void Bursts::code_goes(const void* owner) {
  const std::lock_guard lock(m_mutex);
  m_counted.clear();  // another function may get the same address
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

void Bursts::tell_totals_at_times() {
  const std::int64_t now_ns = evidence_now_ns();
  if (now_ns < m_totals_due_ns) return;
  tell_totals();
  const std::int64_t after_ns = evidence_now_ns();
  m_totals_due_ns = after_ns + std::max(totals_every_ns, totals_cost * (after_ns - now_ns));
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
  m_counted.clear();
  m_groups.clear();
  m_streams.clear();
  launching = 0;
  m_mutex.unlock();
}

void Bursts::trouble(const std::string& what) {
  if (m_troubles.insert(what).second) m_tell(to_line(TroubleEvent{::getpid(), what}));
}

}  // namespace tunecheck::watch
