#include "gate/rule/stored.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "gate/rule/change_text.hpp"
#include "gate/rule/rank_sum.hpp"

namespace tunecheck::gate {
namespace {

std::vector<double> logarithms(std::span<const double> values) {
  std::vector<double> logarithms;
  std::transform(values.begin(), values.end(), std::back_inserter(logarithms),
                 [](double value) { return std::log(value); });
  return logarithms;
}

}  // namespace

Finding compare_with_stored(std::span<const double> before, std::span<const double> present,
                            const Settings& settings, const std::string& decides) {
  const Location location =
      locate_shift(logarithms(before), logarithms(present), settings.alpha, settings.pass_alpha);
  Finding finding;
  finding.change = std::expm1(location.estimate);
  finding.at_least = std::expm1(location.lower);
  finding.at_most = std::expm1(location.upper);
  const std::string processes =
      fmt::format("in {} processes than in {} stored ones", present.size(), before.size());
  const bool is_suspected = location.lower > std::log1p(settings.delta);
  if (!is_suspected && location.upper < std::log1p(settings.tolerance)) {
    finding.answer = Answer::pass;
    finding.reason = bounded(location.upper) + " " + processes;
  } else if (is_suspected) {
    finding.reason = fmt::format("{} {}, and so may the machine be: {} would tell",
                                 described(location.estimate), processes, decides);
  } else if (std::isfinite(location.upper) && std::isfinite(location.lower)) {
    finding.reason = fmt::format("between {} and {} {}: {} would tell", described(location.lower),
                                 described(location.upper), processes, decides);
  } else {
    finding.reason = fmt::format("{} {}, which are too few for a bound: {} would tell",
                                 described(location.estimate), processes, decides);
  }
  return finding;
}

}  // namespace tunecheck::gate
