// tunecheck merge: the parts of a run, an audit, a matrix or of sessions that were divided among
// machines.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/gate_calibrate_real.hpp"
#include "cli/out_lock.hpp"
#include "cli/usage.hpp"
#include "core/files.hpp"
#include "gate/rule/joined_sessions.hpp"
#include "reports/ci/junit.hpp"
#include "reports/matrix/matrix_json.hpp"
#include "reports/matrix/matrix_pages.hpp"
#include "reports/stored/json.hpp"
#include "reports/stored/result_reader.hpp"
#include "reports/stored/shards.hpp"
#include "reports/terminal/terminal.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

struct MergeArguments {
  std::vector<std::string> parts;
  std::string out = "out";
  Detail detail = Detail::normal;
};

// What parts may be of; the name of the file that holds it.
constexpr const char* run_file = "result.json";
constexpr const char* audit_file = "audit.json";
constexpr const char* session_file = "sessions.jsonl";

Result<void> check_not_replaced(const std::string& part, const fs::path& file) {
  std::error_code unknown;
  if (!fs::equivalent(part, file, unknown)) return {};
  return failure(Error{ErrorKind::bad_input,
                       "expected a folder that has none of the parts: it would be replaced",
                       file.parent_path().string(), 0, "--out"});
}

// Which of the three the parts are, which must be the same of all.
Result<std::string> kind_of_parts(const std::vector<std::string>& parts) {
  std::string kind;
  for (const std::string& part : parts) {
    std::string own = session_file;
    if (fs::path(part).extension() != ".jsonl") {
      TUNECHECK_TRY(const bool audited, is_audit(part));
      own = audited ? audit_file : run_file;
    }
    if (kind.empty()) kind = own;
    if (kind != own)
      return failure(Error{ErrorKind::bad_input,
                           fmt::format("expected {} like {}, found {}", kind, parts.front(), own),
                           part,
                           0,
                           {}});
  }
  return kind;
}

// Each tuner of a matrix has a folder of its own, from which its result names files.
fs::path folder_of(const RunResult& run, bool is_matrix, const fs::path& out) {
  if (!is_matrix) return out;
  std::string name = fmt::format("{}-{}", run.adapter, run.backend);
  std::replace_if(
      name.begin(), name.end(), [](char letter) { return letter == ':' || letter == '/'; }, '-');
  return out / name;
}

// Files that the parts name are found from the folder of the whole.
void name_files_of(const std::string& part, const fs::path& out, RunResult& run) {
  const fs::path folder = fs::absolute(part).lexically_normal().parent_path();
  name_files_from(folder.lexically_relative(out), run);
}

Result<void> write_run(const RunResult& whole, const fs::path& folder) {
  TUNECHECK_CHECK(create_folders(folder));
  TUNECHECK_CHECK(write_json(whole, folder / run_file));
  return write_junit(whole, folder / "junit.xml");
}

Result<void> print_matrix(const std::vector<fs::path>& folders) {
  Matrix matrix;
  for (const fs::path& folder : folders) {
    TUNECHECK_TRY(std::vector<MatrixTuner> tuners, read_results(folder / run_file));
    for (MatrixTuner& tuner : tuners)
      matrix.add(std::move(tuner));
  }
  print("\n" + matrix_summary(matrix, terminal_options()));
  return {};
}

Result<Status> merge_runs(const MergeArguments& arguments) {
  const fs::path out = fs::absolute(arguments.out).lexically_normal();
  std::vector<RunResult> shards;
  bool is_matrix = false;
  for (const std::string& part : arguments.parts) {
    TUNECHECK_TRY(RunResult shard, read_result(part));
    is_matrix = is_matrix || (shard.shard && !shard.shard->tuners.empty());
    const fs::path folder = folder_of(shard, is_matrix, out);
    TUNECHECK_CHECK(check_not_replaced(part, folder / run_file));
    name_files_of(part, folder, shard);
    shards.push_back(std::move(shard));
  }
  TUNECHECK_TRY(const std::vector<RunResult> wholes, join_shards(std::move(shards)));
  TUNECHECK_TRY(const FileDescriptor lock, lock_out(arguments.out));
  Status status = held;
  std::vector<fs::path> folders;
  for (const RunResult& whole : wholes) {
    const fs::path shown = folder_of(whole, is_matrix, arguments.out);
    TUNECHECK_CHECK(write_run(whole, folders.emplace_back(shown)));
    TerminalOptions options = terminal_options(shown.string());
    options.detail = is_matrix ? std::min(arguments.detail, Detail::quiet) : arguments.detail;
    print(run_summary(whole, options));
    status = gravest({status, Status{whole.exit_status()}});
  }
  if (is_matrix) TUNECHECK_CHECK(print_matrix(folders));
  return status;
}

Result<Status> merge_audits(const MergeArguments& arguments) {
  const fs::path out = fs::absolute(arguments.out).lexically_normal();
  std::vector<ReportSource<AuditResult>> shards;
  for (const std::string& part : arguments.parts) {
    TUNECHECK_CHECK(check_not_replaced(part, out / audit_file));
    TUNECHECK_TRY(AuditResult audit, read_audit(part));
    name_files_of(part, out, audit.reference);
    shards.push_back({part, std::move(audit)});
  }
  TUNECHECK_TRY(const AuditResult whole, join_audits(std::move(shards)));
  TUNECHECK_TRY(const FileDescriptor lock, lock_out(arguments.out));
  TUNECHECK_CHECK(write_json(whole, fs::path(arguments.out) / audit_file));
  TerminalOptions options = terminal_options(arguments.out);
  options.detail = arguments.detail;
  print(audit_summary(whole, options));
  return Status{whole.exit_status()};
}

Result<Status> merge_sessions(const MergeArguments& arguments) {
  const fs::path file = fs::path(arguments.out) / session_file;
  for (const std::string& part : arguments.parts)
    TUNECHECK_CHECK(check_not_replaced(part, file));
  TUNECHECK_TRY(const auto sessions, gate::join_sessions(to_paths(arguments.parts)));
  TUNECHECK_TRY(const FileDescriptor lock, lock_out(arguments.out));
  std::string text;
  for (const gate::RealSession& session : sessions)
    text += gate::to_line(session);
  TUNECHECK_CHECK(write_file_atomically(file, text));
  return Status{show_rates(sessions)};
}

int merge(const MergeArguments& arguments) {
  const auto merged = [&]() -> Result<Status> {
    TUNECHECK_TRY(const std::string kind, kind_of_parts(arguments.parts));
    if (kind == audit_file) return merge_audits(arguments);
    if (kind == session_file) return merge_sessions(arguments);
    return merge_runs(arguments);
  }();
  return merged ? static_cast<int>(*merged) : report(merged.error());
}

}  // namespace

void add_merge_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<MergeArguments>();
  CLI::App& command = *app.add_subcommand(
      "merge", "Put the parts together of what was divided among machines (--shard)");
  command
      .add_option("RESULT", arguments->parts,
                  "Every result.json of `tunecheck run` or `matrix --adapter`, every\n"
                  "audit.json, or every sessions.jsonl of `gate calibrate --real`: each part\n"
                  "once")
      ->required()
      ->type_name("");
  add_out(command, arguments->out);
  add_detail(command, arguments->detail);
  set_examples(command,
               "  tunecheck run --shard 1/2 --out out/1\n"
               "  tunecheck run --shard 2/2 --out out/2\n"
               "  tunecheck merge out/1/result.json out/2/result.json --out out/whole\n"
               "  tunecheck merge parts/*/audit.json --out out\n"
               "  tunecheck merge parts/*/*/result.json --out out    # of a matrix\n"
               "  tunecheck merge parts/*/sessions.jsonl --out out\n"
               "\n"
               "Ends as the whole would have ended; status 4 if a part is missing, is there\n"
               "twice, or is of something else.\n");
  command.callback([arguments, &action] { action = [arguments] { return merge(*arguments); }; });
}

}  // namespace tunecheck::cli
