#include "tuner/cache_usage/cache_usage.hpp"

namespace tunecheck::cache {
namespace {

constexpr const char* examples =
    "\nExamples:\n"
    "  tunecheck cache list --cache DIR\n"
    "  tunecheck cache show 3449596a\n"
    "  tunecheck cache explain 3449596a 0643d5a9\n"
    "  tunecheck cache gc --limit 256M --dry-run\n"
    "  tunecheck cache export winners.bundle\n"
    "\nExit status: 0; 1 if verify found damage, or the remote cache does not answer; 3 for a\n"
    "mistake in the command line, a variable or a file; 4 if something could not be written\n"
    "or removed\n";

CLI::App& add(CLI::App& app, Arguments& arguments, const char* name, const char* summary) {
  CLI::App& command = *app.add_subcommand(name, summary);
  command
      .add_option("--cache", arguments.cache, "The cache folder; TUNECHECK_CACHE_DIR if not given")
      ->type_name("DIR");
  return command;
}

void add_cleaning(CLI::App& app, Arguments& arguments) {
  CLI::App& command =
      add(app, arguments, "gc",
          "Remove damaged and left-over files, then the least recently used entries");
  command
      .add_option("--limit", arguments.limit,
                  "Size that may stay, such as 64M; TUNECHECK_CACHE_LIMIT if not given,\n"
                  "or 1G")
      ->type_name("SIZE");
  command.add_flag("--dry-run", arguments.dry, "Remove nothing; say what would be removed");
}

void add_bundles(CLI::App& app, Arguments& arguments) {
  const auto describe = [&](CLI::App& command, const char* what_for) {
    command.add_option("FILE", arguments.file, "The bundle")->type_name("")->required();
    // "" comes of a mistake in a script: nothing would be signed.
    command.add_option("--key", arguments.key, what_for)
        ->check(CLI::Validator(
            [](const std::string& file) {
              return file.empty() ? "expected a file with a key, found \"\"" : "";
            },
            ""))
        ->type_name("FILE");
  };
  describe(add(app, arguments, "export", "Write all good entries to one file"),
           "Sign the bundle with the secret in this file");
  describe(add(app, arguments, "import", "Add the entries of a bundle"),
           "Refuse a bundle that was not signed with the secret in this file");
}

}  // namespace

void describe_cache_usage(CLI::App& app, Arguments& arguments) {
  app.require_subcommand(1);
  app.footer(examples);
  add(app, arguments, "list", "List the entries, one per line")
      .add_flag("--json", arguments.json, "Print an array of objects instead");
  add(app, arguments, "show", "Show everything that is known about one entry")
      .add_option("KEY", arguments.first, "A key as list shows it, or its beginning")
      ->type_name("")
      ->required();
  CLI::App& explaining =
      add(app, arguments, "explain",
          "Show the axes in which an entry differs from another, or from its nearest");
  explaining.add_option("KEY", arguments.first, "As for show")->type_name("")->required();
  explaining.add_option("OTHER", arguments.second, "The other entry")->type_name("");
  add(app, arguments, "verify",
      "Read every entry as the tuner does, and list those that it would not use");
  add_cleaning(app, arguments);
  add_bundles(app, arguments);
  add(app, arguments, "remote", "Show whether the remote cache of TUNECHECK_REMOTE answers");
}

}  // namespace tunecheck::cache
