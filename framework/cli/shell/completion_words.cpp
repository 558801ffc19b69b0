#include "cli/shell/completion_words.hpp"

#include <algorithm>

#include "core/device_kinds.hpp"
#include "core/resources.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/catalogue.hpp"
#include "judge/scenario/scenario_filter.hpp"
#include "reports/report_formats.hpp"
#include "result/watch_result.hpp"

namespace tunecheck::cli {
namespace {

using Words = std::vector<CompletionWord>;

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// ---- values

Words adapter_words(const std::string& typed) {
  Words words;
  const auto add_all = [&](const Result<std::vector<MutantInfo>>& planted,
                           std::string_view prefix) {
    if (!planted) return;
    for (const MutantInfo& mutant : *planted)
      words.push_back({std::string(prefix) + mutant.name, mutant.summary});
  };
  if (typed.starts_with(mutant_prefix)) {
    add_all(list_mutants(), mutant_prefix);
  } else if (typed.starts_with(adversary_prefix)) {
    add_all(list_adversaries(), adversary_prefix);
  } else if (const auto adapters = read_adapters(find_resources().adapters)) {
    for (const auto& [name, adapter] : *adapters)
      words.push_back({name, adapter.summary});
    words.push_back({std::string(mutant_prefix), "the reference tuner with a planted bug"});
  }
  return words;
}

Words scenario_words(const std::string& /*typed*/) {
  Words words;
  if (const auto catalogue = read_catalogue({}))
    for (const auto& [name, scenario] : catalogue->scenarios)
      words.push_back({name, scenario.because});
  return words;
}

Words kernel_words(const std::string& /*typed*/) {
  Words words;
  if (const auto kernels = read_kernels({find_resources().kernels}))
    for (const auto& [name, kernel] : *kernels)
      words.push_back({name, kernel.summary});
  return words;
}

Words mutant_words(const std::string& /*typed*/) {
  Words words;
  if (const auto mutants = list_mutants())
    for (const MutantInfo& mutant : *mutants)
      words.push_back({mutant.name, mutant.summary});
  return words;
}

Words device_words(const std::string& /*typed*/) {
  Words words;
  for (std::string& name : names_of(real_device_kinds))
    words.push_back({std::move(name), ""});
  return words;
}

Words format_words(const std::string& /*typed*/) {
  Words words;
  for (const ReportFormat& format : report_formats())
    words.push_back({std::string(format.name), std::string(format.summary)});
  return words;
}

Words watch_words(const std::string& /*typed*/) {
  Words words;
  for (const WatchWord word : all_watch_words())
    words.push_back({name_of(word), summary_of(word)});
  return words;
}

// The fields of a condition; a value follows the field.
Words condition_words(const std::string& typed) {
  Words words;
  const std::size_t begin = typed.find_last_of(" (") + 1;  // 0 where there is none
  const std::string before = typed.substr(0, begin), term = typed.substr(begin);
  const std::size_t colon = term.find(':');
  if (colon == std::string::npos) {
    for (const std::string& field : filter_fields())
      words.push_back({before + field + ":", ""});
  } else if (const auto catalogue = read_catalogue({})) {
    const std::string field = term.substr(0, colon);
    for (const std::string& value : values_of_field(*catalogue, field))
      words.push_back({before + field + ":" + value, ""});
  }
  return words;
}

Words shell_words(const std::string& /*typed*/) {
  return {{"bash", ""}, {"fish", ""}, {"zsh", ""}};
}

struct Values {
  const char* command;  ///< the innermost; "" for any
  const char* option;   ///< a long name with its dashes, or the name of what stands alone
  Words (*words)(const std::string& typed);
};

// The first row that fits. An option that is in no row takes files, or what a shell cannot know.
constexpr Values values_of_options[] = {
    {"", "--adapter", adapter_words},    {"", "--backend", device_words},
    {"", "--exclude", scenario_words},   {"", "--only", scenario_words},
    {"", "--where", condition_words},    {"", "--kernel", kernel_words},
    {"", "--mutant", mutant_words},      {"", "--allow", watch_words},
    {"run", "GLOB", scenario_words},     {"prove", "NAME", kernel_words},
    {"tune", "NAME", kernel_words},      {"report", "FORMAT", format_words},
    {"completion", "SHELL", shell_words}};

Words values_for(const std::string& command, const std::string& option, const std::string& typed) {
  for (const Values& row : values_of_options)
    if (option == row.option && (*row.command == '\0' || command == row.command))
      return row.words(typed);
  return {};
}

// ---- the place

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

std::string name_for_values(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name(true) : "--" + option.get_lnames().front();
}

const CLI::Option* find_option(const CLI::App& command, const std::string& word) {
  for (const CLI::Option* const option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      if (word == "--" + name) return option;
    for (const std::string& name : option->get_snames())
      if (word == "-" + name) return option;
  }
  return nullptr;
}

CLI::App* find_subcommand(CLI::App& command, const std::string& word) {
  for (CLI::App* const subcommand : command.get_subcommands(nullptr))
    if (subcommand->get_name() == word) return subcommand;
  return nullptr;
}

// Where on the command line the last word is.
struct Place {
  CLI::App* command;
  const CLI::Option* waiting = nullptr;  ///< the option whose value it is
  std::size_t positionals = 0;           ///< words that stand alone before it
  bool is_of_another_program = false;    ///< behind "--"
};

Place place_of(CLI::App& app, const std::vector<std::string>& words) {
  Place place{&app};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (place.waiting != nullptr) {
      place.waiting = nullptr;
    } else if (word == "--") {
      place.is_of_another_program = true;
      break;
    } else if (word.starts_with('-')) {
      const CLI::Option* const option = find_option(*place.command, word);
      if (option != nullptr && takes_value(*option)) place.waiting = option;
    } else if (CLI::App* const command = find_subcommand(*place.command, word)) {
      place.command = command;
    } else {
      ++place.positionals;
    }
  }
  return place;
}

Words option_words(const CLI::App& command) {
  Words words;
  for (const CLI::Option* const option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      words.push_back({"--" + name, first_line(option->get_description())});
    if (option->get_lnames().empty())
      for (const std::string& name : option->get_snames())
        words.push_back({"-" + name, first_line(option->get_description())});
  }
  return words;
}

// What stands alone; the last of them takes all further words.
const CLI::Option* positional_at(const CLI::App& command, std::size_t index) {
  const CLI::Option* last = nullptr;
  std::size_t at = 0;
  for (const CLI::Option* const option : command.get_options()) {
    if (!option->get_positional()) continue;
    last = option;
    if (at++ == index) break;
  }
  return last;
}

Words unfiltered(CLI::App& app, const std::vector<std::string>& words) {
  const std::string typed = words.empty() ? "" : words.back();
  const Place place = place_of(app, words);
  const std::string command = place.command->get_name();
  if (place.is_of_another_program) return {};
  if (place.waiting != nullptr) return values_for(command, name_for_values(*place.waiting), typed);
  if (typed.starts_with("--") && typed.find('=') != std::string::npos) {
    const std::string option = typed.substr(0, typed.find('='));
    Words values = values_for(command, option, typed.substr(option.size() + 1));
    for (CompletionWord& value : values)
      value.word.insert(0, option + "=");
    return values;
  }
  if (typed.starts_with('-')) return option_words(*place.command);
  Words all;
  for (const CLI::App* const subcommand : place.command->get_subcommands(nullptr))
    all.push_back({subcommand->get_name(), first_line(subcommand->get_description())});
  if (const CLI::Option* const positional = positional_at(*place.command, place.positionals))
    for (CompletionWord& value : values_for(command, positional->get_name(true), typed))
      all.push_back(std::move(value));
  return all;
}

}  // namespace

std::vector<CompletionWord> completions_of(CLI::App& app, const std::vector<std::string>& words) {
  const std::string typed = words.empty() ? "" : words.back();
  Words all = unfiltered(app, words);
  std::erase_if(all, [&](const CompletionWord& word) { return !word.word.starts_with(typed); });
  std::sort(all.begin(), all.end(), [](const CompletionWord& left, const CompletionWord& right) {
    return left.word < right.word;
  });
  return all;
}

}  // namespace tunecheck::cli
