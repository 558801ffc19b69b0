// compare_recordings() of google_benchmark.hpp.
#include <algorithm>
#include <cmath>
#include <deque>

#include "core/device_kinds.hpp"
#include "core/files.hpp"
#include "gate/measure/google_benchmark.hpp"
#include "gate/rule/google_benchmark_json.hpp"
#include "gate/rule/name_changes.hpp"
#include "gate/rule/signed_rank.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

struct Recording {
  std::string text;
  GoogleBenchmarkRun run;
};

Result<std::vector<Recording>> read_all(const std::vector<fs::path>& files) {
  std::vector<Recording> recordings;
  for (const fs::path& file : files) {
    TUNECHECK_TRY(std::string text, read_text_file(file));
    TUNECHECK_TRY(GoogleBenchmarkRun run, parse_google_benchmark(text, file));
    recordings.push_back({std::move(text), std::move(run)});
  }
  return recordings;
}

// Of the first file that has any: a program writes its benchmarks in the same order each time.
std::vector<std::string> names_in(const std::vector<Recording>& recordings) {
  std::vector<std::string> names;
  for (const Recording& recording : recordings)
    for (const std::string& name : recording.run.names)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

ProcessRun process_of(const Recording& recording, const std::string& name) {
  const auto found = recording.run.times.find(name);
  return found == recording.run.times.end() ? ProcessRun{{}, "the file does not have it"}
                                            : found->second;
}

// Feeds what there is of this stage's pairs.
void feed(Comparison& comparison, const std::vector<PairRecord>& pairs, std::size_t& used) {
  while (comparison.pairs_missing() > 0 && used < pairs.size())
    comparison.add(pairs[used++].pair);
}

// Of a benchmark that wants more pairs than there are.
Finding too_few(const Comparison& comparison, const std::vector<PairRecord>& pairs) {
  Finding finding;
  std::vector<double> ratios;
  bool is_one = true;
  for (const PairRecord& record : pairs) {
    // A pair that cannot be used has settled the comparison.
    if (const auto ratio = log_ratio(record.pair)) ratios.push_back(*ratio);
    is_one = is_one && is_one_recording(record.pair);
  }
  if (is_one) {
    finding.answer = Answer::invalid;
    finding.reason = "base and head have the same samples: one recording was given twice";
    return finding;
  }
  finding.change = std::expm1(locate(ratios, 0.25, 0.25).estimate);
  finding.reason = fmt::format(
      "{} of {:+.1f} %; {} more {} needed: repetitions in one process do not tell how much the "
      "next "
      "process differs",
      pairs.size() == 1 ? "one pair" : fmt::format("{} pairs", pairs.size()), 100 * finding.change,
      comparison.pairs_missing(), comparison.pairs_missing() == 1 ? "pair is" : "pairs are");
  return finding;
}

bool are_the_same(const std::vector<Recording>& base, const std::vector<Recording>& head) {
  return std::equal(base.begin(), base.end(), head.begin(), head.end(),
                    [](const Recording& a, const Recording& b) { return a.text == b.text; });
}

}  // namespace

Result<void> compare_recordings(const std::vector<fs::path>& base_files,
                                const std::vector<fs::path>& head_files, GateResult& result) {
  TUNECHECK_TRY(const std::vector<Recording> base, read_all(base_files));
  TUNECHECK_TRY(const std::vector<Recording> head, read_all(head_files));
  result.pinning =
      "recordings: the order and the CPU of their processes are not known, and there are no "
      "canaries";
  const std::vector<std::string> in_base = names_in(base), in_head = names_in(head);
  note_names(in_base, in_head, result);
  std::deque<Comparison> comparisons;
  std::vector<std::size_t> used;
  for (const std::string& name : in_base) {
    if (std::find(in_head.begin(), in_head.end(), name) == in_head.end()) continue;
    BenchmarkResult benchmark{
        {name, "real_time", "", "", std::string(name_of(DeviceKind::cpu)), "ns"},
        Role::measured,
        {},
        false,
        {},
        {}};
    for (std::size_t i = 0; i < std::min(base.size(), head.size()); ++i)
      benchmark.pairs.push_back(
          {Side::base, {process_of(base[i], name), process_of(head[i], name)}});
    feed(comparisons.emplace_back(result.settings, result.settings.tolerance), benchmark.pairs,
         used.emplace_back(0));
    result.benchmarks.push_back(std::move(benchmark));
  }
  const auto family = static_cast<std::size_t>(std::count_if(
      comparisons.begin(), comparisons.end(),
      [](const Comparison& comparison) { return comparison.stage() == Stage::suspected; }));
  std::vector<Comparison*> confirmed;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    if (comparisons[i].stage() != Stage::suspected) continue;
    comparisons[i].confirm(family, result.benchmarks[i].pairs.size() - used[i]);
    feed(comparisons[i], result.benchmarks[i].pairs, used[i]);
    if (comparisons[i].stage() == Stage::confirmed) confirmed.push_back(&comparisons[i]);
  }
  settle_all(confirmed, family, result.settings);
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    BenchmarkResult& benchmark = result.benchmarks[i];
    benchmark.is_settled = true;
    benchmark.finding = comparisons[i].stage() == Stage::settled
                            ? comparisons[i].finding()
                            : too_few(comparisons[i], benchmark.pairs);
    answers.push_back(benchmark.finding.answer);
  }
  result.answer = joined(answers);
  if (answers.empty()) result.reason = "base and head have no benchmark in common";
  if (are_the_same(base, head)) {
    result.answer = Answer::invalid;
    result.reason = "base and head are the same files: one recording was given twice";
  }
  result.is_complete = true;
  return {};
}

}  // namespace tunecheck::gate
