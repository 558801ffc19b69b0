// tunecheck tables: what is in an offline table, and can all of it still be used?
#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backend/all_backends.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/usage.hpp"
#include "core/files.hpp"
#include "core/plain_text.hpp"
#include "core/resources.hpp"
#include "harness/kernel/proof_case.hpp"
#include "table/foreign_table.hpp"
#include "table/known_devices.hpp"
#include "table/table_entry.hpp"
#include "table/table_problems.hpp"

namespace tunecheck::cli {
namespace {

namespace fs = std::filesystem;

struct TableArguments {
  std::vector<std::string> files, folders;
  std::string file, kernel, dtype, output;
  int number = 0;
};

struct OwnTable {
  std::string file;
  table::OfflineTable table;
};

// What a file holds, or all files of a folder: entries of ours come before rows of other tuners.
struct ReadTable {
  std::vector<OwnTable> ours;
  std::vector<table::ForeignRow> rows;

  std::vector<const table::Entry*> entries() const {
    std::vector<const table::Entry*> all;
    for (const OwnTable& own : ours)
      for (const table::Entry& entry : own.table.entries)
        all.push_back(&entry);
    return all;
  }
};

// FlyDSL's files are JSON too: ours says what it is near its beginning.
bool looks_like_ours(const std::string& text) {
  return text.find("\"tunecheck table\"") != text.npos || text.find("\"identity\"") == text.npos;
}

Result<void> add_file(const std::string& file, ReadTable& read) {
  if (fs::path(file).extension() != ".csv") {
    TUNECHECK_TRY(const std::string text, read_text_file(file));
    if (looks_like_ours(text)) {
      TUNECHECK_TRY(table::OfflineTable table, table::parse_table(text, file));
      read.ours.push_back({file, std::move(table)});
      return {};
    }
  }
  TUNECHECK_TRY(const std::vector<table::ForeignRow> rows, table::read_foreign_table(file));
  read.rows.insert(read.rows.end(), rows.begin(), rows.end());
  return {};
}

Result<std::vector<std::string>> files_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& each : fs::directory_iterator(folder, error))
    if (each.path().extension() == ".json" || each.path().extension() == ".csv")
      files.push_back(each.path().string());
  if (error || files.empty())
    return failure(
        Error{ErrorKind::bad_input, "expected tables in it, *.json or *.csv", folder, 0, {}});
  std::sort(files.begin(), files.end());
  return files;
}

Result<ReadTable> read(const std::string& file) {
  std::vector<std::string> files = {file};
  if (fs::is_directory(file)) {
    TUNECHECK_TRY(files, files_in(file));
  }
  ReadTable read;
  for (const std::string& each : files)
    TUNECHECK_CHECK(add_file(each, read));
  return read;
}

std::string entries_text(std::size_t count) {
  return count == 1 ? "1 entry" : fmt::format("{} entries", count);
}

template <class Map>
std::string pairs_text(const Map& map) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : map)
    parts.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string dtypes_text(const table::Entry& entry) {
  std::vector<std::string> parts;
  for (const auto& [tensor, dtype] : entry.dtypes)
    parts.push_back(fmt::format("{}={}", tensor, name_of(dtype)));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string line_of(const table::Entry& entry) {
  return fmt::format("{}  {}  {}  {}  {}{}", entry.kernel, table::text_of(entry.device),
                     dtypes_text(entry), pairs_text(entry.sizes), to_string(entry.config),
                     entry.median_ns ? fmt::format("  {:.1f} us", *entry.median_ns / 1000) : "");
}

std::string line_of(const table::ForeignRow& row) {
  std::string text = row.name.empty() ? "" : row.name + "  ";
  text += fmt::format("{} with {} multiprocessors", row.arch.empty() ? "no arch" : row.arch,
                      row.multiprocessors);
  for (const auto& [name, shape] : row.shapes)
    text += fmt::format("  {}={}", name, fmt::join(shape, "x"));
  text += "  " + pairs_text(row.problem) + "  " + pairs_text(row.choice);
  if (row.median_us) text += fmt::format("  {} us", *row.median_us);
  return text;
}

Result<int> list_tables(const TableArguments& arguments) {
  for (const std::string& file : arguments.files) {
    TUNECHECK_TRY(const ReadTable table, read(file));
    std::size_t number = 0;
    for (const table::Entry* const entry : table.entries())
      print(fmt::format("{:4}  {}\n", ++number, printable_line(line_of(*entry))));
    for (const table::ForeignRow& row : table.rows)
      print(fmt::format("{:4}  {}\n", ++number, printable_line(line_of(row))));
    print(fmt::format("{} in {}\n", entries_text(number), printable_line(file)));
  }
  return held;
}

std::string whole_text(const table::Entry& entry) {
  const auto or_unsaid = [](const std::string& text) { return text.empty() ? "not said" : text; };
  return fmt::format(
      "kernel   {}\ndevice   {}\ndtypes   {}\nsizes    {}\nconfig   {}\ntime     {}\ncode     {}\n"
      "space    {}\n",
      entry.kernel, table::text_of(entry.device), dtypes_text(entry), pairs_text(entry.sizes),
      to_string(entry.config),
      entry.median_ns ? fmt::format("{:.1f} us a launch", *entry.median_ns / 1000)
                      : std::string("not said"),
      or_unsaid(entry.code), or_unsaid(entry.space));
}

std::string whole_text(const table::ForeignRow& row) {
  std::string text = fmt::format("file     {}:{}\ndevice   {} {}, {} multiprocessors\n", row.file,
                                 row.line, row.arch, row.device_name, row.multiprocessors);
  for (const auto& [name, shape] : row.shapes)
    text += fmt::format("shape    {} {}\n", name, fmt::join(shape, "x"));
  for (const auto& [name, value] : row.problem)
    text += fmt::format("problem  {} {}\n", name, value);
  for (const auto& [name, value] : row.choice)
    text += fmt::format("choice   {} {}\n", name, value);
  return text + (row.median_us ? fmt::format("time     {} us\n", *row.median_us) : "");
}

Result<int> show_entry(const TableArguments& arguments) {
  TUNECHECK_TRY(const ReadTable table, read(arguments.file));
  const auto entries = table.entries();
  const std::size_t count = entries.size() + table.rows.size();
  const auto at = static_cast<std::size_t>(arguments.number) - 1;
  if (arguments.number < 1 || at >= count)
    return failure(ErrorKind::bad_input,
                   "expected the number of an entry as `tunecheck tables list` shows it, 1 to {}; "
                   "found {}",
                   count, arguments.number);
  const std::string text =
      at < entries.size() ? whole_text(*entries[at]) : whole_text(table.rows[at - entries.size()]);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    print(printable_line(line) + "\n");
  return held;
}

Result<std::map<std::string, KernelDefinition>> kernels_of(const TableArguments& arguments) {
  std::vector<fs::path> folders = to_paths(arguments.folders);
  folders.insert(folders.begin(), find_resources().kernels);
  return read_kernels(folders);
}

Result<int> check_tables(const TableArguments& arguments) {
  TUNECHECK_TRY(const auto kernels, kernels_of(arguments));
  const AllBackends backends;
  const table::CodeNow code_now = [&](const KernelDefinition& kernel,
                                      const table::Device& device) -> Result<std::string> {
    const auto kind = table::device_kind_of(device.arch).value_or(DeviceKind::cpu);
    TUNECHECK_TRY(const KernelSources sources, backends.of(kind).sources(kernel));
    return table::code_digest(sources);
  };
  std::size_t entries = 0, wrong = 0;
  for (const std::string& file : arguments.files) {
    TUNECHECK_TRY(const ReadTable table, read(file));
    std::vector<table::TableProblem> problems = table::problems_of(table.rows);
    for (const OwnTable& own : table.ours)
      for (table::TableProblem& problem :
           table::problems_of(own.table, kernels, code_now, own.file))
        problems.push_back(std::move(problem));
    for (const table::TableProblem& problem : problems)
      print(printable_line(fmt::format("{}:{}: {}: {}", problem.file, problem.line,
                                       table::name_of(problem.trouble), problem.text)) +
            "\n");
    entries += table.entries().size() + table.rows.size();
    wrong += problems.size();
  }
  print(fmt::format("{}, {} that {} wrong\n", entries_text(entries), wrong,
                    wrong == 1 ? "is" : "are"));
  return wrong == 0 ? held : failed;
}

// One line for all rows: no format of another tuner names the dtype of each tensor.
void warn_of_dtype(const TableArguments& arguments, const std::vector<std::string>& known) {
  const std::string line = fmt::format(
      "{}: warning: no --dtype says which dtypes the rows are for; the entries are for {}, the "
      "first "
      "of {}",
      arguments.file, known.front(), fmt::join(known, ", "));
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", printable_line(line).c_str());
}

Result<int> import_table(const TableArguments& arguments) {
  TUNECHECK_TRY(const auto kernels, kernels_of(arguments));
  const auto kernel = kernels.find(arguments.kernel);
  if (kernel == kernels.end()) {
    std::vector<std::string> known;
    for (const auto& [name, each] : kernels)
      known.push_back(name);
    return failure(ErrorKind::bad_input, "--kernel: {}",
                   unknown_word_message("kernel", arguments.kernel, known));
  }
  std::optional<std::size_t> variant;
  std::vector<std::string> known;
  for (std::size_t v = 0; v < kernel->second.variants(); ++v) {
    known.push_back(variant_name(kernel->second, v));
    if (!variant && (arguments.dtype.empty() || known.back() == arguments.dtype)) variant = v;
  }
  if (!variant)
    return failure(ErrorKind::bad_input, "--dtype: {}",
                   unknown_word_message("dtype", arguments.dtype, known));
  TUNECHECK_TRY(const auto rows, table::read_foreign_table(arguments.file));
  std::vector<table::Entry> entries;
  for (const table::ForeignRow& row : rows) {
    TUNECHECK_TRY(table::Entry entry,
                  table::entry_from(row, kernel->second, kernel->second.variant(*variant)));
    entries.push_back(std::move(entry));
  }
  TUNECHECK_CHECK(table::merge_into_table(arguments.output, entries));
  if (arguments.dtype.empty() && known.size() > 1) warn_of_dtype(arguments, known);
  print(fmt::format("{} written to {}\n", entries_text(entries.size()),
                    printable_line(arguments.output)));
  return held;
}

int done(const Result<int>& status) {
  return status ? *status : report(status.error());
}

void add_files(CLI::App& command, std::vector<std::string>& files) {
  command
      .add_option("FILE", files,
                  "Tables: of tunecheck, of AITER (.csv), or of FlyDSL; or folders with them")
      ->type_name("")
      ->required();
}

}  // namespace

void add_tables_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<TableArguments>();
  CLI::App& command =
      *app.add_subcommand("tables", "List, show, check and import offline tables of configs");
  command.require_subcommand(1);
  CLI::App& list = *command.add_subcommand("list", "A line for each entry, with its number");
  add_files(list, arguments->files);
  list.callback([=, &action] { action = [=] { return done(list_tables(*arguments)); }; });

  CLI::App& show = *command.add_subcommand("show", "All of one entry");
  show.add_option("FILE", arguments->file, "As for list")->type_name("")->required();
  show.add_option("NUMBER", arguments->number, "As list shows it")->type_name("")->required();
  show.callback([=, &action] { action = [=] { return done(show_entry(*arguments)); }; });

  CLI::App& check = *command.add_subcommand(
      "check", "Find entries that nothing can use, and those that should be made anew");
  add_files(check, arguments->files);
  add_kernel_folders(check, arguments->folders);
  set_examples(check,
               "  tunecheck tables check tuned.json\n"
               "  tunecheck tables check tuned.json --kernels my_kernels\n"
               "  tunecheck tables check aiter/configs/bf16_tuned_gemm.csv\n");
  check.callback([=, &action] { action = [=] { return done(check_tables(*arguments)); }; });

  CLI::App& importing = *command.add_subcommand(
      "import", "Add the rows of another tuner's table to a table of tunecheck");
  importing
      .add_option("FILE", arguments->file, "A table of AITER (.csv) or FlyDSL (a file or folder)")
      ->type_name("")
      ->required();
  importing.add_option("--kernel", arguments->kernel, "The kernel that the rows are for")
      ->type_name("NAME")
      ->required();
  importing
      .add_option("--dtype", arguments->dtype,
                  "Dtypes as `kernels prove` names them; the kernel's first if not given")
      ->type_name("DTYPE");
  importing.add_option("--emit", arguments->output, "The table to which they are added")
      ->check(not_empty("a file"))
      ->type_name("FILE")
      ->required();
  add_kernel_folders(importing, arguments->folders);
  set_examples(importing,
               "  tunecheck tables import flydsl_configs --kernel rmsnorm --emit tuned.json\n");
  importing.callback([=, &action] { action = [=] { return done(import_table(*arguments)); }; });
}

}  // namespace tunecheck::cli
