#include "reports/fields/gate_fields.hpp"

#include <limits>

#include "reports/summary/gate_findings.hpp"

namespace tunecheck::gate {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

double median_or_none(const std::vector<double>& samples) {
  return samples.empty() ? none : median(samples);
}

}  // namespace

const Words<Answer>& words_of(Of<Answer>) {
  static const Words<Answer> words = [] {
    Words<Answer> all;
    for (const Answer answer : {Answer::pass, Answer::improved, Answer::inconclusive,
                                Answer::regression, Answer::invalid})
      all.emplace_back(answer, to_string(answer));
    return all;
  }();
  return words;
}

const Words<Role>& words_of(Of<Role>) {
  static const Words<Role> words = {
      {Role::measured, "measured"}, {Role::same, "same"}, {Role::slowed, "slowed"}};
  return words;
}

const Words<TimeKind>& words_of(Of<TimeKind>) {
  static const Words<TimeKind> words = {{TimeKind::wall, "wall_time"}, {TimeKind::cpu, "cpu_time"}};
  return words;
}

const Words<Side>& words_of(Of<Side>) {
  static const Words<Side> words = {{Side::base, "base"}, {Side::head, "head"}};
  return words;
}

const Fields<Settings>& fields_of(Of<Settings>) {
  using T = Settings;
  static const Fields<T> fields = {
      "GateSettings",
      "of the rule; docs/gate-rule.md",
      {{"delta", &T::delta, {.least = 0}},
       {"tolerance", &T::tolerance, {.least = 0}},
       {"alpha", &T::alpha, {.least = 0, .most = 1}},
       {"same_alpha", &T::same_alpha, {.least = 0, .most = 1, .is_newer = true}},
       {"pass_alpha", &T::pass_alpha, {.least = 0, .most = 1}},
       {"planned_power", &T::planned_power, {.least = 0, .most = 1}},
       {"stated_power", &T::stated_power, {.least = 0, .most = 1}},
       {"planted", &T::planted, {.least = 0}},
       {"screen_pairs", &T::screen_pairs},
       {"least_pairs", &T::least_pairs},
       {"most_pairs", &T::most_pairs}}};
  return fields;
}

const Fields<SideResult>& fields_of(Of<SideResult>) {
  using T = SideResult;
  static const Fields<T> fields = {
      "GateSide",
      "",
      {{"given", &T::given, {.says = "as the command line named it"}},
       {"folder", &T::folder, {.says = "of the build; empty of recordings and of a stored run"}},
       {"commit", &T::commit, {.says = "of a revision; empty of a folder"}},
       {"tuner", &T::tuner, {.says = "name and version as the adapter says"}},
       {"environment", &T::environment, {.says = "digests of program and kernels"}}}};
  return fields;
}

const Fields<Subject>& fields_of(Of<Subject>) {
  using T = Subject;
  static const Fields<T> fields = {
      "GateSubject",
      "",
      {{"name", &T::name},
       {"metric", &T::metric, {.says = "what is measured; docs/gate.md"}},
       {"kernel", &T::kernel, {.says = "empty if there is none"}},
       {"size", &T::size, {.says = "empty if there is none"}},
       {"backend", &T::backend},
       {"unit", &T::unit}}};
  return fields;
}

const Fields<ProcessRun>& fields_of(Of<ProcessRun>) {
  using T = ProcessRun;
  static const Fields<T> fields = {
      "MeasuredProcess",
      "one fresh process",
      {{"failure", &T::failure, {.says = "why there is no result; else empty"}},
       {"median",
        [](const T& run) { return median_or_none(run.samples); },
        {.says = "of samples; null if there is none", .null_is = none}},
       {"samples",
        &T::samples,
        {.says = "in the unit of the benchmark; null: no finite number", .null_is = none}},
       {"cpu_median",
        [](const T& run) { return median_or_none(run.cpu_samples); },
        {.says = "of cpu_samples; null if there is none", .null_is = none, .is_newer = true}},
       {"cpu_samples",
        &T::cpu_samples,
        {.says = "CPU time of what samples has the wall time of; empty if it is not known, or if "
                 "the benchmark is about another time",
         .null_is = none,
         .is_newer = true}},
       {"waited",
        &T::waited,
        {.says =
             "how long the first thread neither worked nor waited for a core, as a share of the "
             "CPU time; null: not known",
         .null_is = none,
         .is_newer = true}},
       {"waits",
        &T::waits,
        {.says = "how often a thread waited for anything; -1: not known",
         .may_be_negative = true,
         .is_newer = true}}}};
  return fields;
}

const Fields<PairRecord>& fields_of(Of<PairRecord>) {
  using T = PairRecord;
  constexpr auto base = [](auto& record) -> auto& {
    return record.pair.base;
  };
  constexpr auto head = [](auto& record) -> auto& {
    return record.pair.head;
  };
  static const Fields<T> fields = {"GatePair",
                                   "",
                                   {{"first", &T::first, {.says = "the process that ran first"}},
                                    {"base", base},
                                    {"head", head}}};
  return fields;
}

const Fields<Finding>& fields_of(Of<Finding>) {
  using T = Finding;
  static const Fields<T> fields = {
      "GateFinding",
      "",
      {{"answer", &T::answer, {.says = "inconclusive until settled"}},
       {"reason", &T::reason},
       {"decided_by",
        &T::decided_by,
        {.says = "the time that the changes are of: CPU time only if wall time could not decide",
         .is_newer = true}},
       {"change", &T::change, {.says = "estimated; null: none", .null_is = none}},
       {"at_least", &T::at_least, {.says = "null: not bounded", .null_is = -infinity}},
       {"at_most", &T::at_most, {.says = "null: not bounded", .null_is = infinity}},
       {"detectable", &T::detectable, {.says = "null: not known", .null_is = infinity}},
       {"screen_pairs", &T::screen_pairs},
       {"confirmation_pairs", &T::confirmation_pairs}}};
  return fields;
}

const Fields<CanaryOf>& fields_of(Of<CanaryOf>) {
  using T = CanaryOf;
  static const Fields<T> fields = {
      "GateCanary",
      "",
      {{"canary_of",
        &T::benchmark,
        {.says = "the benchmark whose processes a canary runs; else empty", .is_newer = true}},
       {"slowed_by",
        &T::slowed_by,
        {.says =
             "how the head of a canary is slowed down: by work in the process, by stopping it, "
             "by a longer launch, by taking its answer late, by a loop in the kernel; else empty",
         .words = {"", "work", "stops", "launch", "answer", "loop"},
         .is_newer = true}}}};
  return fields;
}

const Fields<BenchmarkResult>& fields_of(Of<BenchmarkResult>) {
  using T = BenchmarkResult;
  using List = std::vector<Field<T>>;
  static const Fields<T> fields = {
      "GateBenchmark", "",
      joined(fields_of_part(&T::subject),
             List{{"role", &T::role, {.says = "same and slowed are canaries"}}},
             fields_of_part(&T::canary_of),
             List{{"settled", &T::is_settled, {.says = "false: it still needed pairs"}}},
             fields_of_part(&T::finding),
             List{{"base_median",
                   [](const T& benchmark) { return median_of(benchmark, Side::base); },
                   {.says = "the median of the processes' medians; null: none", .null_is = none}},
                  {"head_median",
                   [](const T& benchmark) { return median_of(benchmark, Side::head); },
                   {.null_is = none}},
                  {"pairs",
                   &T::pairs,
                   {.says = "if kind is stored, records of one process each: the other side has no "
                            "sample"}}})};
  return fields;
}

const Fields<CountFinding>& fields_of(Of<CountFinding>) {
  using T = CountFinding;
  static const Fields<T> fields = {
      "CountFinding", "", {{"answer", &T::answer}, {"reason", &T::reason}}};
  return fields;
}

const Fields<CountResult>& fields_of(Of<CountResult>) {
  using T = CountResult;
  using List = std::vector<Field<T>>;
  static const Fields<T> fields = {
      "GateCount", "what is counted, not timed",
      joined(fields_of_part(&T::subject), fields_of_part(&T::finding),
             List{{"base", &T::base, {.says = "of each process", .may_be_negative = true}},
                  {"head", &T::head, {.may_be_negative = true}}})};
  return fields;
}

const Fields<WinnerChange>& fields_of(Of<WinnerChange>) {
  using T = WinnerChange;
  static const Fields<T> fields = {
      "WinnerChange",
      "the tunings of base and head chose differently",
      {{"kernel", &T::kernel},
       {"size", &T::size},
       {"backend", &T::backend},
       {"base", &T::base, {.says = "the config that won most often"}},
       {"head", &T::head},
       {"base_winners", &T::base_winners, {.says = "tunings that chose a config"}},
       {"head_winners", &T::head_winners},
       {"benchmark",
        &T::benchmark,
        {.says = "the name of the benchmark that measures one config against the other; empty: "
                 "none"}},
       {"reason", &T::reason, {.says = "why there is none; else empty"}}}};
  return fields;
}

const Fields<Renaming>& fields_of(Of<Renaming>) {
  using T = Renaming;
  static const Fields<T> fields = {"Renaming", "", {{"base", &T::base}, {"head", &T::head}}};
  return fields;
}

const Fields<NotMeasured>& fields_of(Of<NotMeasured>) {
  using T = NotMeasured;
  static const Fields<T> fields = {"NotMeasured", "", {{"name", &T::name}, {"reason", &T::reason}}};
  return fields;
}

const Fields<GateResult>& fields_of(Of<GateResult>) {
  using T = GateResult;
  static const Fields<T> fields = {
      "Gate",
      "Changes are those of the head against the base: 0.05 is 5 % slower, -0.05 5 % faster.",
      {schema_field<T>(gate_schema_version),
       {"tunecheck_version", &T::tunecheck_version},
       {"started", &T::started, {.says = "UTC, ISO 8601"}},
       {"kind",
        &T::kind,
        {.says =
             "processes of an adapter; of a Google Benchmark program; its JSON files; processes "
             "of an adapter against a stored run",
         .words = {"adapter", "google_benchmark", "recordings", "stored"}}},
       {"adapter", &T::adapter, {.says = "empty if kind is google_benchmark or recordings"}},
       {"backend", &T::backend},
       {"seed", &T::seed, {.says = "of the order of the processes"}},
       {"settings", &T::settings},
       {"environment", &T::environment, {.says = "about the machine"}},
       {"pinning", &T::pinning, {.says = "whether processes were pinned, and to which CPU"}},
       {"wall_ns", &T::wall_ns},
       {"complete",
        &T::is_complete,
        {.says = "false: the session was still running when this was written, or was interrupted"}},
       {"answer", &T::answer, {.says = "of the whole session; invalid until complete"}},
       {"reason", &T::reason, {.says = "why it is invalid, and what to do; else empty"}},
       {"detectable",
        &T::detectable,
        {.says = "the smallest slowdown that every measured benchmark would have shown with the "
                 "probability stated_power; null: not known",
         .null_is = infinity}},
       {"fail_on_inconclusive", &T::fails_on_inconclusive},
       {"exit_status",
        &T::exit_status,
        {.says = "0 nothing is slower; 2 a regression; 4 not to be trusted; 5 inconclusive, if "
                 "that counts as a failure",
         .values = {0, 2, 4, 5}}},
       {"base", &T::base},
       {"head", &T::head},
       {"benchmarks", &T::benchmarks},
       {"counts", &T::counts},
       {"winner_changes", &T::winner_changes},
       {"added", &T::added, {.says = "benchmarks that only the head has"}},
       {"removed", &T::removed, {.says = "benchmarks that only the base has"}},
       {"renamed",
        &T::renamed,
        {.says = "benchmarks that may have another name in the head; also in removed and added"}},
       {"not_measured", &T::not_measured, {.says = "what was asked for and cannot be measured"}}}};
  return fields;
}

}  // namespace tunecheck::gate
