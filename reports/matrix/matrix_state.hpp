#pragma once
// What a tuner's answers to a question come to, for readers who want one colour: the page "State of
// autotuners" and docs/conformance.md. docs/matrix.md says what each state means.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/matrix/matrix.hpp"

namespace tunecheck {

/// Of one question and one tuner: the worst that any scenario shows.
enum class QuestionState {
  held,            ///< all that could be asked passed
  other_policy,    ///< some failed, by causes that are policies
  never_said,      ///< by causes about which the tuner says nothing
  unexplained,     ///< as a mark says, of which no cause is listed
  broken_promise,  ///< by a cause that breaks a promise of the tuner's own
  failed,          ///< and no mark explains it
  no_evidence,     ///< the judge could not tell
  not_testable,    ///< the tuner, or the device, does not have what is asked about
  not_asked,       ///< no scenario of these results asks it
};
inline constexpr std::size_t question_states = 9;
[[nodiscard]] std::string_view name_of(QuestionState state);

/// Why a scenario failed a check. Points into the tuner.
using CausesOf = std::vector<const TunerCause*>;
/// Those that name the check; where none does, all of the scenario. None where nobody listed any.
[[nodiscard]] CausesOf causes_behind(const MatrixTuner& tuner, const std::string& scenario,
                                     std::string_view check);

/// False for a check that the scenario names and did not come to, because it failed before.
[[nodiscard]] bool was_reached(const MatrixScenario& scenario, std::string_view check);

struct QuestionAnswer {
  QuestionState state = QuestionState::not_asked;
  std::int64_t held = 0;   ///< scenarios that passed
  std::int64_t asked = 0;  ///< scenarios that gave an answer, right or wrong
  CausesOf causes;         ///< of all that failed as known; each once, by name
};
[[nodiscard]] QuestionAnswer answer_of(const MatrixTuner& tuner, std::string_view check);

/// How many questions of the table of checks are in each state.
using StateCounts = std::array<std::int64_t, question_states>;
[[nodiscard]] StateCounts state_counts(const MatrixTuner& tuner);

/// The causes that explain a failure in these results, by name, and those that no scenario is to
/// show: scripts alone do, or a later version has mended them.
struct SeenCauses {
  CausesOf seen, apart;
};
[[nodiscard]] SeenCauses causes_seen(const MatrixTuner& tuner);

/// True for tunecheck's own tuner: its results say that the scenarios can be held, and nothing
/// about anybody else.
[[nodiscard]] bool is_own(const MatrixTuner& tuner);

/// "Kernel Tuner" and "1.5.0" of "Kernel Tuner 1.5.0": the words in front of the first that has a
/// digit, and the rest.
struct ProductName {
  std::string product, version;
};
[[nodiscard]] ProductName product_of(const MatrixTuner& tuner);

/// For links: "triton-3.6.0-cuda-nvidia-h200". All that tells a column from others, and nothing
/// that depends on which others there are.
[[nodiscard]] std::string slug_of(const MatrixTuner& tuner);

/// What tells two columns of one tuner apart, as short as it can be: "H200", or "CPU".
[[nodiscard]] std::string card_of(const MatrixTuner& tuner);

}  // namespace tunecheck
