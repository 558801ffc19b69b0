#include "noise_rates.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"

namespace tunecheck::bench {
namespace {

using Json = nlohmann::json;

double middle(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  if (values.size() % 2 == 1) return *at;
  return (*at + *std::max_element(values.begin(), at)) / 2;
}

std::vector<double> regrets(const std::vector<double>& times) {
  const double best = *std::min_element(times.begin(), times.end());
  std::vector<double> regrets;
  for (const double time : times)
    regrets.push_back(time / best - 1);
  return regrets;
}

// What each config takes in the rounds [from, to), as a share of what all take.
std::vector<double> usual(const JudgeTimes::Rounds& rounds_ns, std::size_t from, std::size_t to) {
  std::vector<std::vector<double>> shares(rounds_ns.front().size());
  for (std::size_t round = from; round < to; ++round) {
    double logarithms = 0;
    for (const double time_ns : rounds_ns[round])
      logarithms += std::log(time_ns);
    const double mean_ns = std::exp(logarithms / static_cast<double>(shares.size()));
    for (std::size_t i = 0; i < shares.size(); ++i)
      shares[i].push_back(rounds_ns[round][i] / mean_ns);
  }
  std::vector<double> usual;
  for (std::vector<double>& each : shares)
    usual.push_back(middle(std::move(each)));
  return usual;
}

std::vector<Regret::Found> found_in(const JudgeTimes::Rounds& rounds_ns) {
  const std::size_t rounds = rounds_ns.size();
  const std::vector<double> in_all = regrets(usual(rounds_ns, 0, rounds));
  const std::vector<double> before = regrets(usual(rounds_ns, 0, rounds / 2));
  const std::vector<double> after = regrets(usual(rounds_ns, rounds / 2, rounds));
  std::vector<Regret::Found> found;
  for (std::size_t i = 0; i < in_all.size(); ++i)
    found.push_back({in_all[i], before[i], after[i]});
  return found;
}

std::vector<double> least(const JudgeTimes::Rounds& rounds_ns) {
  std::vector<double> least = rounds_ns.front();
  for (const std::vector<double>& round : rounds_ns)
    for (std::size_t i = 0; i < round.size(); ++i)
      least[i] = std::min(least[i], round[i]);
  return least;
}

// A row of the table of regrets.
struct Rates {
  int tunings = 0, good = 0, good_by_least = 0, surely_bad = 0;
  double largest = 0;

  void add(const Regret& regret) {
    ++tunings;
    good += regret.is_good() ? 1 : 0;
    good_by_least += regret.by_least <= good_regret ? 1 : 0;
    surely_bad += regret.is_surely_bad() ? 1 : 0;
    largest = std::max(largest, regret.usual.in_all);
  }
  [[nodiscard]] std::string row(const std::string& name) const {
    return fmt::format("| {:42} | {:7} | {:10} | {:13} | {:17} | {:6.1f} % |\n", name, tunings,
                       good, surely_bad, good_by_least, 100 * largest);
  }
};

using Names = std::vector<std::string>;

void add_table(std::string& page, std::span<const Tuned> tunings,
               Names (*names_of)(const Tuned& tuned)) {
  std::map<Names, Rates> rates;
  for (const Tuned& tuned : tunings)
    if (tuned.regret) rates[names_of(tuned)].add(*tuned.regret);
  page += fmt::format(
      "| {:42} | tunings | within 2 % | surely above | within, by least |  largest |\n"
      "| :--- | ---: | ---: | ---: | ---: | ---: |\n",
      "tuned by, next to");
  for (const auto& [names, of_names] : rates)
    page += of_names.row(fmt::format("{}", fmt::join(names, ", ")));
  page += "\n";
}

std::string undisturbed_times(std::span<const Tuned> tunings) {
  std::map<std::string, std::map<std::string, std::vector<double>>> seconds;  // by kernel and side
  for (const Tuned& tuned : tunings)
    if (tuned.noise == "none") seconds[tuned.kernel][tuned.side].push_back(tuned.seconds);
  std::string page;
  std::vector<double> ratios;
  for (const auto& [kernel, sides] : seconds) {
    if (sides.size() < 2) continue;
    const double other = middle(sides.begin()->second), own = middle(sides.rbegin()->second);
    // Sides are sorted by name: "the other" comes before "this build".
    ratios.push_back(own / other);
    page +=
        fmt::format("| {:26} | {:8.3f} | {:9.3f} | {:5.2f} |\n", kernel, own, other, ratios.back());
  }
  if (ratios.empty()) return "";
  return fmt::format(
      "| undisturbed tunings        | this, s  | other, s  | ratio |\n"
      "| :--- | ---: | ---: | ---: |\n{}"
      "The middle of the ratios is {:.2f}, the largest {:.2f}.\n",
      page, middle(ratios), *std::max_element(ratios.begin(), ratios.end()));
}

}  // namespace

std::vector<Regret> regrets_of(const JudgeTimes& times) {
  const std::vector<Regret::Found> usual = found_in(times.usual_ns);
  const std::vector<Regret::Found> as_trials = found_in(times.as_trials_ns);
  const std::vector<double> by_least = regrets(least(times.usual_ns));
  std::vector<Regret> found;
  for (std::size_t i = 0; i < usual.size(); ++i)
    found.push_back({usual[i], as_trials[i], by_least[i]});
  return found;
}

int clearly_different(const JudgeTimes& times) {
  constexpr double clearly = 1.05;
  std::vector<double> sorted = usual(times.usual_ns, 0, times.usual_ns.size());
  std::sort(sorted.begin(), sorted.end());
  int different = 0;
  double last = 0;
  for (const double each : sorted)
    if (each > clearly * last) {
      ++different;
      last = each;
    }
  return different;
}

std::string rates_page(std::span<const Tuned> tunings) {
  std::string page = "\n";
  add_table(page, tunings, [](const Tuned& tuned) { return Names{tuned.side, tuned.noise}; });
  add_table(page, tunings, [](const Tuned& tuned) {
    return Names{tuned.kernel, tuned.side, tuned.noise};
  });
  return page + undisturbed_times(tunings);
}

Json to_json(const std::string& kernel, const JudgeTimes& times) {
  const std::vector<Regret> regrets = regrets_of(times);
  const auto times_of = [](const JudgeTimes::Rounds& rounds_ns, std::size_t config) {
    Json times_ns = Json::array();
    for (const std::vector<double>& round : rounds_ns)
      times_ns.push_back(std::llround(round[config]));
    return times_ns;
  };
  const auto found = [](const Regret::Found& regret) {
    return Json{{"all", regret.in_all}, {"before", regret.before}, {"after", regret.after}};
  };
  Json configs = Json::array();
  for (std::size_t i = 0; i < times.configs.size(); ++i)
    configs.push_back({{"config", times.configs[i]},
                       {"usual_ns", times_of(times.usual_ns, i)},
                       {"as_trials_ns", times_of(times.as_trials_ns, i)},
                       {"regret", found(regrets[i].usual)},
                       {"regret_as_trials", found(regrets[i].as_trials)},
                       {"regret_by_least", regrets[i].by_least}});
  return {{"kernel", kernel}, {"configs", configs}};
}

Json to_json(const Tuned& tuned) {
  Json json = {{"kernel", tuned.kernel}, {"noise", tuned.noise},     {"side", tuned.side},
               {"winner", tuned.winner}, {"seconds", tuned.seconds}, {"regret", nullptr},
               {"surely_bad", nullptr}};
  if (!tuned.regret) return json;
  json["surely_bad"] = tuned.regret->is_surely_bad();
  json["regret"] = tuned.regret->usual.in_all;
  return json;
}

Result<std::vector<int>> parse_cpus(const std::string& text) {
  std::vector<int> cpus;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto dash = part.find('-');
    const auto first = parse_integer(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_integer(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= 1024)
      return failure(ErrorKind::bad_input, "--cpus: expected CPUs as \"0-3,6\", found \"{}\"",
                     text);
    for (auto cpu = *first; cpu <= *last; ++cpu)
      cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

std::string processor_name() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "";
}

}  // namespace tunecheck::bench
