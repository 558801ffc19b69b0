#include "gate/rule/counts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tunecheck::gate {
namespace {

struct Range {
  std::int64_t least, most;
};

Range range_of(std::span<const std::int64_t> counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return {*least, *most};
}

std::string text(const Range& range) {
  return range.least == range.most ? fmt::format("{}", range.least)
                                   : fmt::format("{} to {}", range.least, range.most);
}

}  // namespace

CountFinding compare_counts(std::span<const std::int64_t> base,
                            std::span<const std::int64_t> head) {
  if (base.empty()) return {Answer::invalid, "no process of the base counted"};
  if (head.empty()) return {Answer::invalid, "no process of the head counted"};
  const Range before = range_of(base), after = range_of(head);
  const std::string reason = fmt::format("base {}, head {}", text(before), text(after));
  if (before.least < 0 || after.least < 0)
    return {Answer::invalid, reason + ": expected counts of at least 0"};
  if (after.least > before.most) return {Answer::regression, reason};
  if (after.most < before.least) return {Answer::improved, reason};
  if (before.least == before.most && after.least == after.most) return {Answer::pass, reason};
  return {Answer::inconclusive, reason + ": the processes of one side do not agree"};
}

}  // namespace tunecheck::gate
