#include "harness/process/watched_call.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tunecheck {
namespace {

// Launches that were recorded into a graph and not run, taken out of the others.
std::vector<LaunchEvent> take_captured(std::vector<LaunchEvent>& launches) {
  const auto captured = std::stable_partition(
      launches.begin(), launches.end(), [](const LaunchEvent& launch) { return !launch.captured; });
  std::vector<LaunchEvent> taken(std::make_move_iterator(captured),
                                 std::make_move_iterator(launches.end()));
  launches.erase(captured, launches.end());
  return taken;
}

template <typename Event>
void append(std::vector<Event>& events, std::vector<Event> more) {
  events.insert(events.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

// Of calls that were made at the same moment: the one that tuned, as far as they say.
WatchedCall& tuned_one(const std::vector<WatchedCall*>& calls) {
  const auto says_tuned = [](const WatchedCall* call) {
    return call->answer && call->answer->cache != protocol::CacheState::hit;
  };
  const auto answered = [](const WatchedCall* call) { return call->answer.has_value(); };
  auto found = std::find_if(calls.begin(), calls.end(), says_tuned);
  if (found == calls.end()) found = std::find_if(calls.begin(), calls.end(), answered);
  return found == calls.end() ? *calls.front() : **found;
}

// See EvidenceReader::give_to().
void share(std::vector<WatchedCall*> calls, Evidence evidence, int adapter) {
  std::erase_if(calls, [](const WatchedCall* call) { return !call->answer; });
  if (calls.empty()) return;
  std::vector<LaunchEvent> captured = take_captured(evidence.launches);
  std::vector<LaunchEvent>& launches = evidence.launches;
  std::size_t own = launches.size();
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    if (!(*call)->answer->done) continue;
    while (own > 0 && launches[own - 1].pid != adapter)
      --own;
    if (own == 0) break;
    --own;
    (*call)->launches.push_back(std::move(launches[own]));
    launches.erase(launches.begin() + static_cast<std::ptrdiff_t>(own));
  }
  WatchedCall& tuned = tuned_one(calls);
  tuned.compiles = std::move(evidence.compiles);
  tuned.captured = std::move(captured);
  tuned.launches.insert(tuned.launches.begin(), std::make_move_iterator(launches.begin()),
                        std::make_move_iterator(launches.end()));
}

}  // namespace

std::int64_t BurstRecord::kept_waiting_ns() const {
  if (had_children) return 0;
  const std::int64_t not_running_ns = wall_ns - (after.cpu_ns - before.cpu_ns);
  return std::max<std::int64_t>(0, std::min(after.waited_ns - before.waited_ns, not_running_ns));
}

std::string config_or_artifact(const LaunchEvent& launch) {
  if (!launch.config.empty() || launch.module.empty()) return launch.config;
  return "artifact " + (launch.code.empty() ? launch.module : launch.code);
}

std::string WatchedCall::failure_text() const {
  if (!answer) return trouble;
  return answer->done ? "" : "the call failed: " + answer->message;
}

const LaunchEvent* WatchedCall::real_launch() const {
  const bool has_one = !burst && answer && answer->done && !launches.empty();
  return has_one ? &launches.back() : nullptr;
}

void WatchedCall::put_real_launch_last(int adapter) {
  const auto is_real = [&](const LaunchEvent& launch) {
    return launch.pid == adapter && launch.time_ns <= answered_ns();
  };
  const auto found = std::find_if(launches.rbegin(), launches.rend(), is_real);
  if (found == launches.rend()) return;
  const auto place = std::prev(found.base());
  std::rotate(place, std::next(place), launches.end());
}

std::span<const LaunchEvent> WatchedCall::warm_up_launches() const {
  const LaunchEvent* const real = real_launch();
  if (real == nullptr || !compiles.empty()) return {};
  const auto others = std::span(launches).first(launches.size() - 1);
  const std::string code = config_or_artifact(*real);
  const bool warm_up = std::all_of(others.begin(), others.end(), [&](const LaunchEvent& launch) {
    return !code.empty() && config_or_artifact(launch) == code && launch.pid == real->pid &&
           launch.module == real->module;
  });
  return warm_up && std::cmp_less_equal(others.size(), may_warm_up) ? others : others.first(0);
}

std::span<const LaunchEvent> WatchedCall::trial_launches() const {
  if (!warm_up_launches().empty()) return {};
  return std::span(launches).first(launches.size() - (real_launch() != nullptr ? 1 : 0));
}

std::int64_t WatchedCall::compile_count() const {
  return std::count_if(compiles.begin(), compiles.end(),
                       [](const CompileEvent& compile) { return !compile.links; });
}

std::uint64_t WatchedCall::launch_count() const {
  if (!burst) return launches.size();
  return burst->counts.launches + burst->counts.trial_launches + launches.size();
}

std::uint64_t WatchedCall::trial_launch_count() const {
  if (!burst) return trial_launches().size();
  const auto calls = static_cast<std::uint64_t>(burst->calls);
  return launches.size() + burst->counts.trial_launches +
         (burst->counts.launches > calls ? burst->counts.launches - calls : 0);
}

bool WatchedCall::tuned() const {
  return (keeps_artifacts && !compiles.empty()) || trial_launch_count() > 0;
}

EvidenceSource evidence_in(std::filesystem::path file) {
  return [file = std::move(file), read = std::uint64_t{0}]() mutable {
    return read_evidence(file, read);
  };
}

Result<Evidence> EvidenceReader::read() {
  TUNECHECK_TRY(Evidence evidence, m_source());
  std::erase_if(evidence.compiles, [](const CompileEvent& event) { return event.query; });
  return evidence;
}

Result<void> EvidenceReader::give_to(const std::vector<WatchedCall*>& calls, int adapter) {
  TUNECHECK_TRY(Evidence evidence, read());
  // A digest may also fail if a kernel ends its context. A probe that sees nothing says why.
  if (evidence.launches.empty() && !evidence.troubles.empty())
    return failure("the probe sees no launch: {}", evidence.troubles.front().what);
  std::erase_if(evidence.launches,
                [&](const LaunchEvent& event) { return event.kernel != m_kernel; });
  WatchedCall& first = *calls.front();
  first.faults = std::move(evidence.faults);
  first.files = std::move(evidence.files);
  first.unseen_code = std::move(evidence.unseen_code);
  if (calls.size() > 1) {
    share(calls, std::move(evidence), adapter);
    return {};
  }
  first.compiles = std::move(evidence.compiles);
  first.captured = take_captured(evidence.launches);
  first.launches = std::move(evidence.launches);
  return {};
}

Result<void> EvidenceReader::note_late() {
  TUNECHECK_TRY(Evidence evidence, read());
  std::erase_if(evidence.launches,
                [&](const LaunchEvent& event) { return event.kernel != m_kernel; });
  append(m_late.compiles, std::move(evidence.compiles));
  append(m_late.launches, std::move(evidence.launches));
  append(m_late.faults, std::move(evidence.faults));
  append(m_late.files, std::move(evidence.files));
  append(m_late.unseen_code, std::move(evidence.unseen_code));
  return {};
}

void EvidenceReader::give_late_to(const std::vector<WatchedCall*>& calls) {
  Evidence late = std::exchange(m_late, {});
  if (calls.empty()) return;
  append(calls.front()->faults, std::move(late.faults));
  append(calls.front()->files, std::move(late.files));
  append(calls.front()->unseen_code, std::move(late.unseen_code));
  WatchedCall& call = tuned_one(calls);
  append(call.compiles, std::move(late.compiles));
  append(call.captured, take_captured(late.launches));
  const auto place = call.launches.end() - (call.real_launch() != nullptr ? 1 : 0);
  call.launches.insert(place, std::make_move_iterator(late.launches.begin()),
                       std::make_move_iterator(late.launches.end()));
}

}  // namespace tunecheck
