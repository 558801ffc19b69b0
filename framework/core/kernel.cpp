#include "core/kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <system_error>

#include "core/text.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> access_names = {"read", "write", "in_place"};

class KernelReader {
 public:
  KernelReader(const InfoNode& node, InfoErrors& errors, const fs::path& folder)
      : m_reader(node, errors), m_errors(errors) {
    m_kernel.folder = folder;
  }

  KernelDefinition read() {
    m_kernel.name = m_reader.text("name");
    if (!m_kernel.name.empty() && !is_identifier(m_kernel.name))
      add("name", "expected lower-case letters, digits and '_'");
    m_kernel.summary = m_reader.text("summary");
    read_sizes();
    read_tensors();
    read_scalars();
    m_kernel.restore_value = tensor_names("restore_value");
    m_kernel.reset_to_zero = tensor_names("reset_to_zero");
    m_kernel.environment = m_reader.words_or_none("environment");
    read_space();
    read_default();
    read_sources();
    if (const InfoNode* const node = m_reader.section("tolerance", true)) {
      InfoReader reader(*node, m_errors);
      m_kernel.tolerance = {read_bound(reader, "relative"), read_bound(reader, "absolute")};
      (void)reader.text_or("reason", "");
      reader.finish();
    }
    m_kernel.bytes = m_reader.text_or("bytes", "");
    m_kernel.flops = m_reader.text_or("flops", "");
    m_reader.finish();
    if (!m_errors.any()) check_semantics();
    if (!m_errors.any()) check_expressions();
    return std::move(m_kernel);
  }

 private:
  void add(const std::string& key, std::string message) {
    const InfoNode* const node = m_reader.node().child(key);
    m_errors.add(node != nullptr ? node->line : m_reader.node().line, key, std::move(message));
  }

  void read_sizes() {
    const InfoNode* const node = m_reader.section("sizes", true);
    if (node == nullptr) return;
    InfoReader reader(*node, m_errors);
    for (const char* const name : {"smoke", "full"}) {
      const InfoNode* const size = reader.section(name, true);
      if (size == nullptr) continue;
      InfoReader values(*size, m_errors);
      for (const InfoNode& value : size->children) {
        if (!is_identifier(value.key))
          m_errors.add(value, "expected lower-case letters, digits and '_'");
        m_kernel.sizes[name][value.key] = values.integer_or(value.key, 0);
      }
      values.finish();
    }
    reader.finish();
    const auto names = [&](const std::string& size) {
      std::set<std::string> keys;
      for (const auto& [key, value] : m_kernel.sizes[size])
        keys.insert(key);
      return keys;
    };
    if (!m_errors.any() && names("smoke") != names("full"))
      add("sizes", "expected the same names in smoke and full");
  }

  void read_tensors() {
    const InfoNode* const node = m_reader.section("tensors", true);
    if (node == nullptr) return;
    if (node->children.empty()) m_errors.add(*node, "expected at least one tensor");
    for (const InfoNode& child : node->children) {
      TensorParameter tensor;
      tensor.name = child.key;
      tensor.line = child.line;
      if (!is_identifier(child.key))
        m_errors.add(child, "expected lower-case letters, digits and '_'");
      if (m_kernel.tensor(child.key) != nullptr)
        m_errors.add(child, "given twice; expected it once");
      InfoReader reader(child, m_errors);
      for (const std::string& word : split_words(reader.text("dtype")))
        if (const auto dtype = read_dtype(child, word)) tensor.dtypes.push_back(*dtype);
      tensor.shape = split_words(reader.text("shape"));
      if (tensor.shape.size() > static_cast<std::size_t>(max_rank))
        m_errors.add(child, fmt::format("expected at most {} dimensions", max_rank));
      tensor.access = read_access(child, reader.text("access"));
      const std::string fill =
          reader.text_or("fill", tensor.access == Access::write ? "poison" : "normal");
      if (auto parsed = parse_fill(fill))
        tensor.fill = *parsed;
      else
        m_errors.add(*child.child("fill"), parsed.error().message);
      reader.finish();
      m_kernel.tensors.push_back(std::move(tensor));
    }
  }

  std::optional<DType> read_dtype(const InfoNode& node, const std::string& word) {
    const auto dtype = parse_dtype(word);
    const InfoNode* const at = node.child("dtype");
    if (!dtype)
      m_errors.add(at != nullptr ? *at : node,
                   fmt::format("expected f64, f32, bf16, f16, i32, i64 or u8, found \"{}\"", word));
    return dtype;
  }

  Access read_access(const InfoNode& tensor, const std::string& word) {
    const auto found = std::find(access_names.begin(), access_names.end(), word);
    if (found == access_names.end() && !word.empty())
      m_errors.add(*tensor.child("access"),
                   fmt::format("expected read, write or in_place, found \"{}\"", word));
    return found == access_names.end() ? Access::read
                                       : static_cast<Access>(found - access_names.begin());
  }

  void read_scalars() {
    const InfoNode* const node = m_reader.section("scalars", false);
    if (node == nullptr) return;
    for (const InfoNode& child : node->children) {
      ScalarParameter scalar;
      scalar.name = child.key;
      if (!is_identifier(child.key))
        m_errors.add(child, "expected lower-case letters, digits and '_'");
      if (&child != node->child(child.key)) m_errors.add(child, "given twice; expected it once");
      if (m_kernel.tensor(child.key) != nullptr)
        m_errors.add(child, "is also the name of a tensor; expected different names");
      InfoReader reader(child, m_errors);
      if (const auto dtype = read_dtype(child, reader.text("dtype"))) {
        scalar.dtype = *dtype;
        if (size_of(*dtype) < 4) m_errors.add(child, "expected f64, f32, i32 or i64 for a scalar");
      }
      scalar.value = reader.number("value");
      scalar.key = reader.yes_or("key", false);
      reader.finish();
      m_kernel.scalars.push_back(std::move(scalar));
    }
  }

  double read_bound(InfoReader& reader, const std::string& key) {
    const double bound = reader.number(key);
    if (!(bound >= 0) || std::isinf(bound))
      m_errors.add(*reader.node().child(key), "expected a finite number of at least 0");
    return bound;
  }

  std::vector<std::string> tensor_names(const std::string& key) {
    std::vector<std::string> names = m_reader.words_or_none(key);
    for (const std::string& name : names) {
      const TensorParameter* const tensor = m_kernel.tensor(name);
      if (tensor == nullptr)
        add(key, fmt::format("expected names of tensors; there is no tensor \"{}\"", name));
      else if (tensor->access == Access::read)
        add(key, fmt::format("tensor \"{}\" is only read; expected one that is written", name));
    }
    return names;
  }

  void read_space() {
    const InfoNode* const node = m_reader.section("space", true);
    if (node == nullptr) return;
    for (const InfoNode& child : node->children) {
      if (&child != node->child(child.key)) m_errors.add(child, "given twice; expected it once");
      if (child.key == "where") {
        if (child.value.empty()) m_errors.add(child, "expected a condition, found none");
        m_kernel.space.where = child.value;
        continue;
      }
      SpaceDefinition::Parameter parameter{child.key, {}};
      if (!is_identifier(child.key))
        m_errors.add(child, "expected lower-case letters, digits and '_'");
      for (const auto& [size_name, sizes] : m_kernel.sizes)
        if (sizes.contains(child.key))
          m_errors.add(child, "is also the name of a size; expected different names");
      for (const std::string& word : split_words(child.value)) {
        const auto value = parse_integer(word);
        if (!value)
          m_errors.add(child, fmt::format("expected integers, found \"{}\"", word));
        else if (std::find(parameter.values.begin(), parameter.values.end(), *value) !=
                 parameter.values.end())
          m_errors.add(child, fmt::format("{} is given twice", *value));
        else
          parameter.values.push_back(*value);
      }
      if (parameter.values.empty()) m_errors.add(child, "expected at least one value");
      m_kernel.space.parameters.push_back(std::move(parameter));
    }
  }

  void read_default() {
    const InfoNode* const node = m_reader.section("default", true);
    if (node == nullptr) return;
    for (const InfoNode& child : node->children)
      m_kernel.default_config[child.key] = child.value;
    for (const auto& parameter : m_kernel.space.parameters)
      if (!m_kernel.default_config.contains(parameter.name))
        m_errors.add(*node, fmt::format("expected a value for \"{}\"", parameter.name));
    InfoReader reader(*node, m_errors);
    for (const auto& parameter : m_kernel.space.parameters)
      (void)reader.section(parameter.name, false);
    reader.finish();
  }

  fs::path read_file_name(InfoReader& reader, const std::string& key) {
    const std::string name = reader.text(key);
    const fs::path path = m_kernel.folder / name;
    std::error_code error;
    if (!name.empty() && !fs::is_regular_file(path, error))
      m_errors.add(*reader.node().child(key),
                   fmt::format("expected a source file; there is no {}", path.string()));
    return path;
  }

  void read_sources() {
    m_kernel.reference = read_file_name(m_reader, "reference");
    if (const InfoNode* const node = m_reader.section("cpu", true)) {
      InfoReader reader(*node, m_errors);
      CpuSource source;
      source.source = read_file_name(reader, "source");
      source.options = reader.words_or_none("options");
      reader.finish();
      m_kernel.cpu = std::move(source);
    }
  }

  // Launched many times while it is tuned, a kernel that changes its own input must say how the
  // input is put back.
  void check_semantics() {
    for (const TensorParameter& tensor : m_kernel.tensors)
      if (tensor.access == Access::in_place && !m_kernel.restores(tensor.name) &&
          !m_kernel.resets(tensor.name))
        m_errors.add(tensor.line, tensor.name,
                     "is written in place; expected it in restore_value or reset_to_zero");
  }

  void check_expressions() {
    for (const auto& [size_name, sizes] : m_kernel.sizes) {
      for (const TensorParameter& tensor : m_kernel.tensors)
        if (const auto shape = m_kernel.shape_of(tensor, sizes); !shape)
          m_errors.add(tensor.line, tensor.name, shape.error().message);
      const auto configs = m_kernel.space.enumerate(to_variables(sizes));
      const auto chosen = m_kernel.default_for(sizes);
      if (!configs)
        add("space", fmt::format("at size {}: {}", size_name, configs.error().message));
      else if (!chosen)
        add("default", chosen.error().message);
      else if (std::find(configs->begin(), configs->end(), *chosen) == configs->end())
        add("default",
            fmt::format("{} is not in the space at size {}", to_string(*chosen), size_name));
      for (const auto& [key, expression] :
           {std::pair{"bytes", m_kernel.bytes}, {"flops", m_kernel.flops}})
        if (!expression.empty())
          if (const auto value = evaluate(expression, to_variables(sizes)); !value)
            add(key, value.error().message);
    }
  }

  KernelDefinition m_kernel;
  InfoReader m_reader;
  InfoErrors& m_errors;
};

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string_view name_of(Access access) {
  return access_names.at(static_cast<std::size_t>(access));
}

Variables to_variables(const Sizes& sizes) {
  Variables variables;
  for (const auto& [name, value] : sizes)
    variables[name] = static_cast<double>(value);
  return variables;
}

const TensorParameter* KernelDefinition::tensor(std::string_view tensor_name) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const auto& tensor) { return tensor.name == tensor_name; });
  return found == tensors.end() ? nullptr : &*found;
}

bool KernelDefinition::restores(std::string_view tensor_name) const {
  return contains(restore_value, tensor_name);
}

bool KernelDefinition::resets(std::string_view tensor_name) const {
  return contains(reset_to_zero, tensor_name);
}

Result<Config> KernelDefinition::default_for(const Sizes& chosen) const {
  Config config;
  for (const auto& [parameter, expression] : default_config) {
    TUNECHECK_TRY(config[parameter], evaluate_size(expression, to_variables(chosen)));
  }
  return config;
}

Result<std::vector<std::int64_t>> KernelDefinition::shape_of(const TensorParameter& parameter,
                                                             const Sizes& chosen) const {
  std::vector<std::int64_t> shape;
  for (const std::string& dimension : parameter.shape) {
    TUNECHECK_TRY(const std::int64_t size, evaluate_size(dimension, to_variables(chosen)));
    shape.push_back(size);
  }
  return shape;
}

Result<KernelDefinition> read_kernel(const fs::path& folder) {
  const fs::path file = folder / "kernel.info";
  TUNECHECK_TRY(const InfoNode root, read_info_file(file));
  InfoErrors errors(file.string());
  InfoReader top(root, errors);
  KernelDefinition kernel;
  if (const InfoNode* const node = top.section("kernel", true))
    kernel = KernelReader(*node, errors, folder).read();
  top.finish();
  TUNECHECK_CHECK(errors.result());
  return kernel;
}

Result<std::map<std::string, KernelDefinition>> read_kernels(const std::vector<fs::path>& folders) {
  std::map<std::string, KernelDefinition> kernels;
  for (const fs::path& folder : folders) {
    std::error_code error;
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (fs::exists(entry.path() / "kernel.info")) found.push_back(entry.path());
    if (error)
      return failure(
          Error{"expected a folder of kernels: " + error.message(), folder.string(), 0, {}});
    if (found.empty())
      return failure(Error{"expected at least one NAME/kernel.info in it", folder.string(), 0, {}});
    std::sort(found.begin(), found.end());
    for (const fs::path& path : found) {
      TUNECHECK_TRY(KernelDefinition kernel, read_kernel(path));
      const auto [place, added] = kernels.emplace(kernel.name, kernel);
      if (!added)
        return failure(Error{fmt::format("\"{}\" is also the name of the kernel in {}; expected "
                                         "different names",
                                         kernel.name, place->second.folder.string()),
                             (path / "kernel.info").string(), 0, "name"});
    }
  }
  return kernels;
}

}  // namespace tunecheck
