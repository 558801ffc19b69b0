#include "reports/summary/quantity.hpp"

#include <cmath>
#include <regex>

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

std::string with_factors(const std::string& text) {
  static const std::regex percentage(R"(\+(\d+(?:\.\d+)?) %|(\d+(?:\.\d+)?) % slower)");
  std::string result;
  auto rest = text.begin();
  for (auto found = std::sregex_iterator(text.begin(), text.end(), percentage);
       found != std::sregex_iterator(); ++found) {
    const bool has_sign = (*found)[1].matched;
    const double factor = 1 + std::stod((*found)[has_sign ? 1 : 2]) / 100;
    result.append(rest, (*found)[0].first);
    result += factor < least_factor ? found->str()
              : has_sign            ? fmt::format("x {:.3g}", factor)
                                    : fmt::format("{:.3g} times as long", factor);
    rest = (*found)[0].second;
  }
  return result.append(rest, text.end());
}

}  // namespace tunecheck
