#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

const FileRecord* file_with(const FolderSnapshot& snapshot, const std::string& digest) {
  const auto found = std::find_if(snapshot.files.begin(), snapshot.files.end(),
                                  [&](const FileRecord& file) { return file.holds(digest); });
  return digest.empty() || found == snapshot.files.end() ? nullptr : &*found;
}

bool holds_as_it_is(const FolderSnapshot& snapshot, const FileRecord& file) {
  return std::any_of(snapshot.files.begin(), snapshot.files.end(), [&](const FileRecord& other) {
    return other.path == file.path && other.size == file.size && other.digest == file.digest;
  });
}

// The real call of the process that a check names: of its last call.
const LaunchEvent* real_launch_of(const CheckContext& context) {
  const ProcessRecord* const process = context.scenario.process(context.parameter);
  return process == nullptr || process->calls.empty() ? nullptr
                                                      : process->calls.back().real_launch();
}

// Why one of the two calls that a check compares launched nothing: it failed. "" where neither did.
std::string why_one_failed(const CheckContext& context) {
  const auto failed = [](const CallRecord& call) { return call.answer && !call.answer->done; };
  const ProcessRecord* const process = context.scenario.process(context.parameter);
  if (process != nullptr && !process->calls.empty() && failed(process->calls.back()))
    return "there is none, because its call failed: " + process->calls.back().answer->message;
  return failed(context.call) ? "the call failed: " + context.call.answer->message : "";
}

std::string counted_compiles(const CallRecord& call) {
  return counted(static_cast<std::size_t>(call.compile_count()), "compile");
}

std::string what_ran(const CallRecord& call) {
  const auto trials = call.trial_launch_count();
  return fmt::format("{} and {} trial {}", counted_compiles(call), trials,
                     trials == 1 ? "launch" : "launches");
}

// True where an earlier call of the process, or one made at the same moment, launched or compiled
// this artifact.
bool was_used_before(const CheckContext& context, const std::string& artifact) {
  const CallRecord& now = context.call;
  const auto had_it = [&](const CallRecord& call) {
    const bool together = call.group != nullptr && call.group == now.group;
    if (&call == &now || (call.number > now.number && !together)) return false;
    return std::any_of(call.launches.begin(), call.launches.end(),
                       [&](const auto& launch) { return launch.module == artifact; }) ||
           std::any_of(call.compiles.begin(), call.compiles.end(),
                       [&](const auto& compile) { return compile.output_digest == artifact; });
  };
  return std::any_of(context.process.calls.begin(), context.process.calls.end(), had_it);
}

// A compile that was refused is evidence too: of a tuner that wanted to compile.
bool nothing_seen(const CallRecord& call) {
  return call.launch_count() == 0 && call.compiles.empty();
}

}  // namespace

Answer reload_no_compile(const CheckContext& context) {
  // A tuner that keeps no binaries compiles its winner once in each process.
  const bool is_first =
      context.process.calls.empty() || context.process.calls.front().number == context.call.number;
  if (is_first && !context.call.keeps_artifacts)
    return {Verdict::unsupported, "capability artifact", "the adapter does not declare it"};
  if (nothing_seen(context.call))
    return no_evidence("no compile", "observers saw neither a compile nor a launch");
  return judged(context.call.compiles.empty(), "no compile", counted_compiles(context.call));
}

Answer reload_no_trial(const CheckContext& context) {
  const std::string expected = "one launch, for the caller";
  if (context.call.launches.empty()) return no_evidence(expected, "the probe saw no launch");
  const std::size_t warm_ups = context.call.warm_up_launches().size();
  return judged(context.call.launches.size() == 1 + warm_ups, expected,
                fmt::format("{} launches{}", context.call.launches.size(),
                            warm_ups == 0 ? "" : ", all but one of them to warm up"));
}

Answer reload_no_file(const CheckContext& context) {
  const std::string expected = "nothing is done in the cache folder";
  bool seen_before = false;
  for (const CallRecord& call : context.process.calls)
    if (call.number < context.call.number) seen_before = seen_before || !call.files.empty();
  const std::vector<FileEvent>& files = context.call.files;
  if (!seen_before && files.empty())
    return no_evidence(expected, "nothing that this process did in the cache folder was ever seen");
  if (files.empty()) return judged(true, expected, "nothing");
  const FileEvent& first = files.front();
  return judged(false, expected,
                fmt::format("{} operations; the first: {} of {}", files.size(), first.operation,
                            first.path.empty() ? "the folder itself" : first.path));
}

// Unlike a hit in memory, a process that never looks into the folder may never have been seen
// there: then another one, whose cache is on, shows that the observer sees this tuner.
Answer cache_untouched(const CheckContext& context) {
  const std::string expected = "the cache folder is neither read nor changed";
  const CallRecord& call = context.call;
  if (!call.files.empty()) {
    const FileEvent& first = call.files.front();
    return judged(
        false, expected,
        fmt::format("{} operations; the first: {} of {}", call.files.size(), first.operation,
                    first.path.empty() ? "the folder itself" : first.path));
  }
  for (const auto* const snapshots : {&call.cache_before, &call.cache_after}) {
    const auto& other = snapshots == &call.cache_before ? call.cache_after : call.cache_before;
    for (const FileRecord& file : snapshots->files)
      if (!holds_as_it_is(other, file))
        return judged(false, expected, file.path + " is not as it was before the call");
  }
  for (const ProcessRecord& process : context.scenario.processes)
    for (const CallRecord& seen : process.calls)
      if (!seen.files.empty())
        return judged(true, expected,
                      fmt::format("nothing; {} operations of process \"{}\" were seen",
                                  seen.files.size(), process.step->name));
  return no_evidence(expected,
                     "nothing that any process of this scenario did in the cache folder was seen");
}

Answer reload_same_winner(const CheckContext& context) {
  const LaunchEvent* const before = real_launch_of(context);
  const LaunchEvent* const now = context.call.real_launch();
  const std::string expected = fmt::format("the winner of process \"{}\"", context.parameter);
  if (const std::string why = why_one_failed(context); !why.empty())
    return judged(false, expected, why);
  if (before == nullptr || now == nullptr || config_or_artifact(*before).empty())
    return no_evidence(expected, "the probe saw no real call");
  return judged(config_or_artifact(*before) == config_or_artifact(*now),
                fmt::format("{}: {}", expected, config_or_artifact(*before)),
                config_or_artifact(*now) + " was launched");
}

Answer reload_same_bytes(const CheckContext& context) {
  const LaunchEvent* const before = real_launch_of(context);
  const LaunchEvent* const now = context.call.real_launch();
  const std::string expected =
      fmt::format("the artifact that won in process \"{}\"", context.parameter);
  if (const std::string why = why_one_failed(context); !why.empty())
    return judged(false, expected, why);
  if (before == nullptr || now == nullptr || before->module.empty() || now->module.empty())
    return no_evidence(expected, "the probe could not read the artifact that was launched");
  return judged(before->module == now->module,
                fmt::format("{}, SHA-256 {:.16}...", expected, before->module),
                fmt::format("SHA-256 {:.16}... was launched", now->module));
}

namespace {

bool was_answered_remotely(const CallRecord& call) {
  return call.remote_requests &&
         std::any_of(call.remote_requests->begin(), call.remote_requests->end(),
                     [](const RemoteRequest& request) { return request.is_answered; });
}

// A process's first call may find what its bundle held: it is loaded when the process begins, which
// is after the judge has looked into the folder.
bool may_come_from_bundle(const CheckContext& context) {
  return context.process.step->settings.bundle && &context.call == &context.process.calls.front();
}

}  // namespace

Answer launches_traced(const CheckContext& context) {
  const std::string expected =
      "an artifact that lay in the cache folder, or that the process launched before";
  const CallRecord& call = context.call;
  if (call.tuned()) return judged(true, expected, "it was tuned: " + what_ran(call));
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr || real->module.empty())
    return no_evidence(expected, "the probe could not read the artifact that was launched");
  if (const FileRecord* const file = file_with(call.cache_before, real->module))
    return judged(true, expected, file->path);
  // What runs at the same moment may have stored it since, and so may this call itself, if a remote
  // cache or a bundle gave it what it asked for.
  if (const FileRecord* const file = file_with(call.cache_after, real->module);
      file != nullptr && (context.process.group != nullptr || was_answered_remotely(call) ||
                          may_come_from_bundle(context)))
    return judged(true, expected, file->path);
  if (was_used_before(context, real->module))
    return judged(true, expected, "launched before by the process");
  return judged(false, expected,
                fmt::format("SHA-256 {:.16}... was launched, which none of the {} files held",
                            real->module, call.cache_before.files.size()));
}

Answer store_only_winner(const CheckContext& context) {
  const std::string expected = "the cache folder holds the winner's artifact and no other";
  const CallRecord& call = context.call;
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr || real->module.empty())
    return no_evidence(expected, "the probe could not read the artifact that was launched");
  if (call.compiles.empty()) return no_evidence(expected, "nothing was compiled in this call");
  if (file_with(call.cache_after, real->module) == nullptr)
    return judged(false, expected,
                  fmt::format("none of its {} files is the winner's artifact",
                              call.cache_after.files.size()));
  std::string losers;
  for (const CompileEvent& compile : call.compiles)
    if (compile.output_digest != real->module)
      if (const FileRecord* const file = file_with(call.cache_after, compile.output_digest))
        losers += (losers.empty() ? "" : ", ") + file->path;
  return judged(losers.empty(), expected,
                losers.empty() ? fmt::format("{} files, one of them the winner's artifact",
                                             call.cache_after.files.size())
                               : "artifacts of losers: " + losers);
}

Answer store_before_first_launch(const CheckContext& context) {
  const std::string expected = "the winner is stored before it is launched for the caller";
  const CallRecord& call = context.call;
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr || real->stored.empty() || real->module.empty())
    return no_evidence(expected, "the probe did not list the cache folder at the real call");
  if (file_with(call.cache_after, real->module) == nullptr)
    return judged(false, expected, "it was not stored by the end of the call");
  return judged(real->stored == call.cache_listing_after, expected,
                real->stored == call.cache_listing_after
                    ? "the cache folder was complete when the real call began"
                    : "the cache folder changed after the real call had begun");
}

Answer store_relocatable(const CheckContext& context) {
  const std::string expected = "the moved cache folder serves its winner";
  if (nothing_seen(context.call))
    return no_evidence(expected, "observers saw neither a compile nor a launch");
  return judged(!context.call.tuned(), expected, what_ran(context.call));
}

Answer store_failure_visible(const CheckContext& context) {
  const std::string expected =
      "the call succeeds and its message says that the winner was not stored";
  const CallRecord& call = context.call;
  if (!call.answer->done)
    return judged(false, expected, "the call failed: " + call.answer->message);
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr) return no_evidence(expected, "the probe saw no real call");
  if (file_with(call.cache_after, real->module) != nullptr &&
      file_with(call.cache_before, real->module) == nullptr)
    return no_evidence(expected, "the winner was stored all the same");
  return judged(mentions_store(call.answer->message), expected,
                call.answer->message.empty() ? "no message" : "message: " + call.answer->message);
}

Answer key_must_miss(const CheckContext& context) {
  const std::string expected = "configs are tried: no cached winner fits";
  const CallRecord& call = context.call;
  if (nothing_seen(call))
    return no_evidence(expected, "observers saw neither a compile nor a launch");
  const bool used_winner = !call.tuned() && call.answer->done && call.compile_count() == 0;
  std::string observed = what_ran(call);
  if (used_winner) observed = "the cached winner was used: no compile, no trial";
  if (!call.answer->done) observed += "; the call failed";
  // Nothing was tried because nothing could be: the key is not to blame.
  const bool failed_to_compile = !call.answer->done && call.compile_count() > 0;
  return judged(call.tuned() || failed_to_compile, expected, observed);
}

Answer key_must_hit(const CheckContext& context) {
  const std::string expected = "the cached winner is used: no compile, no trial";
  if (nothing_seen(context.call))
    return no_evidence(expected, "observers saw neither a compile nor a launch");
  std::string observed = what_ran(context.call);
  if (context.call.tuned() && !context.call.answer->message.empty())
    observed += "; the tuner says: " + context.call.answer->message;
  return judged(!context.call.tuned(), expected, observed);
}

namespace {

// True where the word stands in the text with nothing beside it that could be a part of a name.
bool has_word(std::string_view text, std::string_view word) {
  const auto is_part = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
  };
  for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; ++at) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end])))
      return true;
  }
  return false;
}

// Where one axis changes, others of its group may have to: the alignment with the dtype, the
// strides with the shape. What no group has is a tuner's own name, of which nothing is known.
bool is_about_something_else(const std::string& axis, const std::string& changed) {
  static const std::vector<std::set<std::string>> groups = {
      {"shape", "strides", "dtype", "alignment", "scalars"},
      {"source", "headers", "signature", "space"},
      {"arch", "toolchain", "options", "environment"}};
  return std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
    return group.contains(axis) && !group.contains(changed);
  });
}

}  // namespace

Answer key_explained(const CheckContext& context) {
  const auto& answer = *context.call.answer;
  const std::string expected = fmt::format(
      "the tuner names the axis \"{}\", and none of what is as it was", context.parameter);
  const bool named = std::find(answer.missed_axes.begin(), answer.missed_axes.end(),
                               context.parameter) != answer.missed_axes.end();
  const bool said = has_word(answer.message, context.parameter);
  const bool is_exact = std::none_of(
      answer.missed_axes.begin(), answer.missed_axes.end(),
      [&](const auto& axis) { return is_about_something_else(axis, context.parameter); });
  std::string axes;
  for (const std::string& axis : answer.missed_axes)
    axes += (axes.empty() ? "" : ", ") + axis;
  return judged((named || said) && is_exact, expected,
                fmt::format("axes: {}; message: {}", axes.empty() ? "none" : axes,
                            answer.message.empty() ? "none" : answer.message));
}

}  // namespace tunecheck::checks
