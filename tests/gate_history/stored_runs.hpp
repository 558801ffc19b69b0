#pragma once
// Runs made by hand, and a folder for a history of them.
#include <string>
#include <vector>

#include "core/files.hpp"
#include "gate/history/history.hpp"

namespace tunecheck::test {

/// A time of one process in nanoseconds on the toy machine.
[[nodiscard]] history::SampleSet time_of(const std::string& benchmark, double time_ns);

/// The run that started in this minute from 2024-05-01 on, with three benchmarks of a few processes
/// each.
[[nodiscard]] history::MeasuredRun run_of_minute(int minute);

/// A folder of the test's own, with the path of a history in it.
class Place {
 public:
  [[nodiscard]] std::filesystem::path file() const { return m_folder.path() / "history.sqlite"; }
  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder.path(); }
  /// Opens the history and makes it where it is missing; throws where that fails.
  [[nodiscard]] history::History open() const;
  /// Makes a history of so many runs.
  void fill(int runs) const;

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-history").value();
};

/// The message of the error with its place; "" where there is none.
template <class T>
[[nodiscard]] std::string mistake_in(const Result<T>& result) {
  return result ? "" : result.error().text();
}

}  // namespace tunecheck::test
