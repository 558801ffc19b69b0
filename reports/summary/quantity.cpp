#include "reports/summary/quantity.hpp"

#include <cmath>

#include <fmt/format.h>

#include "core/plain_text.hpp"

namespace tunecheck {
namespace {

constexpr double least_factor = 3;  // below, a percentage is easier to picture

}  // namespace

std::string quantity_text(double value, const std::string& unit) {
  if (unit != "ns") return fmt::format("{:g} {}", value, printable_line(unit));
  if (value < 1e3) return fmt::format("{:.4g} ns", value);
  if (value < 1e6) return fmt::format("{:.4g} us", value / 1e3);
  if (value < 1e9) return fmt::format("{:.4g} ms", value / 1e6);
  return fmt::format("{:.4g} s", value / 1e9);
}

std::string change_text(double change) {
  const double factor = 1 + change;
  if (!std::isfinite(change)) return {};
  if (factor >= least_factor) return fmt::format("x {:.3g}", factor);
  return fmt::format("{:+.1f} %", 100 * change);
}

}  // namespace tunecheck
