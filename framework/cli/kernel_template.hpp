#pragma once
// A new kernel's folder, written from a template (templates/kernel/).
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace tunecheck::cli {

/// A file of a new kernel's folder.
struct TemplateFile {
  std::string_view name;
  std::string_view purpose;  ///< what it is, in a few words
};

struct NewKernel {
  std::string name;
  std::string kind;              ///< a folder of templates/kernel/ or templates/kernel_for/
  std::string tuner;             ///< of templates/kernel_for/; "" for kernels that any tuner takes
  std::filesystem::path parent;  ///< gets a subfolder with the kernel's name; made if missing

  [[nodiscard]] std::filesystem::path folder() const { return parent / name; }
};

/// What is written for the kernel.
[[nodiscard]] std::span<const TemplateFile> template_files(const NewKernel& kernel);

/// `text` with every my_kernel that is not a part of another word replaced by `name`; a '_' may
/// follow it, as in my_kernel_first_result.
[[nodiscard]] std::string with_kernel_name(std::string_view text, std::string_view name);

/// What speaks against the kernel: a name that no kernel and no function can have or that another
/// kernel has, something in the place of its folder. Changes nothing.
[[nodiscard]] Result<void> check_new_kernel(const NewKernel& kernel);

/// Writes the folder of a kernel without such a mistake: all of it or, after an error, nothing.
/// Never overwrites anything.
[[nodiscard]] Result<void> write_new_kernel(const NewKernel& kernel);

}  // namespace tunecheck::cli
