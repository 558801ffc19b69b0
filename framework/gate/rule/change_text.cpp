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
  return change < 0 ? percent(-std::expm1(change)) + " faster"
                    : percent(std::expm1(change)) + " slower";
}

std::string bounded(double bound) {
  return (bound < 0 ? "at least " : "at most ") + described(bound);
}

}  // namespace tunecheck::gate
