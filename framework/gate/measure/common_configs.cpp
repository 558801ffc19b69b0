#include "gate/measure/common_configs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gate/measure/planted_loop.hpp"

namespace tunecheck::gate {
namespace {

bool has_chosen(const KernelSide& side, const std::string& config) {
  return std::any_of(side.tunings().begin(), side.tunings().end(),
                     [&](const Tuning& tuning) { return tuning.winner == config; });
}

}  // namespace

CommonConfigs common_configs(const KernelSide& base, const KernelSide& head) {
  CommonConfigs common;
  for (const Tuning& tuning : base.tunings())
    if (has_chosen(head, tuning.winner)) common.configs.push_back(tuning.winner);
  common.are_stored = !common.configs.empty();
  if (common.are_stored) return common;
  for (const Tuning& tuning : base.tunings())
    if (base.has_config(tuning.winner) && head.has_config(tuning.winner))
      common.configs.push_back(tuning.winner);
  if (common.configs.empty())
    common.reason = fmt::format(
        "the base's kernel and the head's have no config in common that the base chose: it chose "
        "\"{}\"",
        base.tunings().front().winner);
  return common;
}

Result<ProcessRun> launch_time(KernelSide& side, const CommonConfigs& common, std::size_t number,
                               bool is_slowed) {
  const std::string& config = common.configs[number % common.configs.size()];
  return common.are_stored ? side.stored_time(config, number, is_slowed)
                           : side.config_time(config, is_slowed);
}

bool can_loop(const KernelSide& side, const CommonConfigs& common) {
  return common.reason.empty() && why_no_planted_loop(side.kernel()).empty() &&
         std::all_of(common.configs.begin(), common.configs.end(),
                     [&](const std::string& config) { return side.has_config(config); });
}

Result<ProcessRun> looped_launch_time(KernelSide& side, const CommonConfigs& common,
                                      std::size_t number, bool is_slowed) {
  return side.looped_time(common.configs[number % common.configs.size()], is_slowed);
}

Result<std::string> trouble_of_loop(KernelSide& side, const CommonConfigs& common, double planted) {
  constexpr int processes = 3;
  std::vector<double> without_ns, with_ns;
  for (int i = 0; i < processes; ++i)
    for (const bool is_slowed : {false, true}) {
      TUNECHECK_TRY(const ProcessRun run, looped_launch_time(side, common, 0, is_slowed));
      if (!run.failure.empty()) return run.failure;
      (is_slowed ? with_ns : without_ns).push_back(median(run.samples));
    }
  return why_no_effect(without_ns, with_ns, planted);
}

std::size_t tuning_of_pair(const KernelSide& side, const CommonConfigs& common,
                           std::size_t number) {
  if (!common.are_stored) return number;
  return side.tuning_that_chose(common.configs[number % common.configs.size()], number)
      .value_or(number);
}

std::string why_no_choice(const KernelSide& base, const KernelSide& head) {
  for (const KernelSide* const side : {&base, &head})
    for (const Tuning& tuning : side->tunings())
      if (!base.has_config(tuning.winner))
        return fmt::format("what a tuning chose, \"{}\", is not one of the base's configs",
                           tuning.winner);
  return "";
}

Result<ProcessRun> choice_time(KernelSide& side, KernelSide& base) {
  TUNECHECK_TRY(const KernelSide::Choice choice, side.choose());
  if (!choice.failure.empty()) return ProcessRun{{}, choice.failure};
  if (!base.has_config(choice.config))
    return ProcessRun{{},
                      fmt::format("the tuning chose \"{}\", which is not one of the base's configs",
                                  choice.config)};
  return base.config_time(choice.config, false);
}

}  // namespace tunecheck::gate
