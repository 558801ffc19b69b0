#include "core/sim_model.hpp"

#include <limits>

#include <fmt/format.h>

namespace tunecheck {
namespace {

constexpr double no_limit = std::numeric_limits<double>::max();

Result<double> number(std::string_view key, const std::string& expression, const Variables& sizes,
                      double least, double most) {
  TUNECHECK_TRY(const double value, evaluate(expression, sizes));
  if (value >= least && value <= most) return value;
  return failure(ErrorKind::bad_input, "{} is {}; expected a number of at least {}{}", key, value,
                 least, most == no_limit ? std::string() : fmt::format(" and at most {}", most));
}

Result<SimDisturbance::Outliers> outliers(std::string_view key, const SimModel::Outliers& model,
                                          const Variables& sizes) {
  SimDisturbance::Outliers result;
  const auto name = [&](std::string_view part) { return fmt::format("{} of {}", part, key); };
  TUNECHECK_TRY(result.rate, number(name("rate"), model.rate, sizes, 0, 1));
  TUNECHECK_TRY(result.optimistic, number(name("optimistic"), model.optimistic, sizes, 0.001, 1));
  TUNECHECK_TRY(result.pessimistic,
                number(name("pessimistic"), model.pessimistic, sizes, 1, no_limit));
  return result;
}

Result<SimDisturbance::Bursts> bursts(const SimModel::Bursts& model, const Variables& sizes) {
  constexpr double most = 0.5;
  SimDisturbance::Bursts result;
  TUNECHECK_TRY(result.share, number("share of bursts", model.share, sizes, 0, most));
  TUNECHECK_TRY(result.length_ns,
                number("length_us of bursts", model.length_us, sizes, 1, no_limit));
  TUNECHECK_TRY(result.factor, number("factor of bursts", model.factor, sizes, 1, no_limit));
  result.length_ns *= 1000;
  return result;
}

Result<SimDisturbance::Interruptions> interruptions(const SimModel::Interruptions& model,
                                                    const Variables& sizes) {
  SimDisturbance::Interruptions result;
  TUNECHECK_TRY(result.rate, number("rate of interruptions", model.rate, sizes, 0, 1));
  TUNECHECK_TRY(result.length_ns,
                number("length_us of interruptions", model.length_us, sizes, 0, no_limit));
  result.length_ns *= 1000;
  return result;
}

std::string never_if_empty(const std::string& condition) {
  return condition.empty() ? "0" : condition;
}

}  // namespace

std::string SimModel::text() const {
  const auto of = [](std::string_view key, const Outliers& outliers) {
    return fmt::format("{} {{ {} | {} | {} }}\n", key, outliers.rate, outliers.optimistic,
                       outliers.pessimistic);
  };
  return fmt::format(
             "cost {}\nruggedness {}\nnoise {}\ndrift {}\nfirst_launch {}\nprocess {}\nrefuses "
             "{}\nwrong {}\n",
             cost, ruggedness, noise, drift, first_launch, process, refuses, wrong) +
         of("launches", launches) + of("loads", loads) +
         fmt::format("bursts {{ {} | {} | {} }}\ninterruptions {{ {} | {} }}\n", bursts.share,
                     bursts.length_us, bursts.factor, interruptions.rate, interruptions.length_us);
}

SimLandscape::SimLandscape(const SimModel& model, const Variables& sizes,
                           const std::vector<std::string>& config_names)
    : m_cost_text(model.cost),
      m_cost(model.cost, sizes, config_names),
      m_refuses(never_if_empty(model.refuses), sizes, config_names),
      m_wrong(never_if_empty(model.wrong), sizes, config_names) {}

Result<SimLandscape> SimLandscape::create(const SimModel& model, const Variables& sizes,
                                          const std::vector<std::string>& config_names) {
  SimLandscape landscape(model, sizes, config_names);
  SimDisturbance& own = landscape.m_disturbance;
  TUNECHECK_TRY(landscape.m_ruggedness, number("ruggedness", model.ruggedness, sizes, 0, no_limit));
  TUNECHECK_TRY(own.noise, number("noise", model.noise, sizes, 0, 1));
  TUNECHECK_TRY(own.drift_per_second, number("drift", model.drift, sizes, 0, no_limit));
  TUNECHECK_TRY(own.first_launch_ns,
                number("first_launch", model.first_launch, sizes, 0, no_limit));
  TUNECHECK_TRY(own.process, number("process", model.process, sizes, 0, 1));
  TUNECHECK_TRY(own.launches, outliers("launches", model.launches, sizes));
  TUNECHECK_TRY(own.loads, outliers("loads", model.loads, sizes));
  TUNECHECK_TRY(own.bursts, bursts(model.bursts, sizes));
  TUNECHECK_TRY(own.interruptions, interruptions(model.interruptions, sizes));
  return landscape;
}

Result<SimLandscape::Point> SimLandscape::at(std::span<const double> values) {
  Point point;
  TUNECHECK_TRY(point.cost_ns, m_cost.evaluate(values));
  if (!(point.cost_ns > 0))
    return failure(ErrorKind::bad_input, "\"{}\" is {}; expected nanoseconds above 0", m_cost_text,
                   point.cost_ns);
  TUNECHECK_TRY(const double refuses, m_refuses.evaluate(values));
  TUNECHECK_TRY(const double wrong, m_wrong.evaluate(values));
  point.refuses = refuses != 0;
  point.wrong = wrong != 0;
  return point;
}

}  // namespace tunecheck
