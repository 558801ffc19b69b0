#include "observe/faults/operations.hpp"

#include <algorithm>
#include <charconv>

namespace tunecheck {
namespace {

constexpr std::array<std::string_view, 3> moment_names = {"before", "during", "after"};

template <std::size_t Count>
std::optional<std::size_t> position_of(const std::array<std::string_view, Count>& names,
                                       std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

std::string to_string(const FaultPoint& point) {
  std::string text(moment_names.at(static_cast<std::size_t>(point.moment)));
  text += '_';
  text += file_operation_names.at(static_cast<std::size_t>(point.operation));
  return text + '_' + std::to_string(point.number);
}

std::optional<FaultPoint> parse_fault_point(std::string_view text) {
  const std::size_t first = text.find('_');
  const std::size_t last = text.rfind('_');
  if (first == text.npos || last == first) return std::nullopt;
  const auto moment = position_of(moment_names, text.substr(0, first));
  const auto operation =
      position_of(file_operation_names, text.substr(first + 1, last - first - 1));
  if (!moment || !operation) return std::nullopt;
  FaultPoint point{static_cast<FaultPoint::Moment>(*moment), static_cast<FileOperation>(*operation),
                   0};
  const std::string_view number = text.substr(last + 1);
  const auto read = std::from_chars(number.data(), number.data() + number.size(), point.number);
  if (read.ec != std::errc() || read.ptr != number.data() + number.size() || point.number < 1)
    return std::nullopt;
  if (point.moment == FaultPoint::Moment::during && point.operation != FileOperation::write)
    return std::nullopt;
  return point;
}

}  // namespace tunecheck
