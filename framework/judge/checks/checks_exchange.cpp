// Configs that are launched without a search: the caller's own, and those of an offline table. And
// bundles, which take winners from one machine to another.
#include <algorithm>
#include <set>
#include <string>

#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

std::string or_nothing(const std::string& text) {
  return text.empty() ? "nothing" : text;
}

Answer told(const CheckContext& context, const std::string& expected, bool is_told,
            const std::string& word, const char* what) {
  const std::string& message = context.call.answer->message;
  return judged(is_told && !message.empty(), expected,
                fmt::format("it says \"{}\" of the {}, and: {}", or_nothing(word), what,
                            message.empty() ? "no message" : message));
}

}  // namespace

Answer table_told(const CheckContext& context) {
  const std::string expected =
      "the answer says that the table has nothing for the call, or what must not be used, and why";
  if (!context.call.answer) return no_evidence(expected, "there is no answer");
  const std::string& word = context.call.answer->table;
  return told(context, expected, word == "absent" || word == "refused", word, "table");
}

Answer bundle_told(const CheckContext& context) {
  const std::string expected = "the answer says that the bundle must not be used, and why";
  if (!context.call.answer) return no_evidence(expected, "there is no answer");
  const std::string& word = context.call.answer->bundle;
  return told(context, expected, word == "refused", word, "bundle");
}

Answer bundle_written(const CheckContext& context) {
  const std::string expected = "a bundle, when the process has ended";
  const auto& files = context.process.bundle_files;
  if (!files) return no_evidence(expected, "the process was told of no bundle");
  return judged(*files > 0, expected, fmt::format("{} files", *files));
}

Answer bundle_unwritten(const CheckContext& context) {
  const std::string expected = "no bundle, when the process has ended";
  const auto& files = context.process.bundle_files;
  if (!files) return no_evidence(expected, "the process was told of no bundle");
  return judged(*files == 0, expected, fmt::format("{} files", *files));
}

Answer archive_told(const CheckContext& context) {
  const std::string expected = "the import before the call fails, with a message that says why";
  const auto& archive = context.call.archive;
  if (!archive || !archive->step->imports)
    return no_evidence(expected, "there was no import before the call");
  const protocol::ArchiveAnswer& answer = archive->answer;
  return judged(!answer.done && !answer.message.empty(), expected,
                fmt::format("it {}, took {} entries, and says {}",
                            answer.done ? "succeeded" : "failed", answer.entries,
                            answer.message.empty() ? "nothing" : "\"" + answer.message + "\""));
}

Answer archive_keeps_newer(const CheckContext& context) {
  const std::string expected = fmt::format(
      "the import before the call leaves the files of process \"{}\"", context.parameter);
  const auto& archive = context.call.archive;
  if (!archive || !archive->step->imports)
    return no_evidence(expected, "there was no import before the call");
  const ProcessRecord* const newer = context.scenario.process(context.parameter);
  if (newer == nullptr || newer->calls.empty() || newer->calls.back().cache_after.files.empty())
    return no_evidence(expected, "that process left no file in the cache folder");
  const auto& now = context.call.cache_before.files;
  for (const FileRecord& file : newer->calls.back().cache_after.files)
    if (std::none_of(now.begin(), now.end(), [&](const FileRecord& other) {
          return other.path == file.path && other.digest == file.digest;
        }))
      return judged(false, expected, file.path + " is not as that process left it");
  return judged(archive->answer.done, expected,
                archive->answer.done ? "all are as they were"
                                     : "the import failed: " + archive->answer.message);
}

Answer config_launched(const CheckContext& context) {
  const CallRecord& call = context.call;
  const std::string expected = "the config that the caller names is launched, and none is tried";
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr || real->config.empty())
    return no_evidence(expected, "the probe saw no launch that names its config");
  if (!call.request.config) return no_evidence(expected, "the caller names no config");
  const std::string config = to_string(*call.request.config);
  return judged(real->config == config && call.trial_launch_count() == 0, expected,
                fmt::format("{} was launched after {} trial launches; the caller's is {}",
                            real->config, call.trial_launch_count(), config));
}

// A config may take several runs of a compiler, none of which says what it is of: so many binaries.
Answer search_none(const CheckContext& context) {
  const std::string expected = "no config is tried, and at most one is compiled";
  const CallRecord& call = context.call;
  if (call.launch_count() == 0) return no_evidence(expected, "the probe saw no launch");
  std::set<std::string> binaries;
  for (const CompileEvent& compile : call.compiles)
    binaries.insert(compile.output_digest);
  return judged(call.trial_launch_count() == 0 && binaries.size() <= 1, expected,
                fmt::format("{} trial launches, {} compiles of {} binaries",
                            call.trial_launch_count(), call.compile_count(), binaries.size()));
}

}  // namespace tunecheck::checks
