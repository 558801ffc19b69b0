#pragma once
// Examples of a page, read and run as a reader would: in a folder of their own, with tunecheck's
// own kernels.
#include <string>
#include <vector>

#include "core/files.hpp"
#include "judge/run/session.hpp"

namespace tunecheck::test {

/// A scenario of axpy_inplace with these steps; a process with a call is added if there is none.
[[nodiscard]] std::string scenario_with_steps(const std::string& steps);

class Example {
 public:
  Example();

  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder.path(); }
  /// Writes a file into the folder and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& text) const;

  /// The scenarios of a file my.info with this text.
  [[nodiscard]] Result<std::vector<Scenario>> read(const std::string& text) const;
  /// The mistake in it as a reader sees it, who is in the folder; "" if there is none.
  [[nodiscard]] std::string mistake_in(const std::string& text) const;

  /// Runs the only scenario of a my.info with this text, and keeps its workspace.
  [[nodiscard]] ScenarioResult run(const std::string& text, const AdapterInfo& adapter);

 private:
  TemporaryFolder m_folder;
  Catalogue m_catalogue;
};

/// Each check that is no pass, as "check: observed", and the result's own message.
[[nodiscard]] std::vector<std::string> troubles(const ScenarioResult& result);

}  // namespace tunecheck::test
