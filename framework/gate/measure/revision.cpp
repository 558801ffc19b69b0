#include "gate/measure/revision.hpp"

#include <system_error>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/in_parallel.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

constexpr auto build_time_limit = std::chrono::hours(3);

std::string without_line_end(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

Result<std::string> git(const std::vector<std::string>& arguments) {
  CommandOptions options;
  options.arguments = {"git"};
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  TUNECHECK_TRY(const CommandResult result, run_command(options));
  if (!result.end.success())
    return failure(ErrorKind::machine, "git {}: {}", arguments.front(),
                   without_line_end(result.output));
  return without_line_end(result.output);
}

// One step of a build, its output in `log`.
Result<void> step(const std::vector<std::string>& arguments, const fs::path& log) {
  CommandOptions options;
  options.arguments = arguments;
  options.time_limit = build_time_limit;
  TUNECHECK_TRY(const CommandResult result, run_command(options));
  TUNECHECK_CHECK(write_file(log, result.output));
  if (result.end.success()) return {};
  return failure(ErrorKind::machine, "{} {}: {}; its output is in {}", arguments[0], arguments[1],
                 result.end.text(), log.string());
}

}  // namespace

Result<RevisionBuild> build_revision(const std::string& revision, const fs::path& builds, int jobs,
                                     const std::function<void(const std::string&)>& progress) {
  const auto commit =
      git({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (!commit)
    return failure(
        Error{ErrorKind::bad_input,
              "expected a folder, a program, JSON files, or a revision of the repository here",
              revision,
              0,
              {}});
  const fs::path folder = fs::absolute(builds) / *commit;
  const fs::path source = folder / "source", built = folder / "built";
  const RevisionBuild build{*commit, source / "build" / "release"};
  std::error_code error;
  if (fs::exists(built, error)) return build;
  if (progress)
    progress("building " + (revision == *commit ? "" : revision + ", ") + "commit " + *commit);
  fs::remove_all(folder, error);
  TUNECHECK_CHECK(create_folders(source));
  const std::string archive = (folder / "source.tar").string();
  TUNECHECK_TRY(const std::string root, git({"rev-parse", "--show-toplevel"}));
  TUNECHECK_CHECK(git({"-C", root, "archive", "--format=tar", "--output=" + archive, *commit}));
  TUNECHECK_CHECK(step({"tar", "-xf", archive, "-C", source.string()}, folder / "unpack.log"));
  fs::remove(archive, error);
  TUNECHECK_CHECK(
      step({"cmake", "-S", source.string(), "--preset", "release"}, folder / "configure.log"));
  TUNECHECK_CHECK(step({"cmake", "--build", build.folder.string(), "--parallel",
                        std::to_string(worker_count(jobs)), "--target", "tunecheck-programs"},
                       folder / "build.log"));
  TUNECHECK_CHECK(write_file(built, *commit));
  return build;
}

}  // namespace tunecheck::gate
