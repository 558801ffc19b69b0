#include "judge/scenario/scenario_settings.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/text.hpp"
#include "harness/process/adapter_info.hpp"
#include "judge/scenario/scenario_exchange.hpp"
#include "judge/scenario/scenario_remote.hpp"

namespace tunecheck {
namespace {

constexpr std::array<std::pair<std::string_view, CompilerMode>, 8> compiler_modes = {{
    {"spy", CompilerMode::spy},
    {"poisoned", CompilerMode::poisoned},
    {"slow", CompilerMode::slow},
    {"crashing", CompilerMode::crashing},
    {"other", CompilerMode::other},
    {"rebuilt", CompilerMode::rebuilt},
    {"lingering", CompilerMode::lingering},
    {"absent", CompilerMode::absent},
}};

constexpr std::array<std::pair<std::string_view, TunerVersion>, 4> tuner_versions = {{
    {"own", TunerVersion::own},
    {"other", TunerVersion::other},
    {"upgrade", TunerVersion::upgrade},
    {"release", TunerVersion::release},
}};

// Reads one key that is a setting. An object is made for one key, and exactly one of its public
// members is called: the one that settings_table has for the key. All of them write into the same
// Settings, which already hold what was set further out, so that an inner block overrides single
// keys. A value that is wrong is reported and not set; a block of several values may be set in
// part, which does no harm, because nothing runs from a file with a mistake.
class SettingReader {
 public:
  SettingReader(const InfoNode& node, const KernelDefinition& kernel, Settings& settings,
                InfoErrors& errors)
      : m_node(node), m_kernel(kernel), m_settings(settings), m_errors(errors) {}

  void size() {
    std::vector<std::string> names;
    for (const auto& [name, sizes] : m_kernel.sizes)
      names.push_back(name);
    if (!m_kernel.sizes.contains(m_node.value))
      m_errors.add(m_node, unknown_word_message("size", m_node.value, names));
    else
      m_settings.size = m_node.value;
  }

  void sizes() {
    for (const InfoNode& child : keys_in_braces(m_node, m_errors)) {
      const auto value = parse_integer(child.value);
      if (!m_kernel.sizes.at("smoke").contains(child.key))
        m_errors.add(child, unknown_word_message("size", child.key, size_names()));
      else if (!value || *value < 0)
        expected(child, "a whole number of at least 0");
      else
        set_size(child, *value);
    }
  }

  void environment() {
    for (const InfoNode& child : keys_in_braces(m_node, m_errors))
      m_settings.environment[child.key] = child.value;
  }

  void arch() { m_settings.arch = m_node.value == "default" ? "" : m_node.value; }

  void strides() {
    for (const InfoNode& child : keys_in_braces(m_node, m_errors)) {
      const TensorParameter* const tensor = find_tensor(child);
      if (tensor == nullptr) continue;
      auto words = split_expressions(child.value);
      if (words.size() != tensor->shape.size())
        expected(child, fmt::format("{} strides, one per dimension", tensor->shape.size()));
      else
        m_settings.strides[child.key] = std::move(words);
    }
  }

  void align() {
    for (const InfoNode& child : keys_in_braces(m_node, m_errors)) {
      const TensorParameter* const tensor = find_tensor(child);
      const auto bytes = parse_integer(child.value);
      if (tensor == nullptr) continue;
      if (!bytes || *bytes < 0 || *bytes >= 64)
        expected(child, "bytes past a 64-byte boundary, 0 to 63");
      else
        m_settings.align[child.key] = *bytes;
    }
  }

  void dtype() {
    for (const InfoNode& child : keys_in_braces(m_node, m_errors)) {
      const TensorParameter* const tensor = find_tensor(child);
      const auto dtype = parse_dtype(child.value);
      if (tensor == nullptr) continue;
      if (!dtype ||
          std::find(tensor->dtypes.begin(), tensor->dtypes.end(), *dtype) == tensor->dtypes.end())
        expected(child, "a dtype that the kernel allows for this tensor");
      else
        m_settings.dtypes[child.key] = *dtype;
    }
  }

  void alias() {
    for (const InfoNode& child : keys_in_braces(m_node, m_errors)) {
      const TensorParameter* const tensor = find_tensor(child);
      if (tensor == nullptr) continue;
      if (tensor->may_alias.empty())
        m_errors.add(child,
                     "the kernel does not let this tensor share memory; expected one with "
                     "may_alias in its kernel file");
      else if (child.value != tensor->may_alias)
        expected(child, tensor->may_alias);
      else
        m_settings.alias[child.key] = child.value;
    }
  }

  void scalars() {
    std::vector<std::string> names;
    for (const ScalarParameter& scalar : m_kernel.scalars)
      names.push_back(scalar.name);
    for (const InfoNode& child : keys_in_braces(m_node, m_errors)) {
      const auto value = parse_number(child.value);
      const auto known = std::find(names.begin(), names.end(), child.key);
      if (known == names.end())
        m_errors.add(child, unknown_word_message("scalar", child.key, names));
      else if (!value)
        expected(child, "a number");
      else if (const DType dtype =
                   m_kernel.scalars[static_cast<std::size_t>(known - names.begin())].dtype;
               !holds_scalar(dtype, *value))
        expected(child, fmt::format("a value of {}", name_of(dtype)));
      else
        m_settings.scalars[child.key] = *value;
    }
  }

  void space() {
    std::vector<std::string> names;
    for (const auto& parameter : m_kernel.space.parameters)
      names.push_back(parameter.name);
    for (const InfoNode& child : keys_in_braces(m_node, m_errors)) {
      if (std::find(names.begin(), names.end(), child.key) == names.end()) {
        m_errors.add(child, unknown_word_message("parameter", child.key, names));
        continue;
      }
      std::vector<std::int64_t> values;
      for (const std::string& word : split_words(child.value))
        if (const auto value = parse_integer(word))
          values.push_back(*value);
        else
          expected(child, "integers");
      if (values.empty()) expected(child, "at least one value");
      for (auto value = values.begin(); value != values.end(); ++value)
        if (std::find(values.begin(), value, *value) != value)
          m_errors.add(child, fmt::format("{} is given twice", *value));
      m_settings.space[child.key] = std::move(values);
    }
  }

  void arguments() {
    if (m_node.value != "declared" && m_node.value != "reversed")
      return expected(m_node, "declared or reversed");
    m_settings.reverse_arguments = m_node.value == "reversed";
  }

  void options() { m_settings.compile_options = split_words(m_node.value); }

  void hook_zeroes() {
    std::vector<std::string> written;
    for (const TensorParameter& tensor : m_kernel.tensors)
      if (tensor.access != Access::read) written.push_back(tensor.name);
    m_settings.hook_zeroes = split_words(m_node.value);
    for (const std::string& name : m_settings.hook_zeroes)
      if (std::find(written.begin(), written.end(), name) == written.end())
        m_errors.add(m_node, unknown_word_message("tensor that is written", name, written));
  }

  void burst() {
    protocol::Burst burst;
    for (const InfoNode& child : keys_in_braces(m_node, m_errors)) {
      constexpr std::int64_t most = 100'000'000;
      const auto number = parse_integer(child.value);
      if (child.key == "scalar")
        burst.scalar = child.value;
      else if (child.key != "calls" && child.key != "keys")
        m_errors.add(child,
                     unknown_word_message("key", child.key,
                                          std::vector<std::string>{"calls", "keys", "scalar"}));
      else if (!number || *number < 1 || *number > most)
        expected(child, "a whole number of at least 1");
      else
        (child.key == "calls" ? burst.calls : burst.keys) = *number;
    }
    check_burst(burst);
    m_settings.burst = burst;
  }

  void search() {
    protocol::Search search;
    InfoReader reader(m_node, m_errors);
    search.strategy = reader.text("strategy");
    const auto& known = protocol::search_strategies();
    if (!search.strategy.empty() &&
        std::find(known.begin(), known.end(), search.strategy) == known.end())
      m_errors.add(*m_node.child("strategy"),
                   unknown_word_message("strategy", search.strategy, known));
    search.trials = reader.integer_or("trials", 0);
    if (search.trials < 0) expected(*m_node.child("trials"), "a whole number of at least 0");
    search.time_ms = reader.number_or("time_ms", 0);
    if (!(search.time_ms >= 0)) expected(*m_node.child("time_ms"), "a number of at least 0");
    const std::int64_t seed = reader.integer_or("seed", 1);
    if (seed < 0) expected(*m_node.child("seed"), "a whole number of at least 0");
    search.seed = static_cast<std::uint64_t>(std::max<std::int64_t>(0, seed));
    reader.finish();
    m_settings.search = std::move(search);
  }

  void caching() { read_switch(m_settings.caching_off); }
  void searching() {
    m_settings.searching_anew = m_node.value == "anew";
    m_settings.searching_off = m_node.value == "off";
    m_settings.searching_last = m_node.value == "last";
    if (m_node.value != "on" && m_node.value != "off" && m_node.value != "anew" &&
        m_node.value != "last")
      expected(m_node, "on, off, anew or last");
  }

  void effort() {
    if (!is_effort_word(m_node.value)) return expected(m_node, one_of_effort_words());
    m_settings.effort = m_node.value;
  }

  void remote() { read_remote_choice(m_node, m_settings.remote, m_errors); }

  void table() { m_settings.table = read_table_use(m_node, m_errors); }
  void bundle() { m_settings.bundle = read_bundle_choice(m_node, m_errors); }

  void config() {
    m_settings.config.clear();
    for (const InfoNode& child : keys_in_braces(m_node, m_errors))
      if (const auto value = parse_integer(child.value))
        m_settings.config[child.key] = *value;
      else
        expected(child, "a whole number");
    for (const auto& parameter : m_kernel.space.parameters)
      if (!m_settings.config.contains(parameter.name))
        return expected(m_node, fmt::format("a value for {}", parameter.name));
    if (m_settings.config.size() != m_kernel.space.parameters.size())
      expected(m_node, "parameters of the kernel alone");
  }

  void read_switch(bool& is_off) {
    if (m_node.value != "on" && m_node.value != "off") return expected(m_node, "on or off");
    is_off = m_node.value == "off";
  }

  void wait() {
    if (m_node.value != "yes" && m_node.value != "no") return expected(m_node, "yes or no");
    m_settings.wait = m_node.value == "yes";
  }

  void compile_jobs() {
    if (const auto number = number_from(1)) m_settings.compile_jobs = *number;
  }

  void version() {
    for (const auto& [name, version] : tuner_versions)
      if (name == m_node.value) {
        m_settings.version = version;
        return;
      }
    expected(m_node, "own, other, upgrade or release");
  }

  void stream() {
    if (m_node.value != "busy") return expected(m_node, "busy");
    m_settings.gpu.busy_stream = true;
  }

  void capture() {
    if (m_node.value != "yes" && m_node.value != "no") return expected(m_node, "yes or no");
    m_settings.gpu.capture = m_node.value == "yes";
  }

  void context() {
    if (const auto number = number_from(1)) m_settings.gpu.context = *number;
  }

  void device() {
    if (const auto number = number_from(0)) m_settings.gpu.device = *number;
  }

  void compiler() {
    std::vector<std::string> names;
    for (const auto& [name, mode] : compiler_modes) {
      if (name == m_node.value) {
        m_settings.compiler = mode;
        return;
      }
      names.emplace_back(name);
    }
    m_errors.add(m_node, unknown_word_message("compiler", m_node.value, names));
  }

 private:
  void set_size(const InfoNode& node, std::int64_t value) {
    m_settings.sizes[node.key] = value;
    m_settings.size_lines.of[node.key] = node.line;
  }

  // Calls follow each other on the same tensors, so each has to find what the first one found.
  void check_burst(const protocol::Burst& burst) {
    std::vector<std::string> names;
    for (const ScalarParameter& scalar : m_kernel.scalars)
      if (scalar.key) names.push_back(scalar.name);
    if (std::find(names.begin(), names.end(), burst.scalar) == names.end())
      m_errors.add(m_node, unknown_word_message("key scalar", burst.scalar, names));
    if (burst.calls < 1) m_errors.add(m_node, "expected calls");
    for (const TensorParameter& tensor : m_kernel.tensors)
      if (tensor.access == Access::in_place)
        m_errors.add(
            m_node,
            fmt::format("expected a kernel that changes no input in place; \"{}\" changes one",
                        tensor.name));
  }

  std::optional<int> number_from(int least) {
    constexpr int most = 63;
    const auto number = parse_integer(m_node.value);
    if (number && *number >= least && *number <= most) return static_cast<int>(*number);
    expected(m_node, fmt::format("a whole number from {} to {}", least, most));
    return std::nullopt;
  }

  void expected(const InfoNode& node, std::string_view what) {
    m_errors.add(node, fmt::format("expected {}, found \"{}\"", what, node.value));
  }

  const TensorParameter* find_tensor(const InfoNode& node) {
    std::vector<std::string> names;
    for (const TensorParameter& tensor : m_kernel.tensors)
      names.push_back(tensor.name);
    const TensorParameter* const tensor = m_kernel.tensor(node.key);
    if (tensor == nullptr) m_errors.add(node, unknown_word_message("tensor", node.key, names));
    return tensor;
  }

  std::vector<std::string> size_names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : m_kernel.sizes.at("smoke"))
      names.push_back(name);
    return names;
  }

  const InfoNode& m_node;
  const KernelDefinition& m_kernel;
  Settings& m_settings;
  InfoErrors& m_errors;
};

constexpr std::array<std::pair<std::string_view, void (SettingReader::*)()>, 30> settings_table = {{
    {"size", &SettingReader::size},
    {"sizes", &SettingReader::sizes},
    {"environment", &SettingReader::environment},
    {"arch", &SettingReader::arch},
    {"strides", &SettingReader::strides},
    {"align", &SettingReader::align},
    {"dtype", &SettingReader::dtype},
    {"alias", &SettingReader::alias},
    {"scalars", &SettingReader::scalars},
    {"space", &SettingReader::space},
    {"arguments", &SettingReader::arguments},
    {"options", &SettingReader::options},
    {"hook_zeroes", &SettingReader::hook_zeroes},
    {"compiler", &SettingReader::compiler},
    {"compile_jobs", &SettingReader::compile_jobs},
    {"caching", &SettingReader::caching},
    {"searching", &SettingReader::searching},
    {"effort", &SettingReader::effort},
    {"version", &SettingReader::version},
    {"remote", &SettingReader::remote},
    {"table", &SettingReader::table},
    {"bundle", &SettingReader::bundle},
    {"config", &SettingReader::config},
    {"wait", &SettingReader::wait},
    {"burst", &SettingReader::burst},
    {"search", &SettingReader::search},
    {"stream", &SettingReader::stream},
    {"capture", &SettingReader::capture},
    {"context", &SettingReader::context},
    {"device", &SettingReader::device},
}};

// A tensor that is another's memory has that one's dtype and layout.
void resolve_aliases(const KernelDefinition& kernel, const Settings& settings, ResolvedCall& call) {
  const auto index_of = [&](std::string_view name) {
    return static_cast<std::size_t>(kernel.tensor(name) - kernel.tensors.data());
  };
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    call.storage.push_back(i);
  for (const auto& [tensor, other] : settings.alias) {
    call.storage[index_of(tensor)] = index_of(other);
    call.dtypes[index_of(tensor)] = call.dtypes[index_of(other)];
    call.layouts[index_of(tensor)] = call.layouts[index_of(other)];
  }
}

}  // namespace

const std::vector<InfoNode>& keys_in_braces(const InfoNode& node, InfoErrors& errors) {
  if (!node.value.empty())
    errors.add(node, fmt::format("expected keys in braces, found \"{}\"", node.value));
  return node.children;
}

const std::vector<std::string>& setting_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> names;
    for (const auto& [name, read] : settings_table)
      names.emplace_back(name);
    return names;
  }();
  return keys;
}

bool read_setting(const InfoNode& node, const KernelDefinition& kernel, Settings& settings,
                  InfoErrors& errors) {
  for (const auto& [name, read] : settings_table)
    if (name == node.key) {
      (SettingReader(node, kernel, settings, errors).*read)();
      return true;
    }
  return false;
}

Result<ResolvedCall> resolve_call(const KernelDefinition& kernel, const Settings& settings) {
  ResolvedCall call;
  call.sizes = kernel.sizes.at(settings.size);
  for (const auto& [name, value] : settings.sizes)
    call.sizes[name] = value;
  for (const TensorParameter& tensor : kernel.tensors) {
    const auto dtype = settings.dtypes.find(tensor.name);
    call.dtypes.push_back(dtype == settings.dtypes.end() ? tensor.dtypes.front() : dtype->second);
    TUNECHECK_TRY(const auto shape, kernel.shape_of(tensor, call.sizes));
    Layout layout = Layout::contiguous(shape);
    if (const auto strides = settings.strides.find(tensor.name); strides != settings.strides.end())
      for (std::size_t d = 0; d < shape.size(); ++d) {
        TUNECHECK_TRY(layout.strides.at(d),
                      evaluate_integer(strides->second.at(d), to_variables(call.sizes)));
      }
    if (tensor.access != Access::read && overlaps_itself(layout))
      return failure(ErrorKind::bad_input,
                     "tensor \"{}\" is written, and with these strides elements share memory",
                     tensor.name);
    call.layouts.push_back(layout);
  }
  resolve_aliases(kernel, settings, call);
  call.space = kernel.space;
  for (auto& parameter : call.space.parameters)
    if (const auto values = settings.space.find(parameter.name); values != settings.space.end())
      parameter.values = values->second;
  TUNECHECK_TRY(call.configs, call.space.enumerate(to_variables(call.sizes)));
  return call;
}

}  // namespace tunecheck
