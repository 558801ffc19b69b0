// What a call compiles, and when.
#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

// Of sources, to something: what was refused, crashed or only linked is left out.
std::vector<const CompileEvent*> whole_compiles(const CallRecord& call) {
  std::vector<const CompileEvent*> whole;
  for (const CompileEvent& compile : call.compiles)
    if (!compile.links && compile.exit_status == 0 && !compile.output_digest.empty())
      whole.push_back(&compile);
  return whole;
}

// The command line but for the name of its output.
std::vector<std::string> without_output(const CompileEvent& compile) {
  std::vector<std::string> words = compile.arguments;
  if (const auto option = std::find(words.begin(), words.end(), "-o");
      option != words.end() && option + 1 != words.end())
    words.erase(option, option + 2);
  return words;
}

bool compile_the_same(const CompileEvent& a, const CompileEvent& b) {
  return config_of(a) == config_of(b) &&
         (a.output_digest == b.output_digest || without_output(a) == without_output(b));
}

// Configs of which something was compiled that had been compiled in this call before, with how
// often.
std::map<std::string, int> repeated_configs(const std::vector<const CompileEvent*>& compiles) {
  std::map<std::string, int> repeated;
  for (std::size_t i = 0; i < compiles.size(); ++i) {
    const std::string config = config_of(*compiles[i]);
    const auto before = compiles.begin() + static_cast<std::ptrdiff_t>(i);
    if (config.empty() || std::none_of(compiles.begin(), before, [&](const CompileEvent* other) {
          return compile_the_same(*other, *compiles[i]);
        }))
      continue;
    int& times = repeated[config];
    times = times == 0 ? 2 : times + 1;
  }
  return repeated;
}

// Where compiles do not say their config, two configs may come to the same code. What is compiled
// once all trials are over, and had been compiled before, is the winner again.
bool is_winner_repeated(const CallRecord& call, const std::vector<const CompileEvent*>& compiles) {
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr || call.trial_launches().empty()) return false;
  const std::int64_t tried_ns = call.trial_launches().back().time_ns;
  bool before = false, after = false;
  for (const CompileEvent* const compile : compiles) {
    if (compile->output_digest != real->module || !config_of(*compile).empty()) continue;
    (compile->time_ns > tried_ns ? after : before) = true;
  }
  return before && after;
}

// The command line but for files: what compiles of one tuner for its configs have in common, where
// the config stands in the source.
std::vector<std::string> without_files(const CompileEvent& compile) {
  std::vector<std::string> words = without_output(compile);
  std::erase_if(words, [](const std::string& word) { return word.find('/') != word.npos; });
  words.push_back(compile.tool);
  return words;
}

// Where compiles do not say their config, and make other bytes of one source each time: how many of
// one kind there are at most. Of a tuner that tries the space that it is given there are as many as
// there are configs.
std::size_t most_of_one_kind(const std::vector<const CompileEvent*>& compiles) {
  std::map<std::vector<std::string>, std::size_t> kinds;
  std::size_t most = 0;
  for (const CompileEvent* const compile : compiles)
    if (config_of(*compile).empty()) most = std::max(most, ++kinds[without_files(*compile)]);
  return most;
}

// From a compiler's start to its end, on the clock of launches.
struct Span {
  std::int64_t begin_ns = 0, end_ns = 0;
  auto operator<=>(const Span&) const = default;
};

std::vector<Span> spans_of(const CallRecord& call) {
  std::vector<Span> spans;
  for (const CompileEvent& compile : call.compiles)
    spans.push_back({compile.time_ns, compile.time_ns + compile.wall_ns});
  return spans;
}

}  // namespace

Answer compiles_overlap(const CheckContext& context) {
  const CallRecord& call = context.call;
  const std::string expected = fmt::format(
      "some of the configs are compiled at the same time, since {} compilers may run at once",
      call.request.compile_jobs);
  if (call.request.compile_jobs < 2)
    return no_evidence(expected, "the call allowed one compiler at a time");
  std::vector<Span> spans = spans_of(call);
  if (spans.size() < 2) return no_evidence(expected, "fewer than two compiles were seen");
  std::sort(spans.begin(), spans.end());
  std::size_t together = 0;
  std::int64_t end_ns = 0;
  for (const Span& span : spans) {
    together += span.begin_ns < end_ns ? 1 : 0;
    end_ns = std::max(end_ns, span.end_ns);
  }
  return judged(together > 0, expected,
                fmt::format("{} compiles, {} of them began before an earlier one had ended",
                            spans.size(), together));
}

Answer trials_undisturbed(const CheckContext& context) {
  const std::string expected = "no compiler runs while a config is tried";
  const CallRecord& call = context.call;
  const std::vector<Span> compiles = spans_of(call);
  if (compiles.empty()) return no_evidence(expected, "nothing was compiled in this call");
  if (call.trial_launches().empty()) return no_evidence(expected, "the probe saw no trial");
  std::size_t disturbed = 0;
  for (const LaunchEvent& launch : call.trial_launches()) {
    const std::int64_t end_ns = launch.time_ns + launch.cost_ns + launch.elapsed_ns;
    const bool is_disturbed =
        std::any_of(compiles.begin(), compiles.end(), [&](const Span& compile) {
          return compile.begin_ns < end_ns && launch.time_ns < compile.end_ns;
        });
    disturbed += is_disturbed ? 1 : 0;
  }
  return judged(disturbed == 0, expected,
                fmt::format("{} of {} trial launches ran while something was compiled", disturbed,
                            call.trial_launches().size()));
}

Answer compiles_once(const CheckContext& context) {
  const std::string expected =
      "no config is compiled twice in this call, the winner no more than "
      "others";
  const CallRecord& call = context.call;
  const std::vector<const CompileEvent*> compiles = whole_compiles(call);
  if (compiles.empty()) return no_evidence(expected, "nothing was compiled in this call");
  const LaunchEvent* const real = call.real_launch();
  if (const auto repeated = repeated_configs(compiles); !repeated.empty()) {
    const auto& [config, times] = *repeated.begin();
    const bool won = real != nullptr && real->config == config;
    return judged(false, expected,
                  fmt::format("{} compiles; {}{} was compiled {} times", compiles.size(), config,
                              won ? ", which won," : "", times));
  }
  if (is_winner_repeated(call, compiles))
    return judged(false, expected,
                  fmt::format("{} compiles, one of them of the winner once all trials were over",
                              compiles.size()));
  const auto space = call.request.space.enumerate(to_variables(call.request.sizes));
  const std::size_t most = most_of_one_kind(compiles);
  if (context.scenario.adapter->has("space") && space && most > space->size())
    return judged(
        false, expected,
        fmt::format("{} compiles with one command line, for {} configs", most, space->size()));
  return judged(true, expected,
                fmt::format("{}, each of something else", counted(compiles.size(), "compile")));
}

}  // namespace tunecheck::checks
