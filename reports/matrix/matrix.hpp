#pragma once
// Results of several tuners side by side: which check holds for which of them. docs/matrix.md says
// how results are merged and what a cell means.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/cause.hpp"
#include "result/known_failure.hpp"
#include "result/verdict.hpp"

namespace tunecheck {

/// What one scenario says of one tuner.
struct MatrixScenario {
  /// The first answer of a check that is no pass.
  struct Trouble {
    std::string check;
    Verdict verdict = Verdict::error;
    std::string expected, observed;
  };
  struct Mark {
    std::string reason, link, until, at_times;  ///< see KnownFailure
  };
  std::string name;
  std::string started;  ///< of the run that it is from; UTC, ISO 8601
  Verdict verdict = Verdict::error;
  std::string message, lacks;  ///< see ScenarioResult
  /// By check: the worst of its answers, where they failed as a mark says `known`. Checks that
  /// nobody could ask have the scenario's verdict: why they could not is what it is about.
  std::map<std::string, Verdict> checks;
  std::vector<Trouble> troubles;
  std::optional<Mark> mark;    ///< where it failed as the mark says
  bool tells_of_mark = false;  ///< the message says why a mark of that run does not cover it
};

/// Makes a failure in nothing but the checks that the mark names `known`, where the mark held on
/// the day on which the run began. All else stays as it was judged.
void apply_mark(const KnownFailure& mark, MatrixScenario& scenario);

/// One column: all results of one tuner, of one version, on one device.
struct MatrixTuner {
  /// A part of a divided run that was added.
  struct Part {
    std::string selection;       ///< see ShardOf: parts of one run have the same
    int number = 1;              ///< from 1
    std::int64_t scenarios = 0;  ///< of all parts
    std::int64_t own = 0;        ///< of this one, those that it has not come to included
  };

  std::string adapter, tuner, backend, device;
  std::string adapter_file;  ///< of its last run on this machine, maybe; not kept in matrix files
  std::string tunecheck_version;            ///< of the last run
  std::string first_started, last_started;  ///< of its runs; UTC, ISO 8601
  std::string trouble;                      ///< why its last run could not begin, if it could not
  std::map<std::string, MatrixScenario> scenarios;  ///< by name
  std::map<std::string, LeftOut> left_out;          ///< by name; none that a run has run
  std::vector<std::string> pending;                 ///< that no run has come to; by name
  std::vector<Part> parts;                          ///< none of a run that was not divided
  TunerCauses
      causes;  ///< of what is marked as known, as its adapter lists them; none where nobody does
};

struct Matrix {
  std::vector<MatrixTuner> tuners;  ///< in the order in which they were added

  /// Adds results. Those of the same adapter, tuner and version, backend and device belong
  /// together, as parts of one run do; of a scenario that is in several the last one counts, and of
  /// two that began in the same second the one that is added last.
  void add(MatrixTuner tuner);
};

/// Of one check and one tuner.
struct MatrixCell {
  std::array<std::int64_t, 5> scenarios{};  ///< how many, by verdict
  /// Why no scenario has answered, "" where one has: "unsupported: capability threads".
  std::string reason;
  /// True where no scenario that was run, or left out, names the check.
  bool not_asked = false;

  [[nodiscard]] std::int64_t of(Verdict verdict) const {
    return scenarios[static_cast<std::size_t>(verdict)];
  }
  [[nodiscard]] std::int64_t total() const;
};
[[nodiscard]] MatrixCell cell_of(const MatrixTuner& tuner, std::string_view check);

/// Scenarios by their own verdicts.
[[nodiscard]] MatrixCell scenarios_of(const MatrixTuner& tuner);

/// "44 pass" and "2 fail"; none where there is a reason.
[[nodiscard]] std::vector<std::string> counts_of(const MatrixCell& cell);

/// "44 pass, 2 fail", or why there is no verdict. Never empty.
[[nodiscard]] std::string text_of(const MatrixCell& cell);

/// Why none of its scenarios says anything of the tuner: it could not be run, or no process of it
/// ever answered. "" where it did.
[[nodiscard]] std::string why_it_did_not_run(const MatrixTuner& tuner);

/// How many scenarios were to be run and were not: the pending ones, and those of parts that were
/// not added, whose names nobody knows.
[[nodiscard]] std::int64_t scenarios_not_run(const MatrixTuner& tuner);

/// "3 of 150 scenarios not run", "" where all were.
[[nodiscard]] std::string why_it_is_incomplete(const MatrixTuner& tuner);

/// "reference 0.1.0"; the adapter's name where that says more, as of a mutant.
[[nodiscard]] std::string name_of(const MatrixTuner& tuner);
/// "2 reference 0.1.0 (cuda)", the head of a column.
[[nodiscard]] std::string title_of(const Matrix& matrix, std::size_t index);
/// "2026-11-21", or "2026-11-20 to 2026-11-21".
[[nodiscard]] std::string date_of(const MatrixTuner& tuner);

/// A row for each check that some tuner was asked, in the order of the table of checks; then those
/// that this tunecheck does not know.
struct MatrixRow {
  std::string family, check;
  std::vector<MatrixCell> cells;  ///< in the order of the tuners
};
struct MatrixTable {
  std::vector<MatrixRow> rows;
  std::vector<std::string> not_asked;  ///< the checks of which all cells are so
};
[[nodiscard]] MatrixTable table_of(const Matrix& matrix);

}  // namespace tunecheck
