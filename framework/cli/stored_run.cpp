#include "cli/stored_run.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "gate/history/gate_run.hpp"
#include "reports/stored/gate_json.hpp"
#include "reports/stored/report_sources.hpp"
#include "reports/summary/verdict_history.hpp"

namespace tunecheck::cli {

namespace fs = std::filesystem;
void add_history_file(CLI::App& command, std::string& file) {
  command
      .add_option("--db", file,
                  "The history; $XDG_DATA_HOME/tunecheck/history.sqlite if not given,\n"
                  "which is usually below ~/.local/share")
      ->check(not_empty("a file"))
      ->type_name("FILE");
}

// Where programs keep what a user wants to have for long (XDG Base Directory Specification).
Result<fs::path> history_file(const std::string& given) {
  if (!given.empty()) return fs::path(given);
  const fs::path name = fs::path("tunecheck") / "history.sqlite";
  if (const char* const data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/')
    return data / name;
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".local" / "share" / name;
  return failure(ErrorKind::bad_input, "expected --db: there is neither XDG_DATA_HOME nor HOME");
}

// The run of this number, or the last one.
Result<history::StoredRun> find_run(const history::Contents& contents, const std::string& number) {
  for (const history::StoredRun& run : contents.runs)
    if (std::to_string(run.id) == number) return run;
  if (number == "last" && !contents.runs.empty()) return contents.runs.back();
  return failure(
      ErrorKind::bad_input,
      "expected the number of a run, or \"last\", found \"{}\"; see tunecheck history list",
      number);
}

Result<history::MeasuredRun> read_gate_run(const std::string& file, gate::Side side) {
  TUNECHECK_TRY(const gate::GateResult session, read_gate(file));
  auto run = history::run_of(session, side);
  if (!run) return failure(Error{run.error().kind, run.error().message, file, 0, {}});
  return run;
}

std::optional<Result<history::MeasuredRun>> read_verdicts(const std::string& file) {
  const auto sources = read_report_sources({file});
  if (!sources || sources->runs.size() != 1) return std::nullopt;
  const auto text = read_text_file(file);
  if (!text) return failure(text.error());
  auto run = verdicts_of(sources->runs.front(), key_digest("verdicts " + artifact_digest(*text)));
  if (!run) return failure(Error{run.error().kind, run.error().message, file, 0, {}});
  return run;
}

}  // namespace tunecheck::cli
