#include "judge/scenario/scenario_faults.hpp"

#include <array>
#include <cerrno>

#include <fmt/ranges.h>

#include "core/text.hpp"

namespace tunecheck {
namespace {

constexpr auto errors_of_files = std::to_array<std::pair<std::string_view, int>>({
    {"enospc", ENOSPC},  // the disk is full
    {"edquot", EDQUOT},  // this user's share of it is
    {"efbig", EFBIG},    // the file would be larger than the process may write
    {"eio", EIO},
    {"emfile", EMFILE},  // no file handles left
    {"eacces", EACCES},
    {"erofs", EROFS},
    {"enolck", ENOLCK},  // a file system without locks, or without its lock server
    {"eopnotsupp", EOPNOTSUPP},
});

std::optional<std::int64_t> count_after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  const auto count = parse_integer(std::string(text.substr(prefix.size())));
  return count && *count >= 1 ? count : std::nullopt;
}

}  // namespace

KillPoint read_kill(const InfoNode& node, InfoErrors& errors) {
  KillPoint kill;
  kill.text = node.value;
  if (const auto compiles = count_after(node.value, "compiles_")) {
    kill.when = KillPoint::When::compiles;
    kill.count = *compiles;
  } else if (const auto launches = count_after(node.value, "launches_")) {
    kill.when = KillPoint::When::launches;
    kill.count = *launches;
  } else if (const auto configs = count_after(node.value, "configs_")) {
    kill.when = KillPoint::When::configs;
    kill.count = *configs;
  } else if (const auto point = parse_fault_point(node.value)) {
    kill.point = *point;
  } else {
    errors.add(
        node,
        fmt::format("expected compiles_N, launches_N, configs_N, or before_, during_ or after_ "
                    "with one of {} and _N, found \"{}\"",
                    fmt::join(file_operation_names, ", "), node.value));
  }
  return kill;
}

KillPoint read_freeze(const InfoNode& node, InfoErrors& errors) {
  constexpr std::chrono::milliseconds frozen(1500);
  constexpr std::chrono::milliseconds longest_frozen(7000);
  KillPoint kill = read_kill(node, errors);
  if (kill.when == KillPoint::When::file_operation)
    errors.add(node, fmt::format("expected compiles_N, launches_N or configs_N, found \"{}\"",
                                 node.value));
  kill.frozen = frozen;
  kill.longest_frozen = longest_frozen;
  return kill;
}

Refusal read_fail(const InfoNode& node, InfoErrors& errors) {
  Refusal fail;
  fail.text = node.value;
  const std::size_t last = node.value.rfind('_');
  const auto point = parse_fault_point("before_" + node.value.substr(0, last));
  std::vector<std::string> names;
  for (const auto& [name, number] : errors_of_files) {
    names.emplace_back(name);
    if (last != node.value.npos && node.value.substr(last + 1) == name) fail.error = number;
  }
  if (point && fail.error != 0) {
    fail.operation = point->operation;
    fail.from = point->number;
  } else {
    errors.add(node, fmt::format("expected OPERATION_N_ERROR, with one of {} and one of {}, found "
                                 "\"{}\"",
                                 fmt::join(file_operation_names, ", "), fmt::join(names, ", "),
                                 node.value));
  }
  return fail;
}

}  // namespace tunecheck
