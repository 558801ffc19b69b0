#include "cli/arguments.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "core/info.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"

namespace tunecheck::cli {
namespace {

constexpr const char* backend_option = "--backend";

// What known_backend() has let pass.
DeviceKind chosen_backend(const std::string& name) {
  return parse_device_kind(name, real_device_kinds).value();
}

CLI::Validator known_backend() {
  return CLI::Validator(
      [](const std::string& name) {
        const auto kind = parse_device_kind(name, real_device_kinds);
        return kind ? std::string() : kind.error().message;
      },
      "");
}

}  // namespace

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const auto check = [=](std::string& text) -> std::string {
    const auto number = parse_integer(text);
    // The largest number of all is of no interest to somebody who typed a small one.
    const bool is_larger = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
    const bool has_end = most != std::numeric_limits<std::int64_t>::max() || (!number && is_larger);
    if (!number || *number < least || *number > most)
      return fmt::format("expected a whole number {}, found \"{}\"",
                         has_end ? fmt::format("from {} to {}", least, most)
                                 : fmt::format("of at least {}", least),
                         text);
    text = std::to_string(*number);  // CLI11 would read "010" as octal
    return {};
  };
  return CLI::Validator(check, "");
}

CLI::Validator one_of(const std::string& first, const std::string& second) {
  return CLI::Validator(
      [=](const std::string& text) {
        return text == first || text == second
                   ? std::string()
                   : fmt::format("expected {} or {}, found \"{}\"", first, second, text);
      },
      "");
}

CLI::Validator known_word(std::string what, std::vector<std::string> words) {
  return CLI::Validator(
      [what = std::move(what), words = std::move(words)](const std::string& text) {
        return std::find(words.begin(), words.end(), text) != words.end()
                   ? std::string()
                   : unknown_word_message(what, text, words);
      },
      "");
}

CLI::Validator percentage(double least, double most) {
  const auto check = [=](std::string& text) -> std::string {
    std::string_view digits = text;
    if (digits.ends_with('%')) digits.remove_suffix(1);
    if (digits.ends_with(' ')) digits.remove_suffix(1);
    const auto percent = parse_number(digits);
    if (!percent || !(*percent >= least && *percent <= most))
      return fmt::format("expected a percentage from {} to {}, found \"{}\"", least, most, text);
    text = fmt::format("{}", *percent / 100);
    return {};
  };
  return CLI::Validator(check, "");
}

CLI::Validator not_empty(const std::string& expected) {
  return CLI::Validator(
      [=](const std::string& text) {
        return text.empty() ? fmt::format("expected {}, found \"\"", expected) : std::string();
      },
      "");
}

void add_jobs(CLI::App& command, int& jobs) {
  command.add_option("--jobs,-j", jobs, "Scenarios to run at once; one per core if not given")
      ->transform(whole_number(1, 4096))
      ->type_name("N");
}

void add_seed(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "Seed for the numbers in all tensors; 1 if not given")
      ->transform(whole_number(0, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
}

void add_out(CLI::App& command, std::string& out) {
  command.add_option("--out", out, "Folder for reports and evidence; \"out\" if not given")
      ->check(not_empty("a folder"))
      ->type_name("DIR");
}

void add_backend(CLI::App& command, DeviceKind& backend, const std::string& description) {
  command
      .add_option_function<std::string>(
          backend_option, [&backend](const std::string& name) { backend = chosen_backend(name); },
          description)
      ->check(known_backend())
      ->type_name("NAME");
}

void add_backends(CLI::App& command, std::vector<DeviceKind>& backends,
                  const std::string& description) {
  command
      .add_option_function<std::vector<std::string>>(
          backend_option,
          [&backends](const std::vector<std::string>& names) {
            for (const std::string& name : names)
              backends.push_back(chosen_backend(name));
          },
          description)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(known_backend())
      ->type_name("NAMES");
}

void add_keep(CLI::App& command, bool& keep) {
  command.add_flag("--keep", keep, "Also keep the workspaces of scenarios that passed");
}

CLI::Option* add_quiet(CLI::App& command, Detail& detail) {
  return command.add_flag_callback(
      "--quiet,-q", [&detail] { detail = Detail::quiet; }, "Print only the verdict");
}

void add_detail(CLI::App& command, Detail& detail) {
  CLI::Option* const quiet = add_quiet(command, detail);
  command
      .add_flag_callback(
          "--verbose,-v", [&detail] { detail = Detail::verbose; },
          "Print every scenario, and every failure in full")
      ->excludes(quiet);
}

CLI::Option* add_repeatable(CLI::App& command, const std::string& name,
                            std::vector<std::string>& values, const std::string& description,
                            const std::string& value_name) {
  // Without this, CLI11 would take the words after the first value for further values.
  return command.add_option(name, values, description)
      ->allow_extra_args(false)
      ->type_name(value_name);
}

std::string portable_path(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path relative = whole.lexically_relative(fs::current_path());
  const bool is_below = !relative.empty() && *relative.begin() != "..";
  return is_below ? relative.string() : whole.string();
}

std::string places_of(const std::vector<std::string>& kernels,
                      const std::vector<std::string>& scenarios) {
  std::string options;
  for (const std::string& folder : kernels)
    options += " --kernels " + shell_quoted(portable_path(folder));
  for (const std::string& path : scenarios)
    options += " --scenarios " + shell_quoted(portable_path(path));
  return options;
}

void add_kernel_folders(CLI::App& command, std::vector<std::string>& folders) {
  add_repeatable(command, "--kernels", folders,
                 "Folder with further kernels (NAME/kernel.info); may be given\n"
                 "several times",
                 "DIR")
      ->check([](const std::string& folder) {
        std::error_code error;
        return std::filesystem::is_directory(folder, error)
                   ? std::string()
                   : fmt::format("expected a folder, found \"{}\"", folder);
      });
}

std::vector<std::filesystem::path> to_paths(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

std::vector<std::string> given_options(const CLI::App& command) {
  std::vector<std::string> given;
  for (const CLI::Option* const option : command.get_options())
    if (option->count() > 0 && !option->get_lnames().empty())
      given.push_back("--" + option->get_lnames().front());
  return given;
}

Result<void> check_effect(const std::vector<std::string>& given,
                          const std::vector<std::string_view>& without_effect,
                          std::string_view why) {
  for (const std::string& option : given)
    if (std::find(without_effect.begin(), without_effect.end(), option) != without_effect.end())
      return failure(Error{ErrorKind::bad_input, fmt::format("expected {}", why), {}, 0, option});
  return {};
}

}  // namespace tunecheck::cli
