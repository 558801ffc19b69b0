#include "gate/rule/change_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tunecheck::gate {
namespace {

std::string percent(double change) {
  return fmt::format("{:.1f} %", 100 * change);
}

}  // namespace

std::string described(double change) {
  // Beyond this nobody pictures a percentage.
  constexpr double least_factor = 3;
  if (std::exp(change) >= least_factor)
    return fmt::format("{:.3g} times as long", std::exp(change));
  return change < 0 ? percent(-std::expm1(change)) + " faster"
                    : percent(std::expm1(change)) + " slower";
}

std::string bounded(double bound) {
  return (bound < 0 ? "at least " : "at most ") + described(bound);
}

}  // namespace tunecheck::gate
