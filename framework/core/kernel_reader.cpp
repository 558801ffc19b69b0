#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>

#include "core/kernel.hpp"
#include "core/sim_reader.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// Reads the section `kernel` of one kernel.info. read() is called once. Sizes and tensors come
// first, because what follows is checked against their names. A mistake goes to the InfoErrors and
// reading goes on, so that the mistake with the smallest line is the one that is reported. Rules
// that concern several keys, and expressions, are checked only if there is no mistake so far: they
// need a definition that is whole. After a mistake it is half filled, and read_kernel() throws it
// away.
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
    read_tolerance();
    m_kernel.bytes = m_reader.text_or("bytes", "");
    m_kernel.flops = m_reader.text_or("flops", "");
    read_limited_by();
    m_kernel.twice_is_once = m_reader.text_or("twice_is_once", "");
    m_kernel.nondeterministic = m_reader.text_or("nondeterministic", "");
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
    for (const char* const name : {"smoke", "full"})
      (void)reader.section(name, true);
    for (const InfoNode& size : node->children) {
      (void)reader.section(size.key, false);
      if (!is_identifier(size.key))
        m_errors.add(size, "expected lower-case letters, digits and '_'");
      InfoReader values(size, m_errors);
      m_kernel.sizes[size.key];  // also where no name is given: then names are missing
      for (const InfoNode& value : size.children) {
        if (!is_identifier(value.key))
          m_errors.add(value, "expected lower-case letters, digits and '_'");
        m_kernel.sizes[size.key][value.key] = values.integer_or(value.key, 0);
      }
      values.finish();
    }
    reader.finish();
    if (m_errors.any()) return;
    const Sizes& smoke = m_kernel.sizes.at("smoke");
    for (const auto& [name, sizes] : m_kernel.sizes)
      if (!std::equal(sizes.begin(), sizes.end(), smoke.begin(), smoke.end(),
                      [](const auto& a, const auto& b) { return a.first == b.first; }))
        add("sizes", fmt::format("expected the same names in smoke and {}", name));
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
      tensor.shape = split_expressions(reader.text("shape"));
      if (tensor.shape.size() > static_cast<std::size_t>(max_rank))
        m_errors.add(child, fmt::format("expected at most {} dimensions", max_rank));
      tensor.access = read_access(child, reader.text("access"));
      const bool unread = tensor.access == Access::write || tensor.access == Access::scratch;
      const std::string fill = reader.text_or("fill", unread ? "poison" : "normal");
      if (auto parsed = parse_fill(fill))
        tensor.fill = *parsed;
      else
        m_errors.add(*child.child("fill"), parsed.error().message);
      // Poison shows an element that nobody wrote, and a kernel that reads what it should not.
      if (tensor.access == Access::write && tensor.fill.kind != Fill::Kind::poison)
        m_errors.add(*child.child("fill"),
                     "a tensor that is only written starts as poison; expected no fill, or access "
                     "in_place if the kernel reads it");
      tensor.may_alias = reader.text_or("may_alias", "");
      reader.finish();
      m_kernel.tensors.push_back(std::move(tensor));
    }
    check_variants();
    for (const TensorParameter& tensor : m_kernel.tensors)
      if (!tensor.may_alias.empty()) check_alias(*node->child(tensor.name), tensor);
  }

  // Variant k of the dtypes takes the k-th of every tensor that has several.
  void check_variants() {
    const std::size_t variants = m_kernel.variants();
    for (const TensorParameter& tensor : m_kernel.tensors)
      if (tensor.dtypes.size() > 1 && tensor.dtypes.size() != variants)
        m_errors.add(
            tensor.line, tensor.name,
            fmt::format("has {} dtypes and another tensor {}; expected one, or as many as the "
                        "others: the first ones go together, then the second ones, and so on",
                        tensor.dtypes.size(), variants));
  }

  void check_alias(const InfoNode& node, const TensorParameter& tensor) {
    const TensorParameter* const other = m_kernel.tensor(tensor.may_alias);
    const InfoNode& at = *node.child("may_alias");
    if (other == nullptr || other == &tensor)
      m_errors.add(at, fmt::format("expected another tensor, found \"{}\"", tensor.may_alias));
    else if (other->shape != tensor.shape || other->dtypes != tensor.dtypes)
      m_errors.add(at, fmt::format("\"{}\" has another shape or other dtypes; expected the same",
                                   tensor.may_alias));
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
    const auto access = parse_access(word);
    if (!access && !word.empty())
      m_errors.add(*tensor.child("access"),
                   fmt::format("expected read, write, in_place or scratch, found \"{}\"", word));
    return access.value_or(Access::read);
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
      if (const InfoNode* const value = child.child("value");
          value != nullptr && !holds_scalar(scalar.dtype, scalar.value))
        m_errors.add(*value, fmt::format("expected a value of {}", name_of(scalar.dtype)));
      scalar.key = reader.yes_or("key", false);
      read_range(reader, scalar);
      reader.finish();
      m_kernel.scalars.push_back(std::move(scalar));
    }
  }

  void read_range(InfoReader& reader, ScalarParameter& scalar) {
    const InfoNode* const node = reader.node().child("range");
    const std::vector<std::string> ends = split_expressions(reader.text_or("range", ""));
    if (node == nullptr) return;
    if (ends.size() != 2) {
      m_errors.add(*node, "expected two expressions: the lowest value and the highest");
      return;
    }
    scalar.low = ends[0];
    scalar.high = ends[1];
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
        add(key,
            fmt::format("tensor \"{}\" is only read; expected one that is written: take it out "
                        "of {}, or give it access in_place if the kernel writes it",
                        name, key));
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
          m_errors.add(child,
                       fmt::format("{} is given twice; expected different values: each config "
                                   "is tried once",
                                   *value));
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
      m_errors.add(
          *reader.node().child(key),
          "expected a source file; " + (fs::exists(path, error) ? path.string() + " is none"
                                                                : "there is no " + path.string()));
    return path;
  }

  void read_sources() {
    m_kernel.reference = read_file_name(m_reader, "reference");
    if (const InfoNode* const node = m_reader.section("sim", false))
      m_kernel.sim = read_sim(*node, m_errors);
    read_versions();
    const bool has_another =
        m_kernel.sim || m_reader.section("gpu", false) != nullptr || !m_kernel.versions.empty();
    const InfoNode* const cpu = m_reader.section("cpu", false);
    if (cpu == nullptr && !has_another)
      m_errors.add(
          m_reader.node().line, "cpu",
          "expected \"cpu\", \"gpu\" or \"versions\" in \"kernel\": a source of the kernel");
    if (const InfoNode* const node = cpu) {
      InfoReader reader(*node, m_errors);
      CpuSource source;
      source.source = read_file_name(reader, "source");
      if (node->child("naive") != nullptr) source.naive = read_file_name(reader, "naive");
      source.options = reader.words_or_none("options");
      reader.finish();
      m_kernel.cpu = std::move(source);
    }
    if (const InfoNode* const node = m_reader.section("gpu", false)) {
      InfoReader reader(*node, m_errors);
      GpuSource source;
      source.line = node->line;
      source.source = read_file_name(reader, "source");
      source.grid = read_dimensions(reader, "grid");
      source.threads = read_dimensions(reader, "threads");
      source.shared_bytes = reader.text_or("shared", "");
      source.nondeterministic = reader.text_or("nondeterministic", "");
      source.arch_features = reader.yes_or("arch_features", false);
      reader.finish();
      m_kernel.gpu = std::move(source);
    }
  }

  void read_versions() {
    m_kernel.versions = m_reader.words_or_none("versions");
    std::error_code error;
    std::set<std::string> once;
    for (const std::string& file : m_kernel.versions) {
      const InfoNode& node = *m_reader.node().child("versions");
      if (file.find('/') != file.npos)
        m_errors.add(node, fmt::format("expected the names of files in the kernel's folder itself, "
                                       "without a folder; found \"{}\"",
                                       file));
      else if (!fs::is_regular_file(m_kernel.folder / file, error))
        m_errors.add(node, fmt::format("expected files in the kernel's folder; there is no {}",
                                       (m_kernel.folder / file).string()));
      else if (!once.insert(file).second)
        m_errors.add(node, fmt::format("{} is given twice; expected it once", file));
    }
  }

  std::vector<std::string> read_dimensions(InfoReader& reader, const std::string& key) {
    std::vector<std::string> words = split_expressions(reader.text(key));
    if (words.size() > 3)
      m_errors.add(*reader.node().child(key), "expected one to three expressions");
    return words;
  }

  void read_tolerance() {
    const InfoNode* const node = m_reader.section("tolerance", true);
    if (node == nullptr) return;
    InfoReader reader(*node, m_errors);
    m_kernel.tolerance.common = read_bounds(reader);
    for (const InfoNode& child : node->children) {
      const auto dtype = parse_dtype(child.key);
      if (!dtype || reader.section(child.key, false) == nullptr) continue;
      InfoReader bounds(child, m_errors);
      m_kernel.tolerance.by_dtype[*dtype] = read_bounds(bounds);
      bounds.finish();
    }
    reader.finish();
  }

  Tolerance read_bounds(InfoReader& reader) {
    (void)reader.text_or("reason", "");
    return {read_bound(reader, "relative"), read_bound(reader, "absolute")};
  }

  void read_limited_by() {
    const std::string word = m_reader.text_or("limited_by", "");
    if (word == "memory")
      m_kernel.limited_by = LimitedBy::memory;
    else if (word == "compute")
      m_kernel.limited_by = LimitedBy::compute;
    else if (!word.empty())
      add("limited_by", fmt::format("expected memory or compute, found \"{}\"", word));
  }

  // Launched many times while it is tuned, a kernel that changes its own input must say how the
  // input is put back.
  void check_semantics() {
    for (const TensorParameter& tensor : m_kernel.tensors)
      if (tensor.access == Access::in_place && !m_kernel.restores(tensor.name) &&
          !m_kernel.resets(tensor.name))
        m_errors.add(tensor.line, tensor.name,
                     "is written in place; expected it in restore_value (the kernel overwrites its "
                     "own input) or in reset_to_zero (the kernel adds to what is there)");
  }

  void check_expressions() {
    for (const auto& [size_name, sizes] : m_kernel.sizes) {
      for (const TensorParameter& tensor : m_kernel.tensors) {
        if (const auto shape = m_kernel.shape_of(tensor, sizes); !shape)
          m_errors.add(tensor.line, tensor.name, at_size(size_name, shape.error()));
        if (const auto fill = m_kernel.fill_of(tensor, sizes); !fill)
          m_errors.add(tensor.line, tensor.name, at_size(size_name, fill.error()));
      }
      for (const ScalarParameter& scalar : m_kernel.scalars)
        if (scalar.has_range()) check_range(scalar, size_name, sizes);
      check_space(size_name, sizes);
      if (const auto bytes = m_kernel.bytes_for(sizes, m_kernel.variant(0)); !bytes)
        add("bytes", at_size(size_name, bytes.error()));
      if (const auto flops = m_kernel.flops_for(sizes, m_kernel.variant(0)); !flops)
        add("flops", at_size(size_name, flops.error()));
    }
  }

  // At other sizes a position may be none.
  void check_range(const ScalarParameter& scalar, const std::string& size_name,
                   const Sizes& sizes) {
    const InfoNode& node = *m_reader.node().child("scalars")->child(scalar.name)->child("range");
    const auto range = m_kernel.range_of(scalar, sizes);
    if (!range)
      m_errors.add(node, at_size(size_name, range.error()));
    else if (size_name == "smoke" && !(range->low <= scalar.value && scalar.value <= range->high))
      m_errors.add(node, fmt::format("at size smoke: from {} to {}; expected the value {} in it",
                                     range->low, range->high, scalar.value));
  }

  void check_space(const std::string& size_name, const Sizes& sizes) {
    const auto configs = m_kernel.space.enumerate(to_variables(sizes));
    const auto chosen = m_kernel.default_for(sizes);
    if (!configs)
      add("space", at_size(size_name, configs.error()));
    else if (configs->size() < 2 && size_name == "smoke")
      add("space",
          "holds a single config, so there is nothing to tune; expected at least two: give "
          "a parameter further values");
    else if (!chosen)
      add("default", at_size(size_name, chosen.error()));
    else if (std::find(configs->begin(), configs->end(), *chosen) == configs->end())
      add("default",
          fmt::format("{} is not in the space at size {}", to_string(*chosen), size_name));
    if (configs && m_kernel.sim)
      if (const auto trouble = sim_trouble(*m_kernel.sim, sizes, *configs))
        m_errors.add(trouble->line, trouble->key,
                     fmt::format("at size {}: {}", size_name, trouble->message));
    if (!configs || !m_kernel.gpu) return;
    for (const Config& config : *configs)
      if (const std::string trouble = gpu_trouble(sizes, config); !trouble.empty())
        m_errors.add(
            m_kernel.gpu->line, "gpu",
            fmt::format("config {} at size {}: {}", to_string(config), size_name, trouble));
  }

  // Why no GPU can launch this config, "" if one can.
  std::string gpu_trouble(const Sizes& sizes, const Config& config) const {
    constexpr std::int64_t most_threads = 1024;  // a block, on CUDA and on HIP
    const auto launch = m_kernel.gpu_launch(sizes, config);
    if (!launch) return launch.error().message;
    const auto& [x, y, z] = launch->threads;
    if (x * y * z >= 1 && x * y * z <= most_threads) return {};
    return fmt::format(
        "{} threads per block; expected 1 to {}: exclude the config in where, or let "
        "each thread do more",
        x * y * z, most_threads);
  }

  static std::string at_size(const std::string& size_name, const Error& error) {
    return fmt::format("at size {}: {}", size_name, error.message);
  }

  KernelDefinition m_kernel;
  InfoReader m_reader;
  InfoErrors& m_errors;
};

}  // namespace

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
      return failure(Error{ErrorKind::bad_input,
                           "expected a folder of kernels: " + error.message(),
                           folder.string(),
                           0,
                           {}});
    if (found.empty())
      return failure(Error{ErrorKind::bad_input,
                           "expected at least one NAME/kernel.info in it",
                           folder.string(),
                           0,
                           {}});
    std::sort(found.begin(), found.end());
    for (const fs::path& path : found) {
      TUNECHECK_TRY(KernelDefinition kernel, read_kernel(path));
      const auto [place, added] = kernels.emplace(kernel.name, kernel);
      if (!added)
        return failure(Error{ErrorKind::bad_input,
                             fmt::format("\"{}\" is also the name of the kernel in {}; expected "
                                         "different names",
                                         kernel.name, place->second.folder.string()),
                             (path / "kernel.info").string(), 0, "name"});
    }
  }
  return kernels;
}

}  // namespace tunecheck
