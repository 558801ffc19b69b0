#include "core/sim_model.hpp"

#include <fmt/format.h>

namespace tunecheck {
namespace {

// More than any device does. Time on the device is a sum of products of these numbers, which has to
// stay a number that a clock can show.
constexpr double most_times = 1000;  // as slow
constexpr double hour_us = 3'600e6;  // the longest burst or interruption
constexpr double hour_ns = 1e3 * hour_us;

struct Range {
  double least, most;
};
constexpr Range share{0, 1};
constexpr Range factor{1, most_times};

// `section` is the one below `sim` that has the key; "" for `sim` itself.
struct Place {
  std::string_view section, key;

  [[nodiscard]] std::string name() const {
    return std::string(section) + (section.empty() ? "" : ".") + std::string(key);
  }
  [[nodiscard]] std::string words() const {
    return std::string(key) + (section.empty() ? "" : " of ") + std::string(section);
  }
};

// Whose fault it is.
template <class T>
Result<T> at_key(Result<T> result, std::string key) {
  if (result) return result;
  Error error = std::move(result).error();
  error.key = std::move(key);
  return failure(std::move(error));
}

Result<double> number(const Place& place, const std::string& expression, const Variables& sizes,
                      const Range& range) {
  const auto value = evaluate(expression, sizes);
  if (!value || (*value >= range.least && *value <= range.most)) return at_key(value, place.name());
  return at_key(Result<double>(failure(ErrorKind::bad_input,
                                       "{} is {}; expected a number of at least {} and at most {}",
                                       place.words(), *value, range.least, range.most)),
                place.name());
}

Result<SimDisturbance::Outliers> outliers(std::string_view section, const SimModel::Outliers& model,
                                          const Variables& sizes) {
  SimDisturbance::Outliers result;
  TUNECHECK_TRY(result.rate, number({section, "rate"}, model.rate, sizes, share));
  TUNECHECK_TRY(result.optimistic,
                number({section, "optimistic"}, model.optimistic, sizes, {1 / most_times, 1}));
  TUNECHECK_TRY(result.pessimistic,
                number({section, "pessimistic"}, model.pessimistic, sizes, factor));
  return result;
}

Result<SimDisturbance::Bursts> bursts(const SimModel::Bursts& model, const Variables& sizes) {
  constexpr std::string_view section = "bursts";
  SimDisturbance::Bursts result;
  TUNECHECK_TRY(result.share, number({section, "share"}, model.share, sizes, {0, 0.5}));
  TUNECHECK_TRY(result.length_ns,
                number({section, "length_us"}, model.length_us, sizes, {1, hour_us}));
  TUNECHECK_TRY(result.factor, number({section, "factor"}, model.factor, sizes, factor));
  result.length_ns *= 1000;
  return result;
}

Result<SimDisturbance::Interruptions> interruptions(const SimModel::Interruptions& model,
                                                    const Variables& sizes) {
  constexpr std::string_view section = "interruptions";
  SimDisturbance::Interruptions result;
  TUNECHECK_TRY(result.rate, number({section, "rate"}, model.rate, sizes, share));
  TUNECHECK_TRY(result.length_ns,
                number({section, "length_us"}, model.length_us, sizes, {0, hour_us}));
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
  const auto own_number = [&](std::string_view key, const std::string& expression,
                              const Range& range) {
    return number({"", key}, expression, sizes, range);
  };
  TUNECHECK_TRY(landscape.m_ruggedness,
                own_number("ruggedness", model.ruggedness, {0, most_times}));
  TUNECHECK_TRY(own.noise, own_number("noise", model.noise, share));
  TUNECHECK_TRY(own.drift_per_second, own_number("drift", model.drift, {0, most_times}));
  TUNECHECK_TRY(own.first_launch_ns, own_number("first_launch", model.first_launch, {0, hour_ns}));
  TUNECHECK_TRY(own.process, own_number("process", model.process, share));
  TUNECHECK_TRY(own.launches, outliers("launches", model.launches, sizes));
  TUNECHECK_TRY(own.loads, outliers("loads", model.loads, sizes));
  TUNECHECK_TRY(own.bursts, bursts(model.bursts, sizes));
  TUNECHECK_TRY(own.interruptions, interruptions(model.interruptions, sizes));
  return landscape;
}

Result<SimLandscape::Point> SimLandscape::at(std::span<const double> values) {
  Point point;
  TUNECHECK_TRY(point.cost_ns, at_key(m_cost.evaluate(values), "cost"));
  if (!(point.cost_ns > 0 && point.cost_ns <= hour_ns))
    return at_key(Result<Point>(failure(ErrorKind::bad_input,
                                        "\"{}\" is {}; expected nanoseconds above 0 and at most {}",
                                        m_cost_text, point.cost_ns, hour_ns)),
                  "cost");
  TUNECHECK_TRY(const double refuses, at_key(m_refuses.evaluate(values), "refuses"));
  TUNECHECK_TRY(const double wrong, at_key(m_wrong.evaluate(values), "wrong"));
  point.refuses = refuses != 0;
  point.wrong = wrong != 0;
  return point;
}

}  // namespace tunecheck
