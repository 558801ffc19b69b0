#pragma once
// Scenario files about the toy kernel, which a test may spoil.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "judge/scenario/scenario.hpp"
#include "toy_kernel.hpp"

namespace tunecheck::test {

/// A folder with kernels, and scenario files about them.
class ScenarioFolder {
 public:
  ScenarioFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return m_folder.path(); }
  [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
  /// Beside "toy", which is there from the beginning.
  const KernelDefinition& add_kernel(const std::string& name, const KernelText& text);
  [[nodiscard]] const std::map<std::string, KernelDefinition>& kernels() const { return m_kernels; }
  [[nodiscard]] Result<std::vector<Scenario>> read(const std::string& text) const;
  /// The scenarios of a text that is right; throws the error's text.
  [[nodiscard]] std::vector<Scenario> scenarios(const std::string& text) const;

 private:
  TemporaryFolder m_folder;
  std::filesystem::path m_file;
  std::map<std::string, KernelDefinition> m_kernels;
};

/// A scenario of the kernel "toy": its steps are on the text's line 8, `head` is on line 6.
[[nodiscard]] std::string scenario_text(const std::string& steps, const std::string& head = "",
                                        const std::string& name = "test.toy");

}  // namespace tunecheck::test
