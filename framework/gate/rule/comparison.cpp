#include "gate/rule/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "gate/rule/change_text.hpp"
#include "gate/rule/quantiles.hpp"
#include "gate/rule/signed_rank.hpp"

namespace tunecheck::gate {
namespace {

// Adds which time it is of, where that is not the usual one.
std::string decided(std::string text, TimeKind kind) {
  if (kind == TimeKind::cpu) text += " by CPU time";
  return text;
}

// Where this many times the longest confirmation would be needed, a short one does as well.
constexpr double hopeless = 2;

}  // namespace

void Comparison::Ratios::add(double wall_ratio, const Pair& pair) {
  wall.push_back(wall_ratio);
  const auto cpu_ratio = log_ratio(pair, TimeKind::cpu);
  const bool is_known = pair.base.waits >= 0 && pair.head.waits >= 0 &&
                        !std::isnan(pair.base.waited) && !std::isnan(pair.head.waited);
  if (!cpu_ratio || !is_known) return;
  cpu.push_back(*cpu_ratio);
  waited.push_back(std::max(pair.base.waited, pair.head.waited));
  waits.push_back(static_cast<double>(std::max(pair.base.waits, pair.head.waits)));
}

// A clock whose times never differ measures nothing.
bool Comparison::Ratios::are_of_cpu_alone() const {
  return !cpu.empty() && cpu.size() == wall.size() && median(waited) <= most_waited &&
         median(waits) <= static_cast<double>(most_waits) &&
         std::adjacent_find(cpu.begin(), cpu.end(), std::not_equal_to<>()) != cpu.end();
}

Comparison::Comparison(const Settings& settings, double must_find)
    : m_settings(settings), m_must_find(must_find) {}

std::size_t Comparison::pairs_missing() const {
  if (m_stage == Stage::screen) return m_settings.screen_pairs - m_screen.wall.size();
  if (m_stage == Stage::confirmation) return m_planned - m_confirmation.wall.size();
  return 0;
}

void Comparison::settle(Answer answer, std::string reason) {
  m_stage = Stage::settled;
  m_finding.answer = answer;
  m_finding.reason = std::move(reason);
  m_finding.decided_by = m_time;
  m_finding.screen_pairs = m_screen.wall.size();
  m_finding.confirmation_pairs = m_confirmation.wall.size();
}

void Comparison::add(const Pair& pair) {
  const std::size_t number = m_screen.wall.size() + m_confirmation.wall.size() + 1;
  if (!pair.base.failure.empty())
    return settle(Answer::invalid,
                  fmt::format("the base failed in pair {}: {}", number, pair.base.failure));
  if (!pair.head.failure.empty())
    return settle(
        Answer::regression,
        fmt::format("the head failed in pair {}, the base did not: {}", number, pair.head.failure));
  const auto ratio = log_ratio(pair);
  if (!ratio)
    return settle(Answer::invalid, fmt::format("pair {}: {}", number, ratio.error().message));
  m_is_one_recording = m_is_one_recording && is_one_recording(pair);
  (m_stage == Stage::screen ? m_screen : m_confirmation).add(*ratio, pair);
  if (pairs_missing() > 0) return;
  if (m_stage == Stage::screen)
    end_screen();
  else if (!lengthen())
    m_stage = Stage::confirmed;
}

// The screen's ten pairs may have scattered less or more than these do. Once, so that nobody waits
// for a lucky moment; and by the sizes of the differences alone, never by their signs: if both
// sides are equal, each sign is a coin's toss whatever the sizes, so that p-values stay exact.
bool Comparison::lengthen() {
  constexpr double margin = 1.5;
  if (m_is_lengthened || !speaks()) return false;
  m_is_lengthened = true;
  std::vector<double> both_signs = m_confirmation.by(m_time);
  const std::size_t pairs = both_signs.size();
  for (std::size_t i = 0; i < pairs; ++i)
    both_signs.push_back(-both_signs[i]);
  const double error = std::sqrt(2) * standard_error(both_signs);
  const double needed = needed_pairs(error, pairs, m_family);
  const auto longest = static_cast<double>(m_settings.longest_pairs());
  if (needed > hopeless * longest) return false;
  m_planned = std::max(
      m_planned, static_cast<std::size_t>(
                     std::min({std::ceil(margin * needed), longest, static_cast<double>(m_most)})));
  return pairs_missing() > 0;
}

void Comparison::end_screen() {
  if (m_is_one_recording)
    return settle(
        Answer::invalid,
        "base and head gave the same samples in every pair: one recording was given twice");
  m_time = chosen_time();
  const std::vector<double>& ratios = m_screen.by(m_time);
  const double delta = std::log1p(m_settings.delta);
  const Location location = locate(ratios, m_settings.pass_alpha, m_settings.pass_alpha);
  if (std::abs(location.estimate) > delta || location.upper >= std::log1p(m_settings.tolerance)) {
    m_stage = Stage::suspected;
    return;
  }
  // What a confirmation would have been like, had there been a slowdown to confirm.
  const double error = standard_error(ratios);
  const std::size_t planned = planned_pairs(error, 1);
  const double share = static_cast<double>(ratios.size()) / static_cast<double>(planned);
  m_finding.detectable = detectable(error * std::sqrt(share), planned);
  m_finding.change = std::expm1(location.estimate);
  m_finding.at_most = std::expm1(location.upper);
  settle(Answer::pass, decided(bounded(location.upper), m_time));
}

// From scatter alone: a choice by the ratios themselves would prefer one direction.
TimeKind Comparison::chosen_time() const {
  if (!m_screen.are_of_cpu_alone()) return TimeKind::wall;
  const double wall = standard_error(m_screen.wall), cpu = standard_error(m_screen.cpu);
  const bool is_too_scattered =
      needed_pairs(wall, m_screen.wall.size(), 1) > static_cast<double>(m_settings.most_pairs);
  return is_too_scattered && 2 * cpu <= wall ? TimeKind::cpu : TimeKind::wall;
}

// As many as both bounds need, to be above delta and above nothing, where the slowdown is what must
// be found. The screen's pairs are not among those that will decide, so looking at them costs
// nothing.
double Comparison::needed_pairs(double error_seen, std::size_t pairs, std::size_t family) const {
  const auto longest_error = [&](double alpha, double distance) {
    const double level = alpha / static_cast<double>(family);
    return distance / (normal_quantile(1 - level) + normal_quantile(m_settings.planned_power));
  };
  const double found = std::log1p(m_must_find);
  const double error =
      std::min(longest_error(m_settings.alpha, found - std::log1p(m_settings.delta)),
               longest_error(m_settings.same_alpha, found));
  return std::ceil(static_cast<double>(pairs) * std::pow(error_seen / error, 2));
}

// Ten pairs know the scatter badly, and pairs that are too few cost an answer: hence the margin.
// Where not even the longest confirmation would tell, by far, a short one says so as well.
std::size_t Comparison::planned_pairs(double screen_error, std::size_t family) const {
  constexpr double margin = 2.5;
  const double needed = needed_pairs(screen_error, m_settings.screen_pairs, family);
  const auto longest = static_cast<double>(m_settings.longest_pairs());
  if (needed > hopeless * longest) return std::min(m_settings.most_pairs, m_most);
  return std::min(m_most, static_cast<std::size_t>(
                              std::clamp(std::ceil(margin * needed),
                                         static_cast<double>(m_settings.least_pairs), longest)));
}

// A bound is `error` times a quantile below the estimate, and the estimate misses the truth by
// `error` times another one. The error is only known from these pairs, and the next session's
// bursts are not this one's, however many pairs there are: hence few degrees of freedom, chosen by
// simulation (docs/gate-rule.md). Where the bound above nothing is the one that decides, all
// scatters so much that bursts are little beside it, and the error is better known.
//
// A long confirmation finds less than the tolerance, but where one is needed, the screen of ten
// pairs may let that pass.
double Comparison::detectable(double error, std::size_t planned) const {
  constexpr double freedom_above_delta = 7, freedom_above_none = 24;
  const auto distance = [&](double freedom, double alpha) {
    const double level = alpha / static_cast<double>(m_family);
    return error * (student_quantile(freedom, 1 - level) +
                    student_quantile(freedom, m_settings.stated_power));
  };
  const double found = std::expm1(
      std::max(std::log1p(m_settings.delta) + distance(freedom_above_delta, m_settings.alpha),
               distance(freedom_above_none, m_settings.same_alpha)));
  return planned > m_settings.most_pairs ? std::max(found, m_settings.tolerance) : found;
}

void Comparison::confirm(std::size_t family, std::size_t most_pairs) {
  m_most = std::max(most_pairs, m_settings.least_pairs);
  m_family = family;
  m_stage = Stage::confirmation;
  m_planned = planned_pairs(standard_error(m_screen.by(m_time)), family);
}

double Comparison::p_slower(double delta) const {
  return speaks() ? p_above(m_confirmation.by(m_time), std::log1p(delta)) : 1;
}

double Comparison::p_faster(double delta) const {
  return speaks() ? p_below(m_confirmation.by(m_time), -std::log1p(delta)) : 1;
}

void Comparison::settle(const Significance& slower, const Significance& faster) {
  if (!speaks())
    return settle(Answer::inconclusive,
                  "wall time scatters too much to tell, and CPU time says nothing where processes "
                  "wait for something else than a core");
  const std::vector<double>& ratios = m_confirmation.by(m_time);
  const Location location =
      locate(ratios, m_settings.alpha / static_cast<double>(m_family), m_settings.pass_alpha);
  m_finding.change = std::expm1(location.estimate);
  m_finding.at_least = std::expm1(location.lower);
  m_finding.at_most = std::expm1(location.upper);
  m_finding.detectable = detectable(standard_error(ratios), m_planned);
  const std::string pairs = decided(fmt::format("in {} fresh pairs", ratios.size()), m_time);
  if (slower.beyond_delta && slower.beyond_none)
    return settle(Answer::regression, fmt::format("{} {}", described(location.estimate), pairs));
  if (faster.beyond_delta && faster.beyond_none)
    return settle(Answer::improved, fmt::format("{} {}", described(location.estimate), pairs));
  if (slower.beyond_delta || faster.beyond_delta)
    return settle(Answer::inconclusive,
                  fmt::format("{} {}, but they scatter so much that equal builds could look like "
                              "this; a quieter machine or more pairs would tell",
                              described(location.estimate), pairs));
  if (location.upper < std::log1p(m_settings.tolerance))
    return settle(Answer::pass, fmt::format("{} {}", bounded(location.upper), pairs));
  settle(Answer::inconclusive,
         fmt::format("between {} and {} {}: too much scatter to tell; a quieter machine or more "
                     "pairs would",
                     described(location.lower), described(location.upper), pairs));
}

std::vector<bool> within_budget(const std::vector<double>& p_values, std::size_t family,
                                double alpha) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<bool> significant(p_values.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (p_values[order[i]] > alpha / static_cast<double>(family - i)) break;
    significant[order[i]] = true;
  }
  return significant;
}

void settle_all(const std::vector<Comparison*>& comparisons, std::size_t family,
                const Settings& settings) {
  const auto significant = [&](double (Comparison::*p)(double) const) {
    const auto within = [&](double delta, double alpha) {
      std::vector<double> p_values;
      for (const Comparison* comparison : comparisons)
        p_values.push_back((comparison->*p)(delta));
      return within_budget(p_values, family, alpha);
    };
    const std::vector<bool> beyond_delta = within(settings.delta, settings.alpha);
    const std::vector<bool> beyond_none = within(0, settings.same_alpha);
    std::vector<Significance> result;
    for (std::size_t i = 0; i < comparisons.size(); ++i)
      result.push_back({beyond_delta[i], beyond_none[i]});
    return result;
  };
  const std::vector<Significance> slower = significant(&Comparison::p_slower);
  const std::vector<Significance> faster = significant(&Comparison::p_faster);
  for (std::size_t i = 0; i < comparisons.size(); ++i)
    comparisons[i]->settle(slower[i], faster[i]);
}

}  // namespace tunecheck::gate
