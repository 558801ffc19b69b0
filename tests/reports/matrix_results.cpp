#include "matrix_results.hpp"

#include <stdexcept>

#include "core/files.hpp"
#include "hand_made_results.hpp"
#include "reports/matrix/matrix_json.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck::test {

Result<std::vector<MatrixTuner>> read_text(const std::string& text) {
  const auto folder = TemporaryFolder::create("tunecheck-matrix").value();
  const auto file = folder.path() / "result.json";
  if (const auto written = write_file(file, text); !written)
    throw std::runtime_error(written.error().text());
  auto tuners = read_results(file);
  // The folder is another one every time.
  if (!tuners) tuners.error().file = "result.json";
  return tuners;
}

MatrixTuner read_back(const RunResult& result) {
  RunResult dated = result;
  // Of hostile text, everything but this can come from a file.
  constexpr std::string_view moment = "2024-05-01T12:00:00Z";
  if (dated.started.size() != moment.size()) dated.started = moment;
  return read_text(to_json(dated)).value().at(0);
}

Matrix matrix_of(const std::vector<RunResult>& results) {
  Matrix matrix;
  for (const RunResult& result : results)
    matrix.add(read_back(result));
  return matrix;
}

std::vector<RunResult> three_tuners() {
  RunResult mixed = mixed_result();
  mixed.environment["cpu"] = "Toy CPU";
  mixed.scenarios[1].lacks = "capability threads";
  mixed.scenarios[1].unanswered = {"waiter.never_hangs"};
  RunResult marked = result_with_marks();
  marked.adapter = "other";
  marked.tuner = "Other Tuner 2.0";
  marked.environment["cpu"] = "Toy CPU";
  marked.left_out = {{"gpu.captured", "it needs a GPU", {"capture.hit_replays"}}};
  RunResult absent;
  absent.started = "2024-05-02T08:00:00Z";
  absent.tunecheck_version = "0.1.0";
  absent.adapter = "absent";
  absent.backend = "cuda";
  absent.pending = {"restore.axpy"};
  absent.trouble = "there is no adapter: the program \"absent\" cannot be found";
  return {mixed, marked, absent};
}

}  // namespace tunecheck::test
