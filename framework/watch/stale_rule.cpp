// STALE: a cache gave out what was made from something that is no longer so.
//
// The witnesses are two starts in empty folders, behind all others: what they launch is what the
// program is made of now. If they agree on the codes that they launch of a kernel, both compiler
// and tuner make the same each time, and a warm start that launches another code has it from a
// cache. A tuner may know codes that no start tries, from a table or a longer search; so it takes
// one of two things more to be certain:
//
//   the code was launched by the cold start before the edit, and the edit has changed all codes of
//   the kernel
//   the fresh starts launch a code of the same name (its config) that is built otherwise
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "watch/rule_parts.hpp"

namespace tunecheck::watch {
namespace {

using Finding = WatchResult::Finding;

// A code by its name, which may be that of its config, and by what is run of it.
struct Built {
  std::string name, built;
  auto operator<=>(const Built&) const = default;
};
using Codes = std::set<Built>;

Built built_of(const CodeLaunches& code) {
  return {code.code, !code.built.empty() ? code.built : code.module};
}

std::string text_of(const Built& code) {
  return code.built.starts_with(code.name) ? code.name
                                           : fmt::format("{} ({:.12})", code.name, code.built);
}

Codes codes_of(const Group* group) {
  Codes codes;
  if (group == nullptr) return codes;
  for (const TotalEvent* const total : group->totals)
    for (const CodeLaunches& code : total->codes)
      codes.insert(built_of(code));
  return codes;
}

bool have_common(const Codes& one, const Codes& other) {
  return std::any_of(one.begin(), one.end(),
                     [&](const Built& code) { return other.contains(code); });
}

// What a warm start that caches could mislead is compared with.
struct Question {
  const ProgramRun& run;
  const GroupKey& key;
  const Group& group;
  Codes before;         // launched by the cold start before the edit; none where nothing was edited
  Codes fresh;          // launched by the first start in empty folders
  bool agrees = false;  // the second one launched the same
  bool was_tuned = false, is_tuned_fresh = false;
};

// Do the bursts of two starts with the same inputs leave the same?
std::string bits_text(const Group& stale, const Group* fresh) {
  std::string text;
  for (const BurstEvent* const burst : stale.bursts)
    for (const BurstEvent* const other : fresh->bursts) {
      if (burst->inputs.empty() || burst->result.empty() || other->result.empty() ||
          burst->inputs != other->inputs || burst->scalars != other->scalars)
        continue;
      if (burst->result != other->result) return "; on equal arguments it leaves other bits";
      text = "; on equal arguments it leaves the same bits";
    }
  return text;
}

// Code may be made for some numbers. So do both launch it with the same?
bool have_equal_numbers(const Group& stale, const Built& code, const Group& fresh) {
  return std::any_of(stale.bursts.begin(), stale.bursts.end(), [&](const BurstEvent* burst) {
    return burst->winner == code.name &&
           std::any_of(fresh.bursts.begin(), fresh.bursts.end(),
                       [&](const BurstEvent* other) { return other->scalars == burst->scalars; });
  });
}

void ask_code(const Question& asked, const TotalEvent& total, const Group* fresh,
              std::vector<Finding>& findings) {
  const auto last = std::find_if(total.codes.begin(), total.codes.end(),
                                 [&](const auto& code) { return code.code == total.last_code; });
  if (last == total.codes.end()) return;
  const Built code = built_of(*last);
  if (code.built.empty() || asked.fresh.contains(code)) return;
  const bool was_made_before =
      asked.before.contains(code) && !have_common(asked.before, asked.fresh);
  const auto namesake = std::find_if(asked.fresh.begin(), asked.fresh.end(),
                                     [&](const Built& other) { return other.name == code.name; });
  const bool is_built_otherwise = namesake != asked.fresh.end();
  const BurstEvent* const burst = last_burst(asked.group, total.pid);
  const bool has_equal_numbers = have_equal_numbers(asked.group, code, *fresh);
  const bool is_certain =
      asked.agrees && has_equal_numbers && (was_made_before || is_built_otherwise);
  Finding& finding = findings.emplace_back(
      finding_of(WatchWord::stale, is_certain, asked.run, asked.key, burst ? burst->place : ""));
  const std::string bits = bits_text(asked.group, fresh);
  if (!asked.agrees)
    finding.text = fmt::format(
        "launches code that no start in empty folders launches, but two of these do not launch the "
        "same codes either{}",
        bits);
  else if (!has_equal_numbers)
    finding.text =
        "launches code that no start in empty folders launches; but these launch the kernel with "
        "other numbers, for which it may be built otherwise";
  else if (was_made_before)
    finding.text = fmt::format(
        "launches code that was made before the edit; a start in empty folders makes other "
        "code{}",
        bits);
  else if (is_built_otherwise)
    finding.text = fmt::format(
        "launches code from a cache that a start in empty folders builds otherwise{}", bits);
  else
    finding.text = fmt::format(
        "launches code from a cache that no start in empty folders launches; if it was found by a "
        "longer search or is in a table, that is right{}",
        bits);
  finding.details.push_back("launched: " + text_of(code));
  if (is_built_otherwise) finding.details.push_back("in empty folders: " + text_of(*namesake));
}

// The code is new, and nobody asked whether the winner still wins.
void ask_winner(const Question& asked, const TotalEvent& total, std::vector<Finding>& findings) {
  if (asked.before.empty() || have_common(asked.before, asked.fresh) || !asked.was_tuned ||
      !asked.is_tuned_fresh || total.codes.size() > 1 ||
      !asked.fresh.contains(built_of(total.codes.front())))
    return;
  const BurstEvent* const burst = last_burst(asked.group, total.pid);
  Finding& finding = findings.emplace_back(
      finding_of(WatchWord::stale, false, asked.run, asked.key, burst ? burst->place : ""));
  finding.text =
      "the edit has changed all codes of the kernel, and the winner was not chosen again: whether "
      "it is still the fastest is not known";
  finding.details.push_back("winner: " + total.codes.front().code);
}

bool is_tuned(const Tunings& tunings, std::size_t run, const GroupKey& key) {
  return tunings.trials(run, key) > 0;
}

}  // namespace

std::vector<Finding> find_stale(const std::vector<ProgramRun>& runs, const Tunings& tunings) {
  std::vector<Finding> findings;
  std::vector<std::size_t> fresh;
  std::optional<std::size_t> asked_of;  // the start that the caches could mislead
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].start == Start::fresh)
      fresh.push_back(i);
    else
      asked_of = i;
  if (fresh.size() < 2 || !asked_of) return findings;
  const bool was_edited = runs[*asked_of].start == Start::edited;
  for (const auto& [key, group] : tunings.groups(*asked_of)) {
    const Group* const one = tunings.group(fresh[0], key);
    // Another kernel, or other shapes: the start did other work.
    if (one == nullptr) continue;
    Question question{runs[*asked_of], key, group, {}, codes_of(one), false, false, false};
    question.agrees = codes_of(tunings.group(fresh[1], key)) == question.fresh;
    question.is_tuned_fresh = is_tuned(tunings, fresh[0], key);
    if (was_edited) {
      question.before = codes_of(tunings.group(0, key));
      question.was_tuned = is_tuned(tunings, 0, key);
    }
    for (const TotalEvent* const total : group.totals) {
      ask_code(question, *total, one, findings);
      ask_winner(question, *total, findings);
    }
  }
  return findings;
}

}  // namespace tunecheck::watch
