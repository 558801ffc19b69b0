#include "watch/program_run.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include "observe/evidence_clock.hpp"
#include "observe/evidence_inbox.hpp"
#include "observe/programs/program_watch.hpp"
#include "observe/tools.hpp"
#include "observe/watch/settings.hpp"
#include "watch/foreground.hpp"

namespace tunecheck::watch {
namespace {

namespace fs = std::filesystem;

constexpr const char* injection_variable = "CUDA_INJECTION64_PATH";

// What the process and all that it starts need to be seen.
Environment observed(const ProgramStart& start, const fs::path& library, const fs::path& socket,
                     std::vector<std::string>& troubles) {
  Environment environment = start.environment;
  std::string& preload = environment["LD_PRELOAD"];
  preload = library.string() + (preload.empty() ? "" : ":" + preload);
  environment[evidence_variable] = socket;
  environment[at_most_variable] = std::to_string(start.at_most);
  const auto injected = find_gpu_watch_library();
  const auto taken = environment.find(injection_variable);
  if (taken != environment.end() && !taken->second.empty())
    troubles.push_back(
        "launches on a GPU are not seen: CUDA_INJECTION64_PATH is set already, and the driver "
        "loads one observer");
  else if (injected)
    environment[injection_variable] = *injected;
  // The order in which libraries are loaded is of no importance to what is preloaded here.
  std::string& sanitizer = environment["ASAN_OPTIONS"];
  sanitizer += std::string(sanitizer.empty() ? "" : ":") + "verify_asan_link_order=0";
  return environment;
}

// Without a file to compile or link it is a question: Python looks for libraries in this way. What
// only preprocesses makes no code: ccache does that to find out what it has.
bool makes_code(const std::vector<std::string>& arguments) {
  bool has_input = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    for (const char* const only :
         {"-E", "-M", "-MM", "-fsyntax-only", "--preprocess", "-###", "--dryrun"})
      if (argument == only) return false;
    if (argument == "-o" || argument == "-L" || argument == "-I" || argument == "-x") {
      ++i;
      continue;
    }
    if (argument == "-" || !argument.starts_with("-")) has_input = true;
  }
  return has_input;
}

// What Numba, NVRTC and others compile inside a process.
ProgramCompile compile_of(const JitEvent& jit) {
  ProgramCompile compile;
  compile.time_ns = jit.time_ns;
  compile.pid = jit.pid;
  compile.tool = jit.compiler;
  compile.exit_status = jit.result;
  compile.wall_ns = jit.wall_ns;
  if (!jit.kernels.empty()) compile.arguments.push_back(jit.kernels);
  if (!jit.file.empty()) compile.arguments.push_back(fmt::format("in {}", jit.file));
  // An address becomes a line later, in the finding's place.
  if (!jit.place.empty() && jit.place.find("+0x") == jit.place.npos)
    compile.arguments.push_back(fmt::format("at {}", jit.place));
  if (jit.result != 0) compile.arguments.emplace_back("(which failed)");
  compile.place = jit.place;
  compile.kernels = jit.kernels;
  compile.source = jit.source;
  return compile;
}

void take_lines(const std::vector<SentLines>& sent, ProgramRun& run) {
  std::vector<SentLines> others;
  for (const SentLines& lines : sent) {
    SentLines other{lines.sender, {}};
    for (std::string_view text = lines.text; !text.empty();) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      if (is_watch_line(line))
        read_line(line, run.told);
      else
        other.text.append(line).append("\n");
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    if (!other.text.empty()) others.push_back(std::move(other));
  }
  auto evidence = parse_evidence(others);
  if (!evidence) {
    run.troubles.push_back("some evidence could not be read: " + evidence.error().message);
    return;
  }
  for (CompileEvent& compile : evidence->compiles)
    if (!compile.query && makes_code(compile.arguments))
      run.compiles.push_back(ProgramCompile{std::move(compile)});
  for (const JitEvent& jit : run.told.jits)
    if (!jit.compiler.empty()) run.compiles.push_back(compile_of(jit));
  std::stable_sort(run.compiles.begin(), run.compiles.end(),
                   [](const CompileEvent& one, const CompileEvent& other) {
                     return one.time_ns < other.time_ns;
                   });
  run.unseen_code = std::move(evidence->unseen_code);
  for (const TroubleEvent& trouble : run.told.troubles)
    run.troubles.push_back(trouble.what);
}

}  // namespace

Result<ProgramRun> run_program(const ProgramStart& start) {
  ProgramRun run;
  std::error_code error;
  fs::create_directories(start.evidence, error);
  const fs::path socket = start.evidence / "evidence.sock";
  const fs::path file = start.evidence / "evidence.jsonl";
  fs::remove(file, error);
  TUNECHECK_TRY(const fs::path library, find_watch_library());
  TUNECHECK_TRY(auto inbox, EvidenceInbox::open(socket, file));
  WatchedPrograms watched;
  watched.evidence = socket;
  watched.probe_library = library;
  watched.probe_sees_compiles = true;
  watched.workspace = start.caches.empty() ? start.evidence : start.caches;
  watched.may_signal_us = true;
  auto watch = ProgramWatch::begin(std::move(watched));
  if (!watch) return failure(watch.error());

  ForegroundStart foreground;
  foreground.command = start.command;
  foreground.environment = observed(start, library, socket, run.troubles);
  foreground.has_input = start.has_input;
  foreground.time_limit = start.time_limit;
  foreground.in_child = [&] { (*watch)->in_child(); };
  TUNECHECK_TRY(const auto readiness, Readiness::begin(start.ready));
  foreground.output = readiness->output();
  foreground.error_output = readiness->error_output();
  run.began_ns = evidence_now_ns();
  TUNECHECK_TRY(const ForegroundEnd ended, run_in_foreground(foreground));
  run.ready_ns = readiness->end();
  if (const std::string blind = (*watch)->trouble(); !blind.empty()) {
    run.troubles.push_back("compilers are not seen: " + blind);
    run.compilers_are_seen = false;
  }
  watch->reset();
  run.end = ended.end;
  run.was_interrupted = ended.was_interrupted;
  run.left_behind = ended.left_behind;
  auto lines = inbox->take();
  if (lines)
    take_lines(*lines, run);
  else
    run.troubles.push_back("some evidence is missing: " + lines.error().message);
  return run;
}

}  // namespace tunecheck::watch
