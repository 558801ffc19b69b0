#include "watch/rules.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "watch/rule_parts.hpp"
#include "watch/tunings.hpp"

namespace tunecheck::watch {
namespace {

using Finding = WatchResult::Finding;

constexpr std::int64_t every_step = 3;  // tunings with the same winner

std::string bytes_text(std::uint64_t bytes) {
  return bytes == 1 ? "1 byte" : fmt::format("{} bytes", bytes);
}

// Applies the rules, one after the other, and keeps each finding once.
class Rules {
 public:
  Rules(const std::vector<ProgramRun>& runs, bool first_is_warm)
      : m_runs(runs), m_tunings(runs, first_is_warm) {}

  std::vector<Finding> apply() {
    for (std::size_t run = 0; run < m_runs.size(); ++run) {
      if (m_runs[run].start != Start::usual) continue;
      for (const auto& [key, group] : m_tunings.groups(run)) {
        for (const BurstEvent* const burst : group.bursts)
          if (burst->codes.size() > 1) ask_burst(run, key, *burst);
        ask_steps(run, key, group);
        ask_ranks(run, key, group);
        if (m_tunings.is_warm(run)) ask_again(run, key, group);
        if (run > 0) ask_changed(run, key, group);
      }
    }
    ask_other_inputs();
    for (Finding& finding : find_compiled(m_runs, m_tunings))
      add(std::move(finding));
    for (Finding& finding : find_late(m_runs, m_tunings))
      add(std::move(finding));
    for (Finding& finding : find_stale(m_runs, m_tunings))
      add(std::move(finding));
    const auto& words = all_watch_words();
    const auto rank = [&](const Finding& finding) {
      return std::pair(!finding.is_certain,
                       std::find(words.begin(), words.end(), finding.word) - words.begin());
    };
    std::stable_sort(
        m_findings.begin(), m_findings.end(),
        [&](const Finding& one, const Finding& other) { return rank(one) < rank(other); });
    return std::move(m_findings);
  }

 private:
  // The finding to fill in, or null where there is one already. A certain one takes the place of
  // one that is not.
  Finding* add(WatchWord word, bool is_certain, std::size_t run, const BurstEvent& burst) {
    return add(word, is_certain, run, burst.kernel, burst.shapes, burst.place);
  }
  Finding* add(WatchWord word, bool is_certain, std::size_t run, const std::string& kernel,
               const std::string& shapes, const std::string& place_text) {
    return add(finding_of(word, is_certain, m_runs[run], {kernel, shapes}, place_text));
  }
  Finding* add(Finding finding) {
    for (Finding& other : m_findings)
      if (other.word == finding.word && other.kernel == finding.kernel &&
          other.place == finding.place) {
        if (other.is_certain || !finding.is_certain) return nullptr;
        other = std::move(finding);
        return &other;
      }
    return &m_findings.emplace_back(std::move(finding));
  }

  void ask_burst(std::size_t run, const GroupKey& key, const BurstEvent& burst) {
    const Tuned tuned = m_tunings.is_tuning(run, key, burst);
    ask_wrong(run, burst, tuned);
    if (tuned != Tuned::yes) return;
    ask_spoilt(run, burst);
  }

  void ask_wrong(std::size_t run, const BurstEvent& burst, Tuned tuned) {
    if (tuned == Tuned::no || burst.was_on_copies) return;
    const std::int64_t codes = static_cast<std::int64_t>(burst.codes.size());
    if (burst.replay == Replay::not_steady) {
      if (Finding* const finding = add(WatchWord::wrong, false, run, burst))
        finding->text =
            "the winner leaves other results each time it is launched on the same arguments, so "
            "that nobody can say what is right (atomics or an unseeded generator are the usual "
            "reason)";
      return;
    }
    if (burst.replay == Replay::none && tuned == Tuned::yes) {
      if (Finding* const finding = add(WatchWord::wrong, false, run, burst))
        finding->text = fmt::format("whether the tuning changed a result is not known: {}",
                                    burst.why_not.empty() ? "it was not looked at" : burst.why_not);
      return;
    }
    if (burst.replay != Replay::differs) return;
    std::uint64_t written = 0;
    for (const ArgumentSeen& argument : burst.arguments)
      written += argument.written;
    // A program that has come back to a code is done with its trials.
    const bool is_over = burst.is_over || came_back(burst.codes, burst.winner, burst.last_path);
    const bool is_certain = tuned == Tuned::yes && !burst.concurrent && is_over && written > 0;
    Finding* const finding = add(WatchWord::wrong, is_certain, run, burst);
    if (finding == nullptr) return;
    if (burst.concurrent) {
      finding->text =
          "one launch of the winner leaves another result than the program was left with, but "
          "several threads launched on the same arguments at once";
    } else if (tuned == Tuned::yes && !is_over) {
      finding->text =
          "when the process ended, its tuning had left another result than one launch of the last "
          "code does; nobody knows whether it was over";
    } else if (tuned == Tuned::yes && !burst.why_not.empty()) {
      finding->text = fmt::format(
          "one launch of the winner leaves another result than the program was left with, and "
          "nobody knows whether in bytes that the winner writes: {}",
          burst.why_not);
    } else if (tuned == Tuned::yes && written == 0) {
      finding->text =
          "trials have left something in bytes that the winner does not write: a workspace or "
          "padding is allowed to hold anything, a result is not";
    } else if (tuned != Tuned::yes) {
      finding->text = fmt::format(
          "one launch of the last of {} codes leaves another result than the program was left "
          "with; if the program launches all of these codes on purpose, that is right",
          codes);
    } else {
      finding->text =
          "the tuning changed what the program computes: one launch of the winner on what the "
          "caller gave leaves another result";
    }
    finding->details.push_back(fmt::format("{} in {} codes; the winner is {}",
                                           launches_text(burst.launches()), codes, burst.winner));
    for (const ArgumentSeen& argument : burst.arguments)
      if (argument.differing > 0)
        finding->details.push_back(fmt::format("argument {} ({}): {} of them differ",
                                               argument.index, bytes_text(argument.bytes),
                                               argument.differing));
    for (const ArgumentSeen& argument : burst.arguments)
      if (argument.spoilt > 0)
        finding->details.push_back(fmt::format(
            "{} before the winner's found what an earlier one had left in argument {}; nothing put "
            "it back (in Triton: restore_value or reset_to_zero)",
            launches_text(argument.spoilt), argument.index));
  }

  void ask_spoilt(std::size_t run, const BurstEvent& burst) {
    if (burst.replay == Replay::differs && !burst.was_on_copies) return;
    for (const ArgumentSeen& argument : burst.arguments) {
      if (argument.spoilt == 0 || !argument.is_read) continue;
      Finding* const finding = add(WatchWord::spoilt, true, run, burst);
      if (finding == nullptr) return;
      finding->text = fmt::format(
          "the winner was chosen on spoilt input: {} of trials found what an earlier one had left "
          "in argument {}, which the kernel reads; the result is right",
          launches_text(argument.spoilt), argument.index);
      return;
    }
  }

  void ask_again(std::size_t run, const GroupKey& key, const Group& group) {
    // What no earlier start has launched was never tuned before.
    if (run > 0 && m_tunings.group(0, key) == nullptr) return;
    for (const TotalEvent* const total : group.totals) {
      if (total->codes.size() < 2) continue;
      const BurstEvent* const burst = last_burst(group, total->pid);
      Tuned tuned = m_tunings.is_tuning(run, key, *total);
      bool some_unclear = false;
      bool has_old_numbers = burst == nullptr;
      for (const BurstEvent* const each : group.bursts) {
        if (each->pid != total->pid) continue;
        if (each->codes.size() > 1 || each->winner != total->last_code)
          has_old_numbers = has_old_numbers || run == 0 || has_numbers(0, key, *each);
        if (each->codes.size() < 2) continue;
        const Tuned judged = m_tunings.is_tuning(run, key, *each);
        if (judged == Tuned::yes) tuned = Tuned::yes;
        some_unclear = some_unclear || judged == Tuned::unclear;
      }
      if (tuned == Tuned::yes && !has_old_numbers) {
        if (Finding* const finding = add(WatchWord::again, false, run, *burst))
          finding->text =
              "a warm start tunes, for numbers that the first start did not launch the kernel "
              "with: "
              "if they are part of what it is tuned for, that is right";
        continue;
      }
      // Tensors of equal shape may well have winners of their own.
      if (tuned == Tuned::no || (tuned == Tuned::unclear && !some_unclear)) continue;
      Finding* const finding = add(WatchWord::again, tuned == Tuned::yes, run, total->kernel,
                                   total->shapes, burst != nullptr ? burst->place : "");
      if (finding == nullptr) continue;
      std::int64_t launches = 0;
      for (const CodeLaunches& code : total->codes)
        launches += code.launches;
      finding->text = tuned == Tuned::yes
                          ? fmt::format("tuned again in a warm start: {} codes, {} in all",
                                        total->codes.size(), launches_text(launches))
                          : fmt::format(
                                "a warm start launches {} codes on the same arguments ({}); if the "
                                "program does not do that on purpose, it tunes again",
                                total->codes.size(), launches_text(launches));
    }
  }

  // Has a run launched the kernel with the same numbers, as far as is known?
  bool has_numbers(std::size_t run, const GroupKey& key, const BurstEvent& like) const {
    const Group* const group = m_tunings.group(run, key);
    return group != nullptr &&
           (!is_told_whole(*group) ||
            std::any_of(group->bursts.begin(), group->bursts.end(),
                        [&](const BurstEvent* burst) { return burst->scalars == like.scalars; }));
  }

  // The last burst of a run with these inputs: those before it may have been trials on copies.
  static const BurstEvent* call_on(const Group& group, const BurstEvent& like) {
    const BurstEvent* found = nullptr;
    for (const BurstEvent* const burst : group.bursts)
      if (burst->inputs == like.inputs && burst->scalars == like.scalars && !burst->was_on_copies)
        found = burst;
    return found;
  }

  // What the program ended up with for these numbers: the code of their last burst, or where not
  // all launches were looked at, the code of the kernel's last launch. "" where that is not known.
  static std::string settled(const Group& group, const std::string& scalars) {
    if (is_told_whole(group)) {
      const BurstEvent* last = nullptr;
      for (const BurstEvent* const burst : group.bursts)
        if (burst->scalars == scalars) last = burst;
      return last == nullptr ? "" : last->winner;
    }
    const bool is_alone =
        group.totals.size() == 1 &&
        std::all_of(group.bursts.begin(), group.bursts.end(),
                    [&](const BurstEvent* burst) { return burst->scalars == scalars; });
    return is_alone ? group.totals.front()->last_code : "";
  }

  // False where processes of one start differ, which is said elsewhere.
  static bool agree(const Group& group) {
    return std::all_of(group.totals.begin(), group.totals.end(), [&](const TotalEvent* total) {
      return total->last_code == group.totals.front()->last_code;
    });
  }

  // The last result of this code on these inputs; null where none is known.
  static const BurstEvent* result_of(const Group& group, const std::string& code,
                                     const BurstEvent& like) {
    const BurstEvent* found = nullptr;
    for (const BurstEvent* const burst : group.bursts)
      if (burst->inputs == like.inputs && burst->scalars == like.scalars && burst->winner == code &&
          !burst->result.empty())
        found = burst;
    return found;
  }

  void ask_changed(std::size_t run, const GroupKey& key, const Group& group) {
    const Group* const cold = m_tunings.group(0, key);
    if (cold == nullptr) return;
    std::set<std::string> asked;
    for (const BurstEvent* const burst : group.bursts) {
      if (!asked.insert(burst->scalars).second) continue;
      const std::string before = settled(*cold, burst->scalars);
      const std::string now = settled(group, burst->scalars);
      if (before.empty() || now.empty() || before == now || !agree(*cold) || !agree(group))
        continue;
      // Both starts have work for both codes: which came last may be chance.
      if (m_tunings.is_used(run, key, before) || m_tunings.is_used(0, key, now)) continue;
      const bool was_chosen = m_tunings.were_alternatives(key, {before, now});
      Finding* const finding = add(WatchWord::changed, was_chosen, run, *burst);
      if (finding == nullptr) continue;
      finding->text = fmt::format(
          "a warm start settles on other code than the cold one for equal arguments{}{}",
          bits_text(*cold, before, group, now),
          was_chosen ? ""
                     : "; no start was seen to choose between the two, so that the program may do "
                       "that on purpose");
      finding->details.push_back("cold: " + before);
      finding->details.push_back("warm: " + now);
    }
  }

  // ", and leaves other bits", where both were seen on the same inputs.
  static std::string bits_text(const Group& cold, const std::string& before, const Group& warm,
                               const std::string& now) {
    std::string text;
    for (const BurstEvent* const burst : warm.bursts) {
      if (burst->winner != now || burst->result.empty() || burst->inputs.empty()) continue;
      const BurstEvent* const other = result_of(cold, before, *burst);
      if (other == nullptr) continue;
      if (other->result != burst->result) return ", and leaves other bits";
      text = ", and leaves the same bits";
    }
    return text;
  }

  // Bursts of one process that differ in their numbers alone, each a tuning, all with one winner.
  void ask_steps(std::size_t run, const GroupKey& key, const Group& group) {
    struct Tuning {
      std::set<std::string> numbers;
      const BurstEvent* last = nullptr;
    };
    std::map<std::pair<int, std::string>, Tuning> tunings;
    for (const BurstEvent* const burst : group.bursts) {
      if (burst->codes.size() < 2 || burst->was_on_copies ||
          m_tunings.is_tuning(run, key, *burst) != Tuned::yes)
        continue;
      Tuning& tuning = tunings[{burst->pid, burst->winner}];
      tuning.numbers.insert(burst->scalars);
      tuning.last = burst;
    }
    for (const auto& [of, tuning] : tunings) {
      if (static_cast<std::int64_t>(tuning.numbers.size()) < every_step) continue;
      // A number that comes again may well be worth a tuning of its own.
      const bool is_certain = uses(group, of.first, tuning.numbers) <= tuning.numbers.size();
      Finding* const finding = add(WatchWord::every_step, is_certain, run, *tuning.last);
      if (finding == nullptr) continue;
      finding->text =
          is_certain
              ? "tuned anew for each value of a number, and the winner is the same each time"
              : "tuned for each value of a number, and the winner is the same each time; but the "
                "values are used again, so that it may be right to tune for each";
      finding->details.push_back("winner: " + tuning.last->winner);
      finding->details.push_back(fmt::format("values: {}", fmt::join(tuning.numbers, "; ")));
    }
  }

  // How often a process launched the kernel with these numbers, other than to try a code.
  static std::size_t uses(const Group& group, int pid, const std::set<std::string>& numbers) {
    std::int64_t launches = 0;
    for (const BurstEvent* const burst : group.bursts)
      if (burst->pid == pid && numbers.contains(burst->scalars))
        launches += burst->codes.size() > 1 ? burst->after_trials : burst->launches();
    return static_cast<std::size_t>(launches);
  }

  // The second witness of WRONG: where two warm starts agree on what the first launch of a kernel
  // finds, and no launch of a cold start that tuned it found that. Asked of the earliest such
  // kernel alone, since what follows it may be its consequence, and not where something else is
  // known to change results.
  void ask_other_inputs() {
    if (m_runs.size() < 3 || m_tunings.is_warm(0) || !m_tunings.is_warm(2) ||
        m_runs[0].input_is_used_up)
      return;
    for (const Finding& finding : m_findings)
      if (finding.is_certain &&
          (finding.word == WatchWord::wrong || finding.word == WatchWord::changed ||
           finding.word == WatchWord::ranks))
        return;
    const BurstEvent* earliest = nullptr;
    for (const auto& [key, cold] : m_tunings.groups(0)) {
      const BurstEvent* const warm = first_call(1, key);
      const BurstEvent* const again = first_call(2, key);
      if (warm == nullptr || again == nullptr || warm->inputs != again->inputs ||
          warm->scalars != again->scalars || warm->inputs.empty() || !is_told_whole(cold) ||
          !was_tuned(key, cold) || call_on(cold, *warm) != nullptr ||
          (!finds_another(cold, *warm, Use::input) && !finds_another(cold, *warm, Use::unknown)))
        continue;
      if (earliest == nullptr || warm->first_ns < earliest->first_ns) earliest = warm;
    }
    if (earliest == nullptr) return;
    const Group& cold = *m_tunings.group(0, {earliest->kernel, earliest->shapes});
    const std::set<std::string>& state = m_runs[0].may_keep_state;
    const bool has_state = !state.empty();
    const bool is_input = finds_another(cold, *earliest, Use::input);
    Finding* const finding = add(WatchWord::wrong, !has_state && is_input, 0, *earliest);
    if (finding == nullptr) return;
    finding->text =
        "the tuning changed what the kernel is given: no launch of the cold start found what the "
        "first one finds in both warm starts, which do not tune";
    if (has_state)
      finding->details.push_back(fmt::format(
          "the cold start also wrote in {}: if later starts go on from there, this is right",
          *state.begin()));
    if (!is_input)
      finding->details.push_back(
          "the kernel writes what differs; if it does not read it before, it may hold anything");
    for (const ArgumentSeen& argument : earliest->arguments)
      if (was_never_found(cold, argument))
        finding->details.push_back(
            fmt::format("argument {} ({}) is another", argument.index, bytes_text(argument.bytes)));
  }

  static bool was_never_found(const Group& group, const ArgumentSeen& argument) {
    return std::none_of(group.bursts.begin(), group.bursts.end(), [&](const BurstEvent* burst) {
      return std::any_of(burst->arguments.begin(), burst->arguments.end(),
                         [&](const ArgumentSeen& other) {
                           return other.index == argument.index && other.found == argument.found;
                         });
    });
  }
  // Memory for results, as it comes from an allocator, may hold something else in each start.
  enum class Use { input, output, unknown };
  static Use use_of(const Group& group, const ArgumentSeen& argument) {
    bool is_written = argument.is_written;
    bool is_replayed = false;
    for (const BurstEvent* const burst : group.bursts)
      for (const ArgumentSeen& other : burst->arguments) {
        if (other.index != argument.index) continue;
        if (other.is_read) return Use::input;
        is_written = is_written || other.is_written;
        is_replayed =
            is_replayed || burst->replay == Replay::same || burst->replay == Replay::differs;
      }
    if (!is_written) return Use::input;
    return is_replayed ? Use::output : Use::unknown;
  }
  static bool finds_another(const Group& group, const BurstEvent& call, Use use) {
    return std::any_of(call.arguments.begin(), call.arguments.end(),
                       [&](const ArgumentSeen& argument) {
                         return was_never_found(group, argument) && use_of(group, argument) == use;
                       });
  }

  const BurstEvent* first_call(std::size_t run, const GroupKey& key) const {
    const Group* const group = m_tunings.group(run, key);
    return group == nullptr || group->bursts.empty() ? nullptr : group->bursts.front();
  }
  bool was_tuned(const GroupKey& key, const Group& cold) const {
    return std::any_of(cold.bursts.begin(), cold.bursts.end(), [&](const BurstEvent* burst) {
      return m_tunings.is_tuning(0, key, *burst) == Tuned::yes;
    });
  }
  // False where launches were only counted.
  static bool is_told_whole(const Group& group) {
    std::int64_t told = 0;
    for (const BurstEvent* const burst : group.bursts)
      told += burst->launches();
    // Totals of a process that was killed are older than its bursts.
    return told >= group.launch_count();
  }

  // Processes of one start, with ranks, and what each launched last on equal arguments.
  void ask_ranks(std::size_t run, const GroupKey& key, const Group& group) {
    std::map<int, std::string> rank_of;
    for (const ProcessEvent& process : m_runs[run].told.processes)
      if (!process.rank.empty()) rank_of[process.pid] = process.rank;
    // A worker may be told its rank when it has begun.
    for (const TotalEvent* const total : group.totals)
      if (!total->rank.empty()) rank_of[total->pid] = total->rank;
    std::map<std::string, std::string> settled;  // code by rank
    for (const TotalEvent* const total : group.totals)
      if (rank_of.contains(total->pid)) settled[rank_of[total->pid]] = total->last_code;
    std::set<std::string> codes;
    for (const auto& [rank, code] : settled)
      codes.insert(code);
    if (codes.size() < 2) return;
    const BurstEvent* const burst = group.bursts.empty() ? nullptr : group.bursts.back();
    const TotalEvent& total = *group.totals.front();
    const bool is_certain = m_tunings.were_alternatives(key, codes);
    Finding* const finding = add(WatchWord::ranks, is_certain, run, total.kernel, total.shapes,
                                 burst != nullptr ? burst->place : "");
    if (finding == nullptr) return;
    finding->text =
        is_certain
            ? "processes of one start settled on different codes for equal arguments"
            : "processes of one start launched different codes last for equal arguments; no tuning "
              "was seen that tried these, so that they may be kernels of one name";
    for (const auto& [rank, code] : settled)
      finding->details.push_back(fmt::format("rank {}: {}", rank, code));
  }

  const std::vector<ProgramRun>& m_runs;
  Tunings m_tunings;
  std::vector<Finding> m_findings;
};

}  // namespace

std::vector<Finding> find_findings(const std::vector<ProgramRun>& runs, bool first_is_warm) {
  return Rules(runs, first_is_warm).apply();
}

std::vector<WatchResult::Kernel> count_kernels(const std::vector<ProgramRun>& runs,
                                               bool first_is_warm) {
  const Tunings tunings(runs, first_is_warm);
  std::map<std::string, WatchResult::Kernel> kernels;
  std::map<std::string, std::set<std::string>> codes;
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const auto& [key, group] : tunings.groups(run)) {
      WatchResult::Kernel& kernel = kernels[key.first];
      kernel.name = key.first;
      kernel.launches.resize(runs.size());
      kernel.trials.resize(runs.size());
      kernel.launches[run] += group.launch_count();
      kernel.trials[run] += tunings.trials(run, key);
      if (run == 0)
        for (const auto& [code, count] : group.launches)
          codes[key.first].insert(code);
    }
  std::vector<WatchResult::Kernel> all;
  for (auto& [name, kernel] : kernels) {
    kernel.codes = static_cast<std::int64_t>(codes[name].size());
    all.push_back(std::move(kernel));
  }
  return all;
}

WatchResult::Place place_in(const std::string& text) {
  WatchResult::Place place;
  const std::size_t bracket = text.rfind(" (");
  const std::string file_and_line = text.substr(0, bracket);
  if (bracket != text.npos && text.ends_with(")"))
    place.function = text.substr(bracket + 2, text.size() - bracket - 3);
  const std::size_t colon = file_and_line.rfind(':');
  if (colon != text.npos) {
    const char* const end = file_and_line.data() + file_and_line.size();
    const auto read = std::from_chars(file_and_line.data() + colon + 1, end, place.line);
    if (read.ec == std::errc() && read.ptr == end) {
      place.file = file_and_line.substr(0, colon);
      return place;
    }
  }
  place.line = 0;
  place.file = file_and_line;
  return place;
}

}  // namespace tunecheck::watch
