#include "gate/rule/settings.hpp"

#include <algorithm>
#include <cmath>

#include "gate/rule/signed_rank.hpp"

namespace tunecheck::gate {
namespace {

Result<void> check_probability(double value, const char* name) {
  if (value > 0 && value < 0.5) return {};
  return failure(ErrorKind::bad_input, "{}: expected more than 0 and less than 0.5, found {}", name,
                 value);
}

Result<void> check_power(double value, const char* name) {
  if (value > 0.5 && value < 1) return {};
  return failure(ErrorKind::bad_input, "{}: expected more than 0.5 and less than 1, found {}", name,
                 value);
}

// A bound leaves out at least one Walsh average: with n pairs its level is no smaller than 2^-n.
Result<void> check_pairs(std::size_t pairs, double alpha, const char* name) {
  const double least = std::ceil(std::log2(1 / alpha));
  if (static_cast<double>(pairs) >= least) return {};
  return failure(ErrorKind::bad_input, "{}: expected at least {} for a level of {}, found {}", name,
                 least, alpha, pairs);
}

}  // namespace

Settings settings_with(double delta, double tolerance) {
  Settings settings;
  settings.delta = delta;
  settings.tolerance = tolerance;
  settings.planted = std::max(settings.planted, 2 * tolerance);
  return settings;
}

Result<void> check(const Settings& settings) {
  if (!(settings.delta >= 0 && std::isfinite(settings.delta)))
    return failure(ErrorKind::bad_input, "delta: expected at least 0, found {}", settings.delta);
  if (!(settings.tolerance > settings.delta && std::isfinite(settings.tolerance)))
    return failure(ErrorKind::bad_input, "tolerance: expected more than delta, {}, found {}",
                   settings.delta, settings.tolerance);
  if (!(settings.planted > settings.delta && std::isfinite(settings.planted)))
    return failure(ErrorKind::bad_input, "planted: expected more than delta, {}, found {}",
                   settings.delta, settings.planted);
  TUNECHECK_CHECK(check_probability(settings.alpha, "alpha"));
  TUNECHECK_CHECK(check_probability(settings.same_alpha, "same_alpha"));
  TUNECHECK_CHECK(check_probability(settings.pass_alpha, "pass_alpha"));
  TUNECHECK_CHECK(check_power(settings.planned_power, "planned_power"));
  TUNECHECK_CHECK(check_power(settings.stated_power, "stated_power"));
  TUNECHECK_CHECK(check_pairs(settings.screen_pairs, settings.pass_alpha, "screen_pairs"));
  if (settings.screen_pairs < least_pairs_for_an_error)
    return failure(ErrorKind::bad_input, "screen_pairs: expected at least {}, found {}",
                   least_pairs_for_an_error, settings.screen_pairs);
  TUNECHECK_CHECK(check_pairs(settings.least_pairs, std::min(settings.alpha, settings.same_alpha),
                              "least_pairs"));
  if (settings.most_pairs < settings.least_pairs)
    return failure(ErrorKind::bad_input, "most_pairs: expected at least least_pairs, {}, found {}",
                   settings.least_pairs, settings.most_pairs);
  return {};
}

}  // namespace tunecheck::gate
