#include "harness/process/adapter_info.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <unistd.h>

#include <fmt/ranges.h>

#include "core/info.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"
#include "harness/process/adapter_exchange.hpp"
#include "harness/process/adapter_line.hpp"
#include "harness/process/adapter_process.hpp"
#include "harness/process/adapter_remote.hpp"
#include "harness/process/adapter_variables.hpp"
#include "harness/process/planted_list.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, ResetPolicy>, 3> reset_policies = {{
    {"every_call", ResetPolicy::every_call},
    {"tuned_call", ResetPolicy::tuned_call},
    {"trials_only", ResetPolicy::trials_only},
}};

constexpr std::array<std::pair<std::string_view, SearchEffort>, 3> search_efforts = {{
    {"in_key", SearchEffort::in_key},
    {"ignored", SearchEffort::ignored},
    {"upgrade", SearchEffort::upgrade},
}};

constexpr std::array<std::pair<std::string_view, ResultPolicy>, 2> result_policies = {{
    {"bitwise", ResultPolicy::bitwise},
    {"tolerance", ResultPolicy::tolerance},
}};

constexpr std::string_view mutants_program = "tunecheck-adapter-mutants";
constexpr std::string_view adversaries_program = "tunecheck-adapter-adversaries";

// The keys that name the variables of runtime compilers, by backend.
constexpr std::array<std::pair<DeviceKind, std::string_view>, 2> runtime_compiler_keys = {{
    {DeviceKind::cuda, "nvrtc_variable"},
    {DeviceKind::hip, "hiprtc_variable"},
}};

// What is promised of results, and of when they are tuned.
void read_result_policies(InfoReader& policies, AdapterInfo& info) {
  const std::string result = policies.text_or("result", "");
  for (const auto& [word, policy] : result_policies)
    if (word == result) info.result_policy = policy;
  if (const InfoNode* const node = policies.node().child("result"); node && !info.result_policy)
    policies.errors().add(*node,
                          fmt::format("expected bitwise or tolerance, found \"{}\"", result));
  constexpr std::int64_t most = 1000;
  info.tuning_calls = policies.integer_or("tuning_calls", 1);
  if (info.tuning_calls < 1 || info.tuning_calls > most)
    policies.errors().add(
        *policies.node().child("tuning_calls"),
        fmt::format("expected calls from 1 to {}, found {}", most, info.tuning_calls));
}

void read_policies(InfoReader& reader, AdapterInfo& info) {
  const InfoNode* const node = reader.section("policies", false);
  if (node == nullptr) return;
  InfoReader policies(*node, reader.errors());
  const std::string reset = policies.text_or("reset_to_zero", "every_call");
  const auto found = std::find_if(reset_policies.begin(), reset_policies.end(),
                                  [&](const auto& policy) { return policy.first == reset; });
  if (found != reset_policies.end())
    info.reset_policy = found->second;
  else
    reader.errors().add(
        *node->child("reset_to_zero"),
        fmt::format("expected every_call, tuned_call or trials_only, found \"{}\"", reset));
  if (const std::string effort = policies.text_or("search_effort", ""); !effort.empty()) {
    for (const auto& [name, policy] : search_efforts)
      if (name == effort) info.search_effort = policy;
    if (!info.search_effort)
      reader.errors().add(*node->child("search_effort"),
                          fmt::format("expected in_key, ignored or upgrade, found \"{}\"", effort));
  }
  constexpr std::int64_t most = 1000;
  info.warm_up_launches = policies.integer_or("warm_up", 0);
  if (info.warm_up_launches < 0 || info.warm_up_launches > most)
    reader.errors().add(
        *node->child("warm_up"),
        fmt::format("expected launches from 0 to {}, found {}", most, info.warm_up_launches));
  read_result_policies(policies, info);
  policies.finish();
}

// Which checks are not asked, and why. What a check is called only the judge knows.
void read_unseen(InfoReader& reader, AdapterInfo& info) {
  const InfoNode* const node = reader.section("unseen", false);
  if (node == nullptr) return;
  for (const InfoNode& each : node->children)
    if (each.value.empty() || !each.children.empty())
      reader.errors().add(each, "expected the reason why observers do not see it, in quotes");
    else if (!info.unseen.emplace(each.key, UnseenCheck{each.value, each.line}).second)
      reader.errors().add(each, "given twice; expected it once");
  if (node->children.empty())
    reader.errors().add(*node, "expected checks in braces, CHECK \"REASON\"");
}

// What is asked of the tuner: what it promises, and what it does not.
void read_capabilities(InfoReader& reader, const InfoNode& node, AdapterInfo& info) {
  for (const char* const key : {"capabilities", "unpromised"}) {
    for (const std::string& capability : reader.words_or_none(key)) {
      const InfoNode& line = *node.child(key);
      const auto& known = known_capabilities();
      if (capability == keyed_variables_capability || capability == free_variables_capability)
        reader.errors().add(
            line, fmt::format("{} follows from `variables`; expected them there", capability));
      else if (std::find(known.begin(), known.end(), capability) == known.end())
        reader.errors().add(line, unknown_word_message("capability", capability, known));
      else if (info.has(capability))
        reader.errors().add(line, fmt::format("{} is given twice; expected it once", capability));
      info.capabilities.push_back(capability);
      if (key == std::string_view("unpromised")) info.unpromised.push_back(capability);
    }
  }
}

OtherVersion read_other_version(const InfoNode& node, const AdapterInfo& info, InfoErrors& errors) {
  OtherVersion other;
  InfoReader reader(node, errors);
  other.command = {reader.text("command")};
  const auto arguments = reader.words_or_none("arguments");
  other.command.insert(other.command.end(), arguments.begin(), arguments.end());
  if (const InfoNode* const environment = reader.section("environment", false))
    for (const InfoNode& variable : environment->children)
      read_own_variable(variable, info, errors, other.environment);
  reader.finish();
  return other;
}

// The variables by which something of the tuner's is switched off.
void read_switch(InfoReader& reader, const std::string& key, const AdapterInfo& info,
                 std::map<std::string, std::string>& variables) {
  const InfoNode* const node = reader.section(key, false);
  if (node == nullptr) return;
  for (const InfoNode& variable : node->children)
    read_own_variable(variable, info, reader.errors(), variables);
  if (node->children.empty())
    reader.errors().add(*node, "expected at least one variable with its value");
}

void read_efforts(InfoReader& reader, AdapterInfo& info) {
  const InfoNode* const node = reader.section("efforts", false);
  if (node == nullptr) return;
  InfoReader efforts(*node, reader.errors());
  for (const InfoNode& effort : node->children)
    if (is_effort_word(effort.key))
      read_switch(efforts, effort.key, info, info.efforts[effort.key]);
    else
      reader.errors().add(
          effort, fmt::format("expected {}, found \"{}\"", one_of_effort_words(), effort.key));
  if (node->children.empty())
    reader.errors().add(*node, fmt::format("expected {}", one_of_effort_words()));
}

AdapterInfo read_adapter(const InfoNode& node, InfoErrors& errors, const fs::path& file) {
  AdapterInfo info;
  info.file = file;
  InfoReader reader(node, errors);
  info.name = reader.text("name");
  // --adapter takes what has a '/' for a path, and what follows a ':' for a planted bug.
  const auto is_no_part = [](unsigned char c) { return c <= ' ' || c == ':' || c == '/'; };
  if (std::any_of(info.name.begin(), info.name.end(), is_no_part))
    errors.add(*node.child("name"), "expected a name without blanks, \":\" and \"/\"");
  info.summary = reader.text_or("summary", "");
  info.command = {reader.text("command")};
  const auto arguments = reader.words_or_none("arguments");
  info.command.insert(info.command.end(), arguments.begin(), arguments.end());
  info.cache_variable = reader.text("cache_variable");
  info.compiler_variable = reader.text_or("compiler_variable", "");
  info.compilers = reader.words_or_none("compilers");
  for (const std::string& name : info.compilers)
    if (name.find('/') != name.npos || name == "." || name == "..")
      errors.add(*node.child("compilers"),
                 fmt::format("expected names without a folder, found \"{}\"", name));
  info.compiler = reader.text_or("compiler", info.compiler);
  const bool is_there = info.compiler == "c++" ||
                        std::find(info.compilers.begin(), info.compilers.end(), info.compiler) !=
                            info.compilers.end();
  if (!is_there)
    errors.add(*node.child("compiler"),
               fmt::format("expected c++ or one of compilers, found \"{}\"", info.compiler));
  for (const auto& [backend, key] : runtime_compiler_keys)
    if (const std::string variable = reader.text_or(std::string(key), ""); !variable.empty())
      info.runtime_compiler_variables[backend] = variable;
  info.backends = read_backends(reader);
  if (node.child("backends") == nullptr || split_words(node.child("backends")->value).empty())
    errors.add(node.line, "backends", "expected at least one backend");
  info.observers = reader.words_or_none("observers");
  for (const std::string& observer : info.observers)
    if (std::find(further_observers.begin(), further_observers.end(), observer) ==
        further_observers.end())
      errors.add(
          *node.child("observers"),
          fmt::format("expected {}, found \"{}\"", fmt::join(further_observers, " or "), observer));
  read_capabilities(reader, node, info);
  info.kernels = reader.words_or_none("kernels");
  info.kernel_version = reader.text_or("kernel_version", "");
  if (info.kernel_version.find_first_of(" \t,/") != info.kernel_version.npos)
    errors.add(*node.child("kernel_version"),
               fmt::format("expected the name of one file in a kernel's folder, found \"{}\"",
                           info.kernel_version));
  for (const std::string_view role : cache_file_roles)
    if (const std::string glob = reader.text_or(fmt::format("{}_files", role), ""); !glob.empty())
      info.cache_files[std::string(role)] = glob;
  read_policies(reader, info);
  read_environment(reader, info);
  read_promised_variables(reader, info);
  read_unseen(reader, info);
  read_switch(reader, "upgrade", info, info.upgrade);
  read_switch(reader, "release", info, info.release);
  read_switch(reader, "caching_off", info, info.caching_off);
  read_switch(reader, "searching_off", info, info.searching_off);
  read_switch(reader, "searching_anew", info, info.searching_anew);
  read_efforts(reader, info);
  if (const InfoNode* const other = reader.section("other_version", false))
    info.other_version = read_other_version(*other, info, errors);
  read_switch(reader, "searching_last", info, info.searching_last);
  read_remote_variables(reader, info);
  read_exchange_variables(reader, info);
  info.time_limit = std::chrono::seconds(reader.integer_or("time_limit", usual_time_limit.count()));
  if (constexpr std::int64_t most = 24 * 60 * 60;
      info.time_limit.count() < 1 || info.time_limit.count() > most)
    errors.add(*node.child("time_limit"), fmt::format("expected seconds from 1 to {}, found {}",
                                                      most, info.time_limit.count()));
  info.has_mutants = reader.yes_or("mutants", false);
  check_place_variables(node, errors);
  reader.finish();
  return info;
}

}  // namespace

std::string AdapterInfo::cache_file_globs() const {
  std::string globs;
  for (const auto& [role, glob] : cache_files)
    globs += (globs.empty() ? "" : ":") + glob;
  return globs;
}

bool PromisedVariable::holds_on(DeviceKind backend) const {
  return backends.empty() || std::find(backends.begin(), backends.end(), backend) != backends.end();
}

AdapterInfo AdapterInfo::of_other_version() const {
  AdapterInfo other = *this;
  other.command = other_version->command;
  for (const auto& [name, value] : other_version->environment)
    other.environment[name] = value;
  return other;
}

bool AdapterInfo::has(std::string_view capability) const {
  return std::find(capabilities.begin(), capabilities.end(), capability) != capabilities.end();
}

bool AdapterInfo::is_observed_by(std::string_view observer) const {
  return std::find(observers.begin(), observers.end(), observer) != observers.end();
}

bool AdapterInfo::promises(std::string_view capability) const {
  return has(capability) &&
         std::find(unpromised.begin(), unpromised.end(), capability) == unpromised.end();
}

bool AdapterInfo::has_kernel(std::string_view kernel) const {
  return kernels.empty() || std::find(kernels.begin(), kernels.end(), kernel) != kernels.end();
}

bool AdapterInfo::has_own_version(std::string_view kernel) const {
  return std::find(versioned_kernels.begin(), versioned_kernels.end(), kernel) !=
         versioned_kernels.end();
}

bool AdapterInfo::zeroes_arguments(bool tuned) const {
  return reset_policy == ResetPolicy::every_call ||
         (reset_policy == ResetPolicy::tuned_call && tuned);
}

std::string one_of_effort_words() {
  return fmt::format("{} or {}", fmt::join(effort_names.begin(), effort_names.end() - 1, ", "),
                     effort_names.back());
}

bool is_effort_word(std::string_view word) {
  return std::find(effort_names.begin(), effort_names.end(), word) != effort_names.end();
}

std::chrono::milliseconds time_limit_of(const AdapterInfo& adapter,
                                        const std::optional<std::chrono::seconds>& of_calls) {
  if (!of_calls) return adapter.time_limit;
  const std::chrono::milliseconds limit = *of_calls;
  return limit * std::max(adapter.time_limit, usual_time_limit).count() / usual_time_limit.count();
}

Result<AdapterInfo> read_adapter_info(const fs::path& file) {
  TUNECHECK_TRY(const InfoNode root, read_info_file(file));
  InfoErrors errors(file.string());
  InfoReader top(root, errors);
  AdapterInfo info;
  if (const InfoNode* const node = top.section("adapter", true))
    info = read_adapter(*node, errors, file);
  top.finish();
  TUNECHECK_CHECK(errors.result());
  return info;
}

int adapter_line(const AdapterInfo& adapter, const std::string& key) {
  const auto root = read_info_file(adapter.file);
  if (!root) return 0;
  const InfoNode* const node = root->child("adapter");
  const InfoNode* const found = node == nullptr ? nullptr : node->child(key);
  return found == nullptr ? 0 : found->line;
}

Result<std::map<std::string, AdapterInfo>> read_adapters(const fs::path& folder) {
  std::map<std::string, AdapterInfo> adapters;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.path().filename() != "adapter.info") continue;
    TUNECHECK_TRY(const AdapterInfo info, read_adapter_info(entry.path()));
    const auto [place, added] = adapters.emplace(info.name, info);
    if (!added)
      return failure(Error{ErrorKind::bad_input,
                           fmt::format("\"{}\" is also the name of {}; expected different names",
                                       info.name, place->second.file.string()),
                           entry.path().string(), 0, "name"});
  }
  if (adapters.empty())
    return failure(Error{
        ErrorKind::bad_input, "expected adapters (NAME/adapter.info)", folder.string(), 0, {}});
  return adapters;
}

namespace {

// An error where what is to be planted is not among what can be.
Result<void> check_planted(const std::string& name, const std::string& what,
                           const Result<std::vector<MutantInfo>>& listed) {
  if (!listed) return failure(listed.error());
  std::vector<std::string> known;
  for (const MutantInfo& each : *listed)
    known.push_back(each.name);
  if (std::find(known.begin(), known.end(), name) == known.end())
    return failure(
        Error{ErrorKind::bad_input, unknown_word_message(what, name, known), {}, 0, "--adapter"});
  return {};
}

// The command of the reference tuner with something planted, if the program knows it.
Result<std::vector<std::string>> planted(const std::string& name, const std::string& what,
                                         std::string_view program,
                                         const Result<std::vector<MutantInfo>>& listed) {
  TUNECHECK_CHECK(check_planted(name, what, listed));
  return std::vector<std::string>{std::string(program), "--" + what, name};
}

// What a program says that it can plant. It is asked once: an audit needs to know for each of its
// mutants.
Result<std::vector<MutantInfo>> list_planted(
    const std::vector<std::string>& command, const std::string& what,
    std::chrono::milliseconds time_limit = usual_time_limit) {
  static std::mutex mutex;
  static std::map<std::vector<std::string>, std::vector<MutantInfo>> known;
  const std::scoped_lock lock(mutex);
  if (const auto found = known.find(command); found != known.end()) return found->second;
  TUNECHECK_TRY(std::vector<MutantInfo> listed, ask_for_planted(command, what, time_limit));
  return known.emplace(command, std::move(listed)).first->second;
}

// The same of a program that belongs next to this one.
Result<std::vector<MutantInfo>> list_beside(std::string_view name, const std::string& what) {
  const fs::path program = program_folder() / name;
  std::error_code error;
  if (!fs::exists(program, error))
    return failure(ErrorKind::machine, "there is no {}; the {}' adapter belongs next to tunecheck",
                   program.string(), what);
  return list_planted({program.string()}, what);
}

// The file that a command names is there and may not be executed: a slip that is not told by the
// program's absence.
Result<void> check_executable(const AdapterInfo& adapter) {
  const std::string& program = adapter.command.at(0);
  std::error_code error;
  const fs::path file = adapter.file.parent_path() / program;
  if (program.find('/') == program.npos || !fs::is_regular_file(file, error) ||
      ::access(file.c_str(), X_OK) == 0)
    return {};
  return failure(Error{ErrorKind::bad_input, fmt::format("\"{}\" is not executable", program),
                       adapter.file.string(), adapter_line(adapter, "command"), "command"});
}

// The program takes the adapter "reference" for its own tuner: another's results would be told as
// that tuner's.
Result<void> check_not_reference(const AdapterInfo& adapter) {
  constexpr const char* reference = "reference";
  if (adapter.name != reference) return {};
  TUNECHECK_TRY(const auto own, read_adapters(find_resources().adapters));
  std::error_code error;
  const auto found = own.find(reference);
  if (found == own.end() || fs::equivalent(found->second.file, adapter.file, error)) return {};
  return failure(Error{ErrorKind::bad_input,
                       "\"reference\" is tunecheck's own tuner; expected another name",
                       adapter.file.string(), adapter_line(adapter, "name"), "name"});
}

// "./adapter.info", or "./adapter.info:NAME" for a bug that it can plant: a path may have a colon.
Result<AdapterInfo> adapter_at(const std::string& path) {
  std::error_code error;
  const auto colon = path.rfind(':');
  const bool names_mutant = colon != path.npos && path.find('/', colon) == path.npos &&
                            !fs::exists(path, error) && fs::exists(path.substr(0, colon), error);
  TUNECHECK_TRY(AdapterInfo info,
                read_adapter_info(fs::absolute(names_mutant ? path.substr(0, colon) : path)));
  TUNECHECK_CHECK(check_not_reference(info));
  TUNECHECK_CHECK(check_executable(info));
  if (!names_mutant) return info;
  return plant_mutant(std::move(info), path.substr(colon + 1));
}

}  // namespace

Result<AdapterInfo> find_adapter(const std::string& name) {
  if (name.find('/') != name.npos) return adapter_at(name);
  TUNECHECK_TRY(const auto adapters, read_adapters(find_resources().adapters));
  if (const auto found = adapters.find(name); found != adapters.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [each, info] : adapters)
    known.push_back(each);
  const bool is_mutant = name.starts_with(mutant_prefix);
  if (!is_mutant && !name.starts_with(adversary_prefix)) {
    const auto colon = std::min(name.find(':'), name.size());
    if (const auto found = adapters.find(name.substr(0, colon)); found != adapters.end())
      return plant_mutant(found->second, name.substr(colon + 1));
    known.insert(known.end(), {"mutant:NAME", "adversary:NAME"});
    return failure(Error{
        ErrorKind::bad_input, unknown_word_message("adapter", name, known), {}, 0, "--adapter"});
  }
  // It promises what the reference tuner promises; only the program is another.
  const auto reference = adapters.find("reference");
  if (reference == adapters.end())
    return failure(ErrorKind::machine, "the reference adapter's adapter.info is missing");
  AdapterInfo info = reference->second;
  info.name = name;
  if (is_mutant) {
    TUNECHECK_TRY(info.command, planted(name.substr(mutant_prefix.size()), "mutant",
                                        mutants_program, list_mutants()));
  } else {
    TUNECHECK_TRY(info.command, planted(name.substr(adversary_prefix.size()), "adversary",
                                        adversaries_program, list_adversaries()));
  }
  return info;
}

std::optional<fs::path> known_failures_of(const AdapterInfo& adapter) {
  fs::path file = adapter.file.parent_path() / "known.info";
  std::error_code error;
  if (adapter.name.starts_with(mutant_prefix) || adapter.name.starts_with(adversary_prefix) ||
      !fs::exists(file, error))
    return std::nullopt;
  return file;
}

Result<std::vector<MutantInfo>> list_mutants() {
  return list_beside(mutants_program, "mutants");
}

Result<std::vector<MutantInfo>> list_adversaries() {
  return list_beside(adversaries_program, "adversaries");
}

Result<std::vector<MutantInfo>> list_mutants_of(const AdapterInfo& adapter) {
  if (!adapter.has_mutants) return std::vector<MutantInfo>();
  std::vector<std::string> command = adapter.command;
  TUNECHECK_TRY(command.at(0), find_adapter_program(adapter));
  return list_planted(command, "mutants", adapter.time_limit);
}

Result<AdapterInfo> plant_mutant(AdapterInfo adapter, const std::string& name) {
  TUNECHECK_CHECK(check_planted(name, "mutant", list_mutants_of(adapter)));
  adapter.name += ":" + name;
  adapter.command.insert(adapter.command.end(), {"--mutant", name});
  return adapter;
}

}  // namespace tunecheck
