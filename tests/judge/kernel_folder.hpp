#pragma once
// A tiny kernel as files that a test may spoil: y = factor * x + y, 64 elements, two configs.
#include <filesystem>
#include <map>
#include <string>

#include "core/files.hpp"
#include "core/kernel.hpp"
#include "judge/scenario.hpp"

namespace tunecheck::test {

/// The texts of a kernel's files.
struct KernelText {
  explicit KernelText(const std::string& name = "toy");
  std::string info, cpu, header, reference;
  std::string gpu;  ///< "" for none; with_gpu() gives one

  /// The same with a source for GPUs, in which a block has 32 threads.
  [[nodiscard]] KernelText with_gpu() const;
};

/// `text` with its only `part` replaced by `by`; throws where it is not there exactly once.
[[nodiscard]] std::string with(const std::string& text, const std::string& part,
                               const std::string& by);

/// Writes the files to `folder` (created) and reads the kernel; throws where that fails.
KernelDefinition write_kernel(const std::filesystem::path& folder,
                              const KernelText& text = KernelText());

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
