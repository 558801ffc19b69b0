#include "cli/matrix_causes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "cli/arguments.hpp"
#include "core/files.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/scenario/catalogue.hpp"
#include "judge/scenario/causes.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

// Next to known.info, and as little there for a mutant.
fs::path causes_file_of(const MatrixTuner& tuner) {
  const auto info = find_adapter(adapter_of(tuner));
  if (!info || !known_failures_of(*info)) return {};
  const fs::path file = info->file.parent_path() / "causes.info";
  std::error_code error;
  return fs::is_regular_file(file, error) ? file : fs::path();
}

}  // namespace

std::string adapter_of(const MatrixTuner& tuner) {
  std::error_code error;
  if (!fs::is_regular_file(tuner.adapter_file, error)) return tuner.adapter;
  const auto colon = std::min(tuner.adapter.find(':'), tuner.adapter.size());
  std::string in_file = tuner.adapter_file + tuner.adapter.substr(colon);
  const auto info = find_adapter(in_file);
  return info && info->name == tuner.adapter ? in_file : tuner.adapter;
}

Result<void> add_causes(Matrix& matrix, const std::vector<std::string>& kernels, bool anew) {
  std::set<std::string> scenarios;
  for (MatrixTuner& tuner : matrix.tuners) {
    if (!tuner.causes.empty() && !anew) continue;
    const fs::path file = causes_file_of(tuner);
    if (file.empty()) continue;
    if (scenarios.empty()) {
      TUNECHECK_TRY(const Catalogue own, read_catalogue({to_paths(kernels), {}}));
      for (const auto& [name, scenario] : own.scenarios)
        scenarios.insert(name);
    }
    TUNECHECK_TRY(tuner.causes, read_causes(file, scenarios));
  }
  return {};
}

Result<FindingTexts> read_findings(const Matrix& matrix, const fs::path& folder) {
  FindingTexts texts;
  for (const std::string& path : findings_of(matrix)) {
    TUNECHECK_TRY(std::string text, read_text_file(folder / path));
    texts.emplace(path, std::move(text));
  }
  return texts;
}

}  // namespace tunecheck::cli
