#include "core/compare.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

namespace tunecheck {
namespace {

bool within(double actual, double expected, const Tolerance& tolerance) {
  if (std::isnan(actual) || std::isnan(expected)) return std::isnan(actual) && std::isnan(expected);
  if (actual == expected) return true;
  // A tolerance relative to infinity would allow anything.
  if (std::isinf(actual) || std::isinf(expected)) return false;
  return std::abs(actual - expected) <=
         tolerance.absolute + tolerance.relative * std::abs(expected);
}

double rounded_to(DType dtype, double value) {
  std::array<std::byte, 8> element{};
  store_element(dtype, element.data(), value);
  return load_element(dtype, element.data());
}

}  // namespace

std::string Comparison::text() const {
  if (equal()) return fmt::format("all {} elements as expected", elements);
  std::string text = fmt::format("{} of {} elements wrong", wrong, elements);
  if (unwritten > 0) text += fmt::format(", {} of them never written", unwritten);
  return text + fmt::format("; first at {}: expected {:.9g}, found {:.9g} ({} ulp)",
                            format_index(first_wrong), expected, actual, ulp);
}

Comparison compare(const TensorView& actual, std::span<const double> expected,
                   const Tolerance& tolerance) {
  Comparison result;
  result.elements = actual.layout.count();
  const auto size = static_cast<std::int64_t>(size_of(actual.dtype));
  const auto poison = poison_pattern(actual.dtype);
  for_each_element(actual.layout, [&](std::int64_t linear, std::int64_t offset) {
    const std::byte* const element = actual.data + offset * size;
    const double want = expected[static_cast<std::size_t>(linear)];
    const double have = load_element(actual.dtype, element);
    const bool same = within(have, want, tolerance) ||
                      (is_floating(actual.dtype) && have == rounded_to(actual.dtype, want));
    // An integer may rightly equal its poison pattern; a NaN with the payload never does.
    const bool unwritten = std::memcmp(element, poison.data(), poison.size()) == 0 &&
                           (is_floating(actual.dtype) || !same);
    if (same && !unwritten) return;
    if (result.wrong == 0) {
      result.first_wrong = index_of(actual.layout, linear);
      result.expected = want;
      result.actual = have;
      result.ulp = ulp_distance(actual.dtype, have, want);
    }
    ++result.wrong;
    if (unwritten) ++result.unwritten;
  });
  return result;
}

}  // namespace tunecheck
