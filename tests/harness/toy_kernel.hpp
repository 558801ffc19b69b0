#pragma once
// A tiny kernel as files that a test may spoil: y = factor * x + y, 64 elements, two configs.
#include <filesystem>
#include <string>

#include "core/files.hpp"
#include "core/kernel.hpp"

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

}  // namespace tunecheck::test
