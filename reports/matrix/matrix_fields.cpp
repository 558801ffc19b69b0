#include "reports/matrix/matrix_fields.hpp"

namespace tunecheck {
namespace {

Field<MatrixCell> count_field(Verdict verdict) {
  return {std::string(name_of(verdict)),
          [verdict](const MatrixCell& cell) { return cell.of(verdict); }};
}

}  // namespace

const Words<CauseKind>& words_of(Of<CauseKind>) {
  static const Words<CauseKind> words = {{CauseKind::broken_promise, "broken_promise"},
                                         {CauseKind::other_policy, "other_policy"},
                                         {CauseKind::never_said, "never_said"}};
  return words;
}

const Fields<UpstreamIssue>& fields_of(Of<UpstreamIssue>) {
  using T = UpstreamIssue;
  static const Fields<T> fields = {
      "UpstreamIssue",
      "an issue or a change where the tuner is developed",
      {{"link", &T::link},
       {"state", &T::state, {.says = "open, closed or merged; empty if nobody has looked"}},
       {"says", &T::says, {.says = "what it is about, if it is not about this very cause"}}}};
  return fields;
}

const Fields<TunerCause>& fields_of(Of<TunerCause>) {
  using T = TunerCause;
  static const Fields<T> fields = {
      "TunerCause",
      "why a tuner fails scenarios",
      {{"name", &T::name},
       {"title", &T::title},
       {"kind",
        &T::kind,
        {.says = "whose promise it is that does not hold: the tuner's own, or none"}},
       {"promise", &T::promise, {.says = "what the tuner itself says of it; empty if nothing"}},
       {"scenarios", &T::scenarios, {.says = "names with * and ?; empty if no scenario shows it"}},
       {"checks", &T::checks, {.says = "the only ones that fail by it; empty if any may"}},
       {"finding", &T::finding, {.says = "a page below docs/findings"}},
       {"scripts", &T::scripts, {.says = "below docs/findings; they show it with the tuner alone"}},
       {"upstream", &T::upstream},
       {"looked_at",
        &T::looked_at,
        {.says = "YYYY-MM-DD, when somebody looked upstream; empty if nobody has"}},
       {"since", &T::since, {.says = "the first version that has it; empty if not known"}},
       {"fixed_in", &T::fixed_in, {.says = "the first that does not; empty if not known"}}}};
  return fields;
}

const Fields<MatrixScenario::Trouble>& fields_of(Of<MatrixScenario::Trouble>) {
  using T = MatrixScenario::Trouble;
  static const Fields<T> fields = {"Trouble",
                                   "",
                                   {{"check", &T::check},
                                    {"verdict", &T::verdict},
                                    {"expected", &T::expected},
                                    {"observed", &T::observed}}};
  return fields;
}

const Fields<MatrixScenario::Mark>& fields_of(Of<MatrixScenario::Mark>) {
  using T = MatrixScenario::Mark;
  static const Fields<T> fields = {
      "MatrixMark",
      "the mark that it failed as",
      {{"reason", &T::reason},
       {"link", &T::link},
       {"until", &T::until, {.says = "YYYY-MM-DD"}},
       {"at_times",
        &T::at_times,
        {.says = "where it passes as well: yes, or how many runs of how many were seen to fail",
         .is_newer = true}}}};
  return fields;
}

const Fields<MatrixScenario>& fields_of(Of<MatrixScenario>) {
  using T = MatrixScenario;
  static const Fields<T> fields = {
      "MatrixScenario",
      "",
      {{"name", &T::name},
       {"started", &T::started, {.says = "of the run that it is from"}},
       {"verdict", &T::verdict},
       {"message", &T::message},
       {"lacks",
        &T::lacks,
        {.says = "what the adapter would have to have, such as \"capability threads\"",
         .is_newer = true}},
       {"checks",
        &T::checks,
        {.says = "the worst answer of each check, or why it could not be asked"}},
       {"troubles",
        &T::troubles,
        {.says = "the first answer of each check that is not a pass", .is_newer = true}},
       {"known", &T::mark}}};
  return fields;
}

const Fields<MatrixTuner::Part>& fields_of(Of<MatrixTuner::Part>) {
  using T = MatrixTuner::Part;
  static const Fields<T> fields = {
      "MatrixPart",
      "a part of a divided run",
      {{"selection", &T::selection, {.says = "parts of one run have the same"}},
       {"number", &T::number, {.says = "from 1"}},
       {"scenarios", &T::scenarios, {.says = "of all parts"}},
       {"own", &T::own, {.says = "of this one, those that it has not come to included"}}}};
  return fields;
}

const Fields<MatrixTuner>& fields_of(Of<MatrixTuner>) {
  using T = MatrixTuner;
  static const Fields<T> fields = {
      "MatrixTuner",
      "",
      {{"adapter", &T::adapter},
       {"tuner",
        &T::tuner,
        {.says = "name and version as the adapter says; empty if it never answered"}},
       {"backend", &T::backend},
       {"device", &T::device, {.says = "for a run on the CPU, the CPU"}},
       {"tunecheck_version", &T::tunecheck_version, {.says = "of the last run"}},
       {"first_started", &T::first_started, {.says = "UTC, ISO 8601"}},
       {"last_started", &T::last_started, {.says = "likewise"}},
       {"trouble",
        &T::trouble,
        {.says = "why nothing could be run; empty if it could", .is_newer = true}},
       {"pending", &T::pending, {.says = "scenarios that no run has reached", .is_newer = true}},
       {"parts", &T::parts, {.says = "none of a run that was not divided", .is_newer = true}},
       {"left_out", &T::left_out, {.is_newer = true}},
       {"causes",
        &T::causes,
        {.says = "of what is known to fail, as the adapter lists them", .is_newer = true}},
       {"scenarios", &T::scenarios}}};
  return fields;
}

const Fields<MatrixCell>& fields_of(Of<MatrixCell>) {
  using T = MatrixCell;
  static const Fields<T> fields = {
      "MatrixCell",
      "scenarios that ask the check, by verdict",
      {count_field(Verdict::pass),
       count_field(Verdict::fail),
       count_field(Verdict::known),
       count_field(Verdict::unsupported),
       count_field(Verdict::error),
       {"reason", &T::reason, {.says = "why no scenario has answered; empty if one has"}}}};
  return fields;
}

const Fields<MatrixRow>& fields_of(Of<MatrixRow>) {
  using T = MatrixRow;
  static const Fields<T> fields = {"MatrixRow",
                                   "",
                                   {{"family", &T::family},
                                    {"check", &T::check},
                                    {"cells", &T::cells, {.says = "in the order of `tuners`"}}}};
  return fields;
}

const Fields<Matrix>& fields_of(Of<Matrix>) {
  using T = Matrix;
  static const Fields<T> fields = {
      "Matrix",
      "`rows` is the table, `tuners` what it is made from, which can be merged again.",
      {schema_field<T>(report_schema_version),
       {"rows",
        [](const T& matrix) { return table_of(matrix).rows; },
        {.says = "checks, in the order of the table of checks"}},
       {"not_asked",
        [](const T& matrix) { return table_of(matrix).not_asked; },
        {.says = "checks that no scenario of any tuner names; they have no row"}},
       {"tuners", &T::tuners}}};
  return fields;
}

}  // namespace tunecheck
