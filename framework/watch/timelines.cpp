#include "watch/timelines.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "watch/rules.hpp"
#include "watch/tunings.hpp"

namespace tunecheck::watch {
namespace {

using Call = WatchResult::Call;
using Kind = WatchResult::LaunchKind;
using Span = WatchResult::Span;
using Timeline = WatchResult::Timeline;

WatchResult::Replayed replayed_of(const BurstEvent& burst) {
  using Replayed = WatchResult::Replayed;
  if (burst.was_on_copies) return Replayed::on_copies;
  switch (burst.replay) {
    case Replay::none:
      break;
    case Replay::same:
      return Replayed::same;
    case Replay::differs:
      return Replayed::differs;
    case Replay::not_steady:
      return Replayed::not_steady;
  }
  return Replayed::not_asked;
}

// The last launch of any code but the winner.
std::int64_t last_of_others(const BurstEvent& burst) {
  std::int64_t last = burst.first_ns;
  for (const CodeLaunches& code : burst.codes)
    if (code.code != burst.winner) last = std::max(last, code.last_ns);
  return last;
}

// The timeline of one kernel with one set of shapes.
class Draft {
 public:
  Draft(const std::vector<ProgramRun>& runs, const Tunings& tunings, GroupKey key)
      : m_runs(runs), m_tunings(tunings), m_key(std::move(key)) {
    m_timeline.kernel = m_key.first;
    m_timeline.shapes = m_key.second;
  }

  Timeline make() {
    for (std::size_t run = 0; run < m_runs.size(); ++run)
      if (const Group* const group = m_tunings.group(run, m_key)) add_run(run, *group);
    return std::move(m_timeline);
  }

 private:
  void add_run(std::size_t run, const Group& group) {
    std::vector<Call> calls;
    for (const BurstEvent* const burst : group.bursts) {
      note_place(*burst);
      calls.push_back(call_of(run, *burst));
    }
    for (const TotalEvent* const total : group.totals)
      if (auto counted = counted_of(run, group, *total)) calls.push_back(std::move(*counted));
    const auto order = [](const Call& call) {
      return std::tuple(call.process, call.stream, call.spans.empty() ? 0 : call.spans[0].from_ns);
    };
    std::stable_sort(calls.begin(), calls.end(),
                     [&](const Call& one, const Call& other) { return order(one) < order(other); });
    for (Call& call : calls)
      if (!call.spans.empty() && !joins_the_last(call)) m_timeline.calls.push_back(std::move(call));
  }

  void note_place(const BurstEvent& burst) {
    if (m_timeline.place.file.empty()) m_timeline.place = place_in(burst.place);
    if (m_timeline.definition.file.empty()) m_timeline.definition = place_in(burst.definition);
  }

  Call begin_call(std::size_t run, int pid) const {
    Call call;
    call.run = static_cast<std::int64_t>(run);
    call.process = pid;
    for (const ProcessEvent& process : m_runs[run].told.processes)
      if (process.pid == pid && !process.rank.empty()) call.rank = process.rank;
    return call;
  }

  Call call_of(std::size_t run, const BurstEvent& burst) {
    Call call = begin_call(run, burst.pid);
    call.stream = burst.stream;
    call.numbers = burst.scalars;
    call.replayed = replayed_of(burst);
    call.measured = burst.measured;
    const bool is_tuning =
        burst.codes.size() > 1 && m_tunings.is_tuning(run, m_key, burst) == Tuned::yes;
    for (const CodeLaunches& code : burst.codes) {
      call.restored += code.restored;
      if (is_tuning && code.code == burst.winner)
        add_winner(run, burst, code, call);
      else
        add(run, is_tuning ? Kind::trial : Kind::launch, code.code, code.first_ns, code.last_ns,
            code.launches, call);
    }
    if (burst.codes.size() > 1)
      for (const ArgumentSeen& argument : burst.arguments)
        call.spoilt = std::max(call.spoilt, argument.spoilt);
    sort(call);
    return call;
  }

  // Its launches before other codes are trials. When these ended is known if they were one run of
  // launches; otherwise it was before the last launch of another code.
  void add_winner(std::size_t run, const BurstEvent& burst, const CodeLaunches& code, Call& call) {
    const std::int64_t others = last_of_others(burst);
    const std::int64_t after = std::clamp<std::int64_t>(burst.after_trials, 0, code.launches);
    if (const std::int64_t trials = code.launches - after; trials > 0) {
      const std::int64_t end = code.runs == 2 ? code.first_run_ns : others;
      add(run, Kind::trial, code.code, code.first_ns, std::max(code.first_ns, end), trials, call);
    }
    if (after > 0)
      add(run, Kind::winner, code.code, std::max(code.first_ns, code.last_run_ns), code.last_ns,
          after, call);
  }

  // Launches of a process that no burst tells of.
  std::optional<Call> counted_of(std::size_t run, const Group& group, const TotalEvent& total) {
    Call call = begin_call(run, total.pid);
    for (const CodeLaunches& code : total.codes) {
      std::int64_t told = 0;
      std::int64_t after = code.first_ns;
      for (const BurstEvent* const burst : group.bursts) {
        if (burst->pid != total.pid) continue;
        call.stream = burst->stream;
        for (const CodeLaunches& each : burst->codes)
          if (each.code == code.code) {
            told += each.launches;
            if (each.last_ns <= code.last_ns) after = std::max(after, each.last_ns);
          }
      }
      if (told < code.launches)
        add(run, Kind::counted, code.code, after, code.last_ns, code.launches - told, call);
    }
    sort(call);
    return call.spans.empty() ? std::nullopt : std::optional(std::move(call));
  }

  void add(std::size_t run, Kind kind, const std::string& code, std::int64_t from_ns,
           std::int64_t to_ns, std::int64_t launches, Call& call) {
    const auto [place, is_new] =
        m_codes.try_emplace(code, static_cast<std::int64_t>(m_timeline.codes.size()));
    if (is_new) m_timeline.codes.push_back(code);
    const std::int64_t began = m_runs[run].began_ns;
    const std::int64_t from = std::max<std::int64_t>(from_ns - began, 0);
    call.spans.push_back({kind, place->second, from, std::max(from, to_ns - began), launches});
  }

  static void sort(Call& call) {
    std::stable_sort(call.spans.begin(), call.spans.end(), [](const Span& one, const Span& other) {
      return one.from_ns < other.from_ns;
    });
  }

  // A program that goes on with one code: one call stands for all.
  bool joins_the_last(const Call& call) {
    if (m_timeline.calls.empty()) return false;
    Call& last = m_timeline.calls.back();
    const bool is_alike =
        last.run == call.run && last.process == call.process && last.stream == call.stream &&
        last.spans.size() == 1 && call.spans.size() == 1 && last.spans[0].kind == Kind::launch &&
        call.spans[0].kind == Kind::launch && last.spans[0].code == call.spans[0].code;
    if (!is_alike) return false;
    ++last.repeated;
    if (last.numbers != call.numbers) last.numbers.clear();
    last.measured += call.measured;
    last.restored += call.restored;
    last.spans[0].to_ns = std::max(last.spans[0].to_ns, call.spans[0].to_ns);
    last.spans[0].launches += call.spans[0].launches;
    return true;
  }

  const std::vector<ProgramRun>& m_runs;
  const Tunings& m_tunings;
  const GroupKey m_key;
  Timeline m_timeline;
  std::map<std::string, std::int64_t> m_codes;
};

// Kernels of which some run launches several codes that may be a tuning.
std::set<GroupKey> tuned_keys(const Tunings& tunings) {
  std::set<GroupKey> keys;
  for (std::size_t run = 0; run < tunings.run_count(); ++run)
    for (const auto& [key, group] : tunings.groups(run)) {
      bool is_tuned = false;
      for (const BurstEvent* const burst : group.bursts)
        is_tuned = is_tuned ||
                   (burst->codes.size() > 1 && tunings.is_tuning(run, key, *burst) != Tuned::no);
      for (const TotalEvent* const total : group.totals)
        is_tuned = is_tuned ||
                   (total->codes.size() > 1 && tunings.is_tuning(run, key, *total) == Tuned::yes);
      if (is_tuned) keys.insert(key);
    }
  return keys;
}

// Leaves the codes that have spans.
void drop_unused_codes(Timeline& timeline) {
  std::map<std::int64_t, std::int64_t> places;  // by the old ones, in their order
  for (const Call& call : timeline.calls)
    for (const Span& span : call.spans)
      places[span.code];
  std::vector<std::string> codes;
  for (auto& [old, place] : places) {
    place = static_cast<std::int64_t>(codes.size());
    codes.push_back(std::move(timeline.codes[static_cast<std::size_t>(old)]));
  }
  for (Call& call : timeline.calls)
    for (Span& span : call.spans)
      span.code = places[span.code];
  timeline.codes = std::move(codes);
}

// Leaves no more than `most` spans: those of a single code go first, then trials, the latest first.
void cut(std::size_t most, Timeline& timeline) {
  std::vector<std::tuple<int, std::size_t, std::size_t>> places;  // rank, call, span
  for (std::size_t call = 0; call < timeline.calls.size(); ++call)
    for (std::size_t span = 0; span < timeline.calls[call].spans.size(); ++span) {
      const Call& each = timeline.calls[call];
      const bool is_winner = each.spans[span].kind == Kind::winner;
      places.emplace_back(is_winner ? 0 : each.spans.size() > 1 ? 1 : 2, call, span);
    }
  if (places.size() <= most) return;
  std::sort(places.begin(), places.end());
  timeline.spans_left_out = static_cast<std::int64_t>(places.size() - most);
  places.resize(most);
  const std::set<std::pair<std::size_t, std::size_t>> kept = [&] {
    std::set<std::pair<std::size_t, std::size_t>> all;
    for (const auto& [rank, call, span] : places)
      all.emplace(call, span);
    return all;
  }();
  std::vector<Call> calls;
  for (std::size_t call = 0; call < timeline.calls.size(); ++call) {
    Call& each = timeline.calls[call];
    std::vector<Span> spans;
    for (std::size_t span = 0; span < each.spans.size(); ++span)
      if (kept.contains({call, span})) spans.push_back(each.spans[span]);
    if (spans.empty()) continue;
    each.spans = std::move(spans);
    calls.push_back(std::move(each));
  }
  timeline.calls = std::move(calls);
  drop_unused_codes(timeline);
}

std::size_t span_count(const Timeline& timeline) {
  std::size_t count = 0;
  for (const Call& call : timeline.calls)
    count += call.spans.size();
  return count;
}

std::string last_codes(const Group& group) {
  std::set<std::string> codes;
  for (const TotalEvent* const total : group.totals)
    codes.insert(total->last_code);
  return fmt::to_string(fmt::join(codes, ", "));
}

// The time of a tuning whose trials each had arguments of their own.
std::int64_t tuning_ns(const TotalEvent& total) {
  std::int64_t first = 0;
  std::int64_t last = 0;
  for (const CodeLaunches& code : total.codes) {
    if (first == 0 || code.first_ns < first) first = code.first_ns;
    if (code.code != total.last_code) last = std::max(last, code.last_ns);
  }
  return std::max<std::int64_t>(last - first, 0);
}

std::int64_t tuning_ns(const Tunings& tunings, std::size_t run, const GroupKey& key,
                       const Group& group) {
  std::int64_t all = 0;
  for (const BurstEvent* const burst : group.bursts)
    if (burst->codes.size() > 1 && tunings.is_tuning(run, key, *burst) == Tuned::yes)
      all += std::max<std::int64_t>(burst->last_ns - burst->first_ns, 0);
  if (all > 0) return all;
  for (const TotalEvent* const total : group.totals)
    if (total->codes.size() > 1 && tunings.is_tuning(run, key, *total) == Tuned::yes)
      all += tuning_ns(*total);
  return all;
}

}  // namespace

void add_timelines(const std::vector<ProgramRun>& runs, bool first_is_warm, TimelineLimits limits,
                   WatchResult& result) {
  const Tunings tunings(runs, first_is_warm);
  // By whether something was found, and by trials.
  std::vector<std::tuple<bool, std::int64_t, GroupKey>> keys;
  for (const GroupKey& key : tuned_keys(tunings)) {
    std::int64_t trials = 0;
    for (std::size_t run = 0; run < runs.size(); ++run)
      trials += tunings.trials(run, key);
    const bool is_found = std::any_of(
        result.findings.begin(), result.findings.end(), [&](const WatchResult::Finding& finding) {
          return finding.kernel == key.first && finding.shapes == key.second;
        });
    keys.emplace_back(!is_found, -trials, key);
  }
  std::sort(keys.begin(), keys.end());
  std::size_t left = limits.spans;
  for (const auto& [not_found, trials, key] : keys) {
    if (result.timelines.size() == limits.timelines || left == 0) {
      ++result.timelines_left_out;
      continue;
    }
    Timeline timeline = Draft(runs, tunings, key).make();
    cut(std::min(limits.spans_of_one, left), timeline);
    left -= span_count(timeline);
    result.timelines.push_back(std::move(timeline));
  }
}

void add_ends(const std::vector<ProgramRun>& runs, bool first_is_warm,
              std::vector<WatchResult::Kernel>& kernels) {
  const Tunings tunings(runs, first_is_warm);
  for (WatchResult::Kernel& kernel : kernels) {
    kernel.tuning_ns.resize(runs.size());
    std::map<std::string, std::vector<std::string>> by_shapes;
    for (std::size_t run = 0; run < runs.size(); ++run)
      for (const auto& [key, group] : tunings.groups(run)) {
        if (key.first != kernel.name) continue;
        kernel.tuning_ns[run] += tuning_ns(tunings, run, key, group);
        auto& codes = by_shapes[key.second];
        codes.resize(runs.size());
        codes[run] = last_codes(group);
      }
    for (auto& [shapes, codes] : by_shapes) {
      if (kernel.settled.size() < WatchResult::most_settled)
        kernel.settled.push_back({shapes, std::move(codes)});
      else
        ++kernel.settled_left_out;
    }
  }
}

}  // namespace tunecheck::watch
