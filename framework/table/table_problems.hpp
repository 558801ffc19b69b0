#pragma once
// What is wrong with a table, apart from its form: entries that nothing can ever use, or that
// should be made anew. `tunecheck tables check` prints it.
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "table/foreign_table.hpp"
#include "table/offline_table.hpp"

namespace tunecheck::table {

enum class Trouble {
  no_such_kernel,
  no_such_device,  ///< that tunecheck knows
  wrong_question,  ///< sizes or dtypes that the kernel does not have
  outside_space,   ///< its config is not one of those that the kernel allows at these sizes
  stale_code,      ///< the kernel's code has changed since
  stale_space,     ///< the kernel allows other configs since
  given_twice,     ///< an earlier entry is for the same
  no_time,         ///< what was measured is no time
};
[[nodiscard]] std::string_view name_of(Trouble trouble);

struct TableProblem {
  Trouble trouble = Trouble::no_such_kernel;
  std::string file;
  int line = 0;
  std::string text;  ///< one sentence
};

/// What code_digest() of a kernel is now for a device, or why nobody can say.
using CodeNow = std::function<Result<std::string>(const KernelDefinition&, const Device&)>;

/// In the order of the entries, one problem for each at most, the gravest one. `file` is for
/// messages.
[[nodiscard]] std::vector<TableProblem> problems_of(
    const OfflineTable& table, const std::map<std::string, KernelDefinition>& kernels,
    const CodeNow& code_now, const std::string& file);

/// Of another tuner's table nobody here knows the kernels: its devices, its doubles and its times.
[[nodiscard]] std::vector<TableProblem> problems_of(std::span<const ForeignRow> rows);

}  // namespace tunecheck::table
