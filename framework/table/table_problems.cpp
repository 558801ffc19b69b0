#include "table/table_problems.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "table/known_devices.hpp"
#include "table/table_entry.hpp"

namespace tunecheck::table {
namespace {

using Found = std::optional<std::pair<Trouble, std::string>>;

std::string why_no_such_device(const Device& device) {
  const auto kind = device_kind_of(device.arch);
  if (!kind) return fmt::format("there is no arch \"{}\"", device.arch);
  if (*kind != DeviceKind::cpu && device.kind.empty())
    return "the kind is empty; expected that of a GPU, such as \"NVIDIA H200, 132 multiprocessors, "
           "warps of 32\"";
  const auto count = multiprocessors_in(device.kind);
  return count ? why_no_device(device.arch, *count) : std::string();
}

Found question_trouble(const Entry& entry, const KernelDefinition& kernel) {
  const Sizes& named = kernel.sizes.begin()->second;
  const bool same_names =
      std::equal(entry.sizes.begin(), entry.sizes.end(), named.begin(), named.end(),
                 [](const auto& a, const auto& b) { return a.first == b.first; });
  if (!same_names)
    return std::pair(Trouble::wrong_question,
                     fmt::format("{} has other sizes than the entry", kernel.name));
  for (const auto& [name, size] : entry.sizes)
    if (size < 0)
      return std::pair(Trouble::wrong_question,
                       fmt::format("{} is {}; expected at least 0", name, size));
  for (const TensorParameter& tensor : kernel.tensors) {
    const auto given = entry.dtypes.find(tensor.name);
    if (given == entry.dtypes.end() || entry.dtypes.size() != kernel.tensors.size())
      return std::pair(Trouble::wrong_question,
                       fmt::format("the entry's tensors are not those of {}", kernel.name));
    if (std::find(tensor.dtypes.begin(), tensor.dtypes.end(), given->second) == tensor.dtypes.end())
      return std::pair(Trouble::wrong_question,
                       fmt::format("tensor {} of {} may not be {}", tensor.name, kernel.name,
                                   tunecheck::name_of(given->second)));
  }
  return std::nullopt;
}

Found space_trouble(const Entry& entry, const KernelDefinition& kernel) {
  const auto configs = kernel.space.enumerate(to_variables(entry.sizes));
  if (!configs) return std::pair(Trouble::wrong_question, configs.error().message);
  if (std::find(configs->begin(), configs->end(), entry.config) == configs->end())
    return std::pair(Trouble::outside_space,
                     fmt::format("{} is not one of the {} configs that {} allows at these sizes",
                                 to_string(entry.config), configs->size(), kernel.name));
  if (!entry.space.empty() && entry.space != space_digest(*configs))
    return std::pair(Trouble::stale_space,
                     fmt::format("{} allows other configs since the entry was made", kernel.name));
  return std::nullopt;
}

Found trouble_of(const Entry& entry, const std::map<std::string, KernelDefinition>& kernels,
                 const CodeNow& code_now) {
  const auto kernel = kernels.find(entry.kernel);
  if (kernel == kernels.end())
    return std::pair(Trouble::no_such_kernel,
                     fmt::format("there is no kernel \"{}\"", entry.kernel));
  if (const std::string why = why_no_such_device(entry.device); !why.empty())
    return std::pair(Trouble::no_such_device, why);
  if (const Found found = question_trouble(entry, kernel->second)) return found;
  const Found space = space_trouble(entry, kernel->second);
  if (space && space->first != Trouble::stale_space) return space;
  if (!entry.code.empty()) {
    const auto now = code_now(kernel->second, entry.device);
    if (now && *now != entry.code)
      return std::pair(Trouble::stale_code,
                       fmt::format("the code of {} has changed since the entry was made, so it is "
                                   "not used",
                                   entry.kernel));
  }
  if (space) return space;
  if (entry.median_ns && !(*entry.median_ns > 0 && std::isfinite(*entry.median_ns)))
    return std::pair(Trouble::no_time,
                     fmt::format("{} ns is no time of a launch", *entry.median_ns));
  return std::nullopt;
}

std::string question_of(const ForeignRow& row) {
  std::string text = fmt::format("{}\n{}\n{}\n", row.name, row.arch, row.multiprocessors);
  for (const auto& [name, value] : row.problem)
    text += fmt::format("{}={}\n", name, value);
  for (const auto& [name, shape] : row.shapes) {
    text += name + "=";
    for (const std::int64_t size : shape)
      text += fmt::format("{},", size);
    text += "\n";
  }
  return text;
}

Found trouble_of(const ForeignRow& row) {
  if (row.arch.empty())
    return std::pair(Trouble::no_such_device,
                     fmt::format("{} multiprocessors without an arch may be several devices",
                                 row.multiprocessors));
  if (const std::string why = why_no_device(row.arch, row.multiprocessors); !why.empty())
    return std::pair(Trouble::no_such_device, why);
  if (row.median_us && !(*row.median_us > 0 && std::isfinite(*row.median_us)))
    return std::pair(Trouble::no_time, std::string("what was measured is no time of a launch"));
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Trouble trouble) {
  constexpr std::array<std::string_view, 8> names = {
      "no such kernel", "no such device", "wrong question", "outside space",
      "stale code",     "stale space",    "given twice",    "no time"};
  return names.at(static_cast<std::size_t>(trouble));
}

std::vector<TableProblem> problems_of(const OfflineTable& table,
                                      const std::map<std::string, KernelDefinition>& kernels,
                                      const CodeNow& code_now, const std::string& file) {
  std::vector<TableProblem> problems;
  auto order = [](const Entry* a, const Entry* b) {
    return std::tie(a->kernel, a->device, a->dtypes, a->sizes) <
           std::tie(b->kernel, b->device, b->dtypes, b->sizes);
  };
  std::set<const Entry*, decltype(order)> seen(order);
  for (const Entry& entry : table.entries) {
    Found found = trouble_of(entry, kernels, code_now);
    const auto [earlier, is_first] = seen.insert(&entry);
    if (!found && !is_first)
      found =
          std::pair(Trouble::given_twice, fmt::format("line {} is for the same", (*earlier)->line));
    if (found) problems.push_back({found->first, file, entry.line, std::move(found->second)});
  }
  return problems;
}

std::vector<TableProblem> problems_of(std::span<const ForeignRow> rows) {
  std::vector<TableProblem> problems;
  std::map<std::string, const ForeignRow*> seen;
  for (const ForeignRow& row : rows) {
    Found found = trouble_of(row);
    const auto [earlier, is_first] = seen.emplace(question_of(row), &row);
    if (!found && !is_first)
      found = std::pair(
          Trouble::given_twice,
          fmt::format("{}:{} is for the same", earlier->second->file, earlier->second->line));
    if (found) problems.push_back({found->first, row.file, row.line, std::move(found->second)});
  }
  return problems;
}

}  // namespace tunecheck::table
