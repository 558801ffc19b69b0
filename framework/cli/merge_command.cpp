// tunecheck merge: the parts of a run that was divided among machines.
#include <memory>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/out_lock.hpp"
#include "cli/usage.hpp"
#include "reports/ci/junit.hpp"
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

// Files that the parts name are found from the folder of the whole.
Result<RunResult> read_parts(const MergeArguments& arguments) {
  std::vector<RunResult> shards;
  const fs::path out = fs::absolute(arguments.out).lexically_normal();
  for (const std::string& part : arguments.parts) {
    std::error_code unknown;
    if (fs::equivalent(part, out / "result.json", unknown))
      return failure(Error{ErrorKind::bad_input,
                           "expected a folder that has none of the parts: it would be replaced",
                           arguments.out, 0, "--out"});
    TUNECHECK_TRY(RunResult shard, read_result(part));
    const fs::path folder = fs::absolute(part).lexically_normal().parent_path();
    name_files_from(folder.lexically_relative(out), shard);
    shards.push_back(std::move(shard));
  }
  return join_shards(std::move(shards));
}

int merge(const MergeArguments& arguments) {
  const auto whole = read_parts(arguments);
  if (!whole) return report(whole.error());
  const auto lock = lock_out(arguments.out);
  if (!lock) return report(lock.error());
  const fs::path out = arguments.out;
  if (const auto written = write_json(*whole, out / "result.json"); !written)
    return report(written.error());
  if (const auto written = write_junit(*whole, out / "junit.xml"); !written)
    return report(written.error());
  TerminalOptions options = terminal_options(arguments.out);
  options.detail = arguments.detail;
  print(run_summary(*whole, options));
  return whole->exit_status();
}

}  // namespace

void add_merge_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<MergeArguments>();
  CLI::App& command =
      *app.add_subcommand("merge", "Put the parts of a run together that machines have shared");
  command
      .add_option("RESULT", arguments->parts,
                  "Every result.json of `tunecheck run --shard`: each part once")
      ->required()
      ->type_name("");
  add_out(command, arguments->out);
  add_detail(command, arguments->detail);
  set_examples(command,
               "  tunecheck run --shard 1/2 --out out/1\n"
               "  tunecheck run --shard 2/2 --out out/2\n"
               "  tunecheck merge out/1/result.json out/2/result.json --out out/whole\n"
               "\n"
               "Ends as the whole run would have ended; status 4 if a part is missing, is there\n"
               "twice, or is of another run.\n");
  command.callback([arguments, &action] { action = [arguments] { return merge(*arguments); }; });
}

}  // namespace tunecheck::cli
