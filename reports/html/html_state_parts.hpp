#pragma once
// The parts of the data of html_state().
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/html/html_blocks.hpp"
#include "reports/html/html_state.hpp"
#include "reports/matrix/matrix_state.hpp"

namespace tunecheck {

/// The causes of all columns with their places on the page. Columns of one product share a cause of
/// one name: the adapters `triton` and `triton_plain` are asked about the same Triton.
class StateCauses {
 public:
  /// `matrix` must outlive it.
  explicit StateCauses(const Matrix& matrix);

  [[nodiscard]] std::size_t place_of(const MatrixTuner& tuner, const TunerCause& cause) const;
  [[nodiscard]] std::vector<std::size_t> places_of(const MatrixTuner& tuner,
                                                   const CausesOf& causes) const;
  [[nodiscard]] HtmlJson json() const;

 private:
  struct Entry {
    const MatrixTuner* tuner = nullptr;  ///< the first that has it
    const TunerCause* cause = nullptr;
    std::map<std::size_t, std::set<std::string>> scenarios;  ///< that fail by it, by column
    std::set<std::string> checks;                            ///< likewise
  };
  void add(std::size_t column, const MatrixTuner& tuner);
  Entry& entry_of(const MatrixTuner& tuner, const TunerCause& cause);

  std::vector<Entry> m_entries;
  std::map<std::pair<std::string, std::string>, std::size_t> m_places;
};

/// One row for each check that some column was asked.
[[nodiscard]] HtmlJson state_questions(const Matrix& matrix, const StateCauses& causes,
                                       HtmlTexts& texts);

/// Why scenarios could not be asked, the most frequent first, with how many of each column.
[[nodiscard]] HtmlJson state_gaps(const Matrix& matrix);

}  // namespace tunecheck
