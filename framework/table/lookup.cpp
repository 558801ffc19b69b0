#include "table/lookup.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <fmt/ranges.h>

namespace tunecheck::table {
namespace {

struct Candidate {
  const Entry* entry = nullptr;
  double distance = 0;
};

std::string dtypes_text(const std::map<std::string, DType>& dtypes) {
  std::vector<std::string> parts;
  for (const auto& [tensor, dtype] : dtypes)
    parts.push_back(fmt::format("{}={}", tensor, tunecheck::name_of(dtype)));
  return fmt::format("{}", fmt::join(parts, " "));
}

Choice without(Use use, std::string reason) {
  return {use, {}, {}, std::move(reason)};
}

}  // namespace

std::string_view name_of(Use use) {
  constexpr std::array<std::string_view, 5> names = {"none", "exact", "nearest", "absent",
                                                     "refused"};
  return names.at(static_cast<std::size_t>(use));
}

std::optional<double> distance(const Sizes& entry, const Sizes& call) {
  if (entry.size() != call.size()) return std::nullopt;
  double sum = 0;
  for (auto a = entry.begin(), b = call.begin(); a != entry.end(); ++a, ++b) {
    if (a->first != b->first) return std::nullopt;
    if (a->second == b->second) continue;
    if (a->second <= 0 || b->second <= 0) return std::nullopt;
    const double apart =
        std::abs(std::log2(static_cast<double>(a->second) / static_cast<double>(b->second)));
    if (apart > std::log2(farthest_ratio)) return std::nullopt;
    sum += apart;
  }
  return sum;
}

// Step by step, so that the reason names the first thing that no entry fulfils.
Choice look_up(const OfflineTable& table, const Question& question) {
  std::vector<const Entry*> left;
  for (const Entry& entry : table.entries)
    left.push_back(&entry);
  const auto keep = [&left](auto&& holds) {
    std::erase_if(left, [&](const Entry* entry) { return !holds(*entry); });
    return !left.empty();
  };
  if (!keep([&](const Entry& entry) { return entry.kernel == question.kernel; }))
    return without(Use::absent, fmt::format("it has no entry for {}", question.kernel));
  const std::string other_device = text_of(left.front()->device);
  if (!keep([&](const Entry& entry) { return entry.device == question.device; }))
    return without(Use::absent,
                   fmt::format("its entries for {} are for another device, {}; this "
                               "is {}",
                               question.kernel, other_device, text_of(question.device)));
  if (!keep([&](const Entry& entry) { return entry.dtypes == question.dtypes; }))
    return without(Use::absent, fmt::format("it has no entry for {} with {}", question.kernel,
                                            dtypes_text(question.dtypes)));
  if (!keep([&](const Entry& entry) { return entry.code.empty() || entry.code == question.code; }))
    return without(Use::refused,
                   fmt::format("its entries for {} were made for other code", question.kernel));
  std::vector<Candidate> near;
  for (const Entry* const entry : left)
    if (const auto apart = distance(entry->sizes, question.sizes)) near.push_back({entry, *apart});
  if (near.empty())
    return without(Use::absent,
                   fmt::format("it has no entry for {} near these sizes", question.kernel));
  std::stable_sort(near.begin(), near.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.distance, a.entry->sizes) < std::tie(b.distance, b.entry->sizes);
  });
  for (const Candidate& each : near)
    if (std::find(question.allowed.begin(), question.allowed.end(), each.entry->config) !=
        question.allowed.end())
      return {each.distance == 0 ? Use::exact : Use::nearest,
              each.entry->config,
              each.entry->sizes,
              {}};
  return without(Use::refused, fmt::format("its config {} is not one of those allowed",
                                           to_string(near.front().entry->config)));
}

}  // namespace tunecheck::table
