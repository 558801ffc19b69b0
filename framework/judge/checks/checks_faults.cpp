#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "judge/checks/checks.hpp"

namespace tunecheck::checks {
namespace {

std::set<std::string> compiled_in(const CallRecord& call) {
  std::set<std::string> digests;
  for (const CompileEvent& compile : call.compiles)
    if (!compile.output_digest.empty()) digests.insert(compile.output_digest);
  return digests;
}

// What a whole entry may hold: artifacts that compilers have made in this scenario so far, and of a
// tuner that keeps configs alone those that it has tried.
std::set<std::string> possible_winners(const CheckContext& context) {
  std::set<std::string> winners;
  for (const ProcessRecord& process : context.scenario.processes)
    for (const CallRecord& call : process.calls) {
      if (context.call.keeps_artifacts)
        winners.merge(compiled_in(call));
      else if (call.tuned())
        for (const LaunchEvent& launch : call.launches)
          winners.insert(winner_of(call, launch));
      if (&call == &context.call) return winners;
    }
  return winners;
}

// "" where the call ended with the right result.
std::string what_went_wrong(const CallRecord& call) {
  if (!call.answer->done) return "the call failed: " + call.answer->message;
  for (const TensorRecord& tensor : call.tensors)
    if (tensor.comparison && !tensor.comparison->equal())
      return "wrong result: " + tensor.comparison->text();
  return {};
}

}  // namespace

// Where a kill at any point leaves nothing torn, whoever comes next finds a whole entry or none.
Answer store_old_or_new(const CheckContext& context) {
  const std::string expected = "either a whole entry is used or none";
  const CallRecord& call = context.call;
  if (const std::string wrong = what_went_wrong(call); !wrong.empty())
    return judged(false, expected, wrong);
  const bool anybody_killed =
      std::any_of(context.scenario.processes.begin(), context.scenario.processes.end(),
                  [](const ProcessRecord& process) { return process.killed_ns != 0; });
  if (!anybody_killed) return no_evidence(expected, "no process was killed before this call");
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr || winner_of(call, *real).empty())
    return no_evidence(expected, unknown_winner(call));
  if (call.tuned()) return judged(true, expected, "none: the call tuned again");
  const bool is_whole = possible_winners(context).contains(winner_of(call, *real));
  return judged(is_whole, expected,
                is_whole               ? "a whole entry"
                : call.keeps_artifacts ? "the launched artifact is not one that was ever compiled"
                                       : "the launched config is not one that was ever tried");
}

Answer corrupt_is_miss(const CheckContext& context) {
  const std::string expected =
      "the damaged entry is not used: the call tunes, and the result is right";
  const CallRecord& call = context.call;
  if (const std::string wrong = what_went_wrong(call); !wrong.empty())
    return judged(false, expected, wrong);
  const LaunchEvent* const real = call.real_launch();
  if (real == nullptr || winner_of(call, *real).empty())
    return no_evidence(expected, unknown_winner(call));
  // A tuner that keeps no binaries compiles in any case.
  if (!call.keeps_artifacts)
    return judged(call.tuned(), expected,
                  call.tuned() ? "the call tuned again" : "the call used an entry");
  if (compiled_in(call).contains(real->module))
    return judged(true, expected, "the launched artifact was compiled in this call");
  // Who keeps a winner and its binary apart (Helion) tunes where the winner's file is damaged, and
  // may then find a binary that is whole.
  const bool tuned_to_a_whole_one =
      call.trial_launch_count() > 0 && possible_winners(context).contains(real->module);
  return judged(tuned_to_a_whole_one, expected,
                tuned_to_a_whole_one ? "the call tuned again, and its winner is whole"
                                     : "the launched artifact was not compiled in this call");
}

Answer corrupt_healed(const CheckContext& context) {
  const std::string expected =
      fmt::format("the winner that process \"{}\" stored in place of the damaged entry is used",
                  context.parameter);
  const ProcessRecord* const healer = context.scenario.process(context.parameter);
  const LaunchEvent* const stored =
      healer == nullptr || healer->calls.empty() ? nullptr : healer->calls.back().real_launch();
  const LaunchEvent* const now = context.call.real_launch();
  if (const std::string wrong = what_went_wrong(context.call); !wrong.empty())
    return judged(false, expected, wrong);
  const CallRecord& call = context.call;
  if (stored == nullptr || now == nullptr || winner_of(call, *stored).empty() ||
      winner_of(call, *now).empty())
    return no_evidence(expected, unknown_winner(call));
  if (call.tuned()) return judged(false, expected, "the call tuned again");
  if (!same_winner(call, *stored, *now))
    return judged(false, expected,
                  call.keeps_artifacts ? "other bytes were launched"
                                       : config_or_artifact(*now) + " was launched");
  return judged(
      true, expected,
      call.keeps_artifacts ? "no compile, no trial, the same bytes" : "no trial, the same config");
}

// Some damage cannot be healed: what stands in the way of a file may be somebody's.
Answer store_kept_or_told(const CheckContext& context) {
  const std::string expected =
      fmt::format("the winner of process \"{}\" is used, or its caller was told of the failure",
                  context.parameter);
  const CallRecord& call = context.call;
  if (const std::string wrong = what_went_wrong(call); !wrong.empty())
    return judged(false, expected, wrong);
  const ProcessRecord* const teller = context.scenario.process(context.parameter);
  if (teller == nullptr || teller->calls.empty() || !teller->calls.back().answer)
    return no_evidence(expected, "that process has given no answer");
  if (call.launches.empty()) return no_evidence(expected, "the probe saw no launch");
  if (!call.tuned()) return judged(true, expected, "it is used: no compile, no trial");
  const std::string& message = teller->calls.back().answer->message;
  return judged(
      mentions_store(message), expected,
      "the call tuned again; the other's message: " + (message.empty() ? "none" : message));
}

Answer full_disk_reported(const CheckContext& context) {
  const std::string expected =
      "the result is right, a message says that nothing was stored, and earlier entries are whole";
  const CallRecord& call = context.call;
  if (const std::string wrong = what_went_wrong(call); !wrong.empty())
    return judged(false, expected, wrong);
  if (call.real_launch() == nullptr) return no_evidence(expected, "the probe saw no real call");
  if (call.faults.empty() && !call.cache_is_small)
    return no_evidence(expected, "nothing kept the tuner from writing");
  for (const FileRecord& before : call.cache_before.files) {
    const auto now = std::find_if(call.cache_after.files.begin(), call.cache_after.files.end(),
                                  [&](const FileRecord& file) { return file.path == before.path; });
    if (now == call.cache_after.files.end() || now->digest != before.digest)
      return judged(false, expected,
                    fmt::format("{} {}", before.path,
                                now == call.cache_after.files.end() ? "is gone" : "was changed"));
  }
  // Of binaries, the last may have been refused and removed.
  if (call.faults.empty() && call.cache_has_room && !call.keeps_artifacts)
    return judged(true, expected, "nothing was refused: what it stored leaves room");
  return judged(mentions_store(call.answer->message), expected,
                call.answer->message.empty() ? "no message" : "message: " + call.answer->message);
}

namespace {

// The file itself, or what lies in the folder.
bool is_or_holds(const std::string& place, const std::string& path) {
  return path == place || (path.starts_with(place) && path[place.size()] == '/');
}

// The first that was written in the cache folder and is there at the end of the call; null for
// none.
const FileEvent* kept_file(const CallRecord& call) {
  const auto is_kept = [&](const FileEvent& event) {
    return event.operation == "write" && event.error == 0 &&
           std::any_of(call.cache_after.files.begin(), call.cache_after.files.end(),
                       [&](const FileRecord& file) { return file.path == event.path; });
  };
  const auto found = std::find_if(call.files.begin(), call.files.end(), is_kept);
  return found == call.files.end() ? nullptr : &*found;
}

// The last operation of the kind on the file before number `end`, and nothing where there is none.
std::optional<std::size_t> last_before(const std::vector<FileEvent>& files, std::size_t end,
                                       std::string_view operation, const std::string& path) {
  for (std::size_t i = end; i-- > 0;)
    if (files[i].error == 0 && files[i].operation == operation && files[i].path == path) return i;
  return std::nullopt;
}

// The files that were written under the name `from` before number `end`.
std::set<std::string> written_before(const std::vector<FileEvent>& files, std::size_t end,
                                     const std::string& from) {
  std::set<std::string> written;
  for (std::size_t i = 0; i < end; ++i)
    if (files[i].error == 0 && files[i].operation == "write" && is_or_holds(from, files[i].path))
      written.insert(files[i].path);
  return written;
}

}  // namespace

// A rename may reach the disk before the bytes of what was renamed: after a power failure the name
// is there, and the file is empty. So it is where a file is written under its own name; journals
// and locks are, and therefore that counts only where nothing in the folder is renamed.
Answer store_synced(const CheckContext& context) {
  const std::string expected = "each file is synced after its last write and before it is renamed";
  const std::vector<FileEvent>& files = context.call.files;
  std::size_t seen = 0;
  bool renames = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].operation != "rename" || files[i].error != 0) continue;
    renames = true;
    for (const std::string& path : written_before(files, i, files[i].from)) {
      ++seen;
      const auto synced = last_before(files, i, "sync", path);
      if (!synced || *synced < *last_before(files, i, "write", path))
        return judged(false, expected,
                      fmt::format("{} became {} and was not synced before", path, files[i].path));
    }
  }
  if (const FileEvent* const file = renames ? nullptr : kept_file(context.call))
    return judged(false, expected, file->path + " was written under its own name");
  if (seen == 0) return no_evidence(expected, "no file was written in the cache folder");
  return judged(true, expected, fmt::format("{} files, all of them synced", seen));
}

Answer no_foreign_code(const CheckContext& context) {
  const std::string expected = "every launched artifact was compiled in this call";
  const std::set<std::string> own = compiled_in(context.call);
  if (context.call.launches.empty()) return no_evidence(expected, "the probe saw no launch");
  for (const LaunchEvent& launch : context.call.launches) {
    if (launch.module.empty())
      return no_evidence(expected, "the probe could not read an artifact that was launched");
    if (!own.contains(launch.module))
      return judged(false, expected,
                    fmt::format("{} came from the cache folder, which others could write to",
                                config_or_artifact(launch)));
  }
  return judged(true, expected, fmt::format("{} launches", context.call.launches.size()));
}

}  // namespace tunecheck::checks
