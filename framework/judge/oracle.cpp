#include "judge/oracle.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "backend/cpu/cpu_backend.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "judge/isolated_run.hpp"

namespace tunecheck {
namespace {

std::string digest_of(const Oracle::Question& question) {
  std::string text;
  for (std::size_t i = 0; i < question.contents.size(); ++i) {
    for (const std::int64_t size : question.shapes[i])
      text += fmt::format("{},", size);
    const auto bytes = std::as_bytes(std::span(question.contents[i]));
    text += ':' + key_digest({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) + ';';
  }
  for (const double scalar : question.scalars)
    text += fmt::format("{:a},", scalar);
  return key_digest(text);
}

// Doubles before and behind each tensor that the reference must leave alone.
constexpr std::size_t canaries = 64;
constexpr double canary = -7.0625e181;

std::vector<double> between_canaries(const std::vector<double>& content) {
  std::vector<double> all(content.size() + 2 * canaries, canary);
  std::copy(content.begin(), content.end(), all.begin() + canaries);
  return all;
}

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// What the reference did to tensor `i` that no reference may do; "" for nothing. `after` is the
// tensor between its canaries.
std::string trouble_with(const Oracle::Question& question, std::size_t i,
                         const std::vector<double>& after) {
  const std::vector<double> before = between_canaries(question.contents[i]);
  const TensorParameter& tensor = question.kernel->tensors[i];
  if (after.size() != before.size()) return "the reference's result was cut short";
  const std::size_t end = canaries + question.contents[i].size();
  for (std::size_t at = 0; at < before.size(); ++at) {
    if (same_bits(before[at], after[at])) continue;
    if (at < canaries)
      return fmt::format(
          "the reference writes {} elements before \"{}\"; expected only elements "
          "of the tensor",
          canaries - at, tensor.name);
    if (at >= end)
      return fmt::format(
          "the reference writes {} elements past the end of \"{}\", which has {}; "
          "expected only elements of the tensor",
          at - end + 1, tensor.name, question.contents[i].size());
    if (tensor.access == Access::read)
      return fmt::format(
          "the reference writes \"{}\" (element {}), which the kernel only reads; "
          "expected access in_place or write for it, or a reference that leaves it "
          "alone",
          tensor.name, at - canaries);
  }
  return {};
}

// A complaint about a macro of the config says what is wrong with a reference better than the
// compiler's words do; "" if it is about something else.
std::string config_in_reference(const KernelDefinition& kernel, const std::string& complaint) {
  const auto names = [&](const std::string& macro) {
    const auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    for (std::size_t at = complaint.find(macro); at != std::string::npos;
         at = complaint.find(macro, at + 1)) {
      const std::size_t end = at + macro.size();
      if ((at == 0 || !is_word(complaint[at - 1])) &&
          (end == complaint.size() || !is_word(complaint[end])))
        return true;
    }
    return false;
  };
  for (const auto& parameter : kernel.space.parameters)
    if (const std::string macro = upper_case(parameter.name); names(macro))
      return fmt::format(
          "the reference uses {}, a parameter of the config; expected the same result "
          "whatever the config: it is compiled once, without one",
          macro);
  return {};
}

// The future of `key`, made by `make` in this thread if nobody has begun it.
template <class Value, class Make>
Value once(std::mutex& mutex, std::map<std::string, std::shared_future<Value>>& known,
           const std::string& key, Make&& make) {
  std::promise<Value> promise;
  std::shared_future<Value> future;
  bool mine = false;
  {
    const std::lock_guard lock(mutex);
    auto& slot = known[key];
    mine = !slot.valid();
    if (mine) slot = promise.get_future().share();
    future = slot;
  }
  if (mine) promise.set_value(make());
  return future.get();
}

}  // namespace

Oracle::Oracle(std::filesystem::path folder) : m_folder(std::move(folder)) {}

Result<TensorContents> Oracle::ask(const Question& question) {
  TUNECHECK_TRY(const std::filesystem::path module, compiled(*question.kernel));
  const std::string digest = module.stem().string() + "-" + digest_of(question);
  return once(m_mutex, m_answers, digest, [&] { return run(module, question, digest); });
}

Oracle::Compiled Oracle::compiled(const KernelDefinition& kernel) {
  TUNECHECK_TRY(const std::string source, read_text_file(kernel.reference));
  // The folder too: headers of its own belong to it.
  const std::string digest = key_digest(kernel.reference.string() + '\n' + source);
  return once(m_mutex, m_compiled, digest, [&] { return compile(kernel, digest); });
}

Oracle::Compiled Oracle::compile(const KernelDefinition& kernel, const std::string& digest) const {
  TUNECHECK_CHECK(create_folders(m_folder));
  TUNECHECK_TRY(const Toolchain toolchain, Toolchain::find());
  auto artifact = compile_reference(toolchain, kernel);
  if (!artifact) {
    if (const std::string trouble = config_in_reference(kernel, artifact.error().message);
        !trouble.empty())
      return failure(Error{trouble, kernel.reference.string(), 0, {}});
    return failure(Error{"the reference does not compile: " + artifact.error().message,
                         kernel.reference.string(),
                         0,
                         {}});
  }
  const std::filesystem::path file = m_folder / (kernel.name + "-" + digest + ".so");
  TUNECHECK_CHECK(write_file_atomically(file, artifact->bytes));
  return file;
}

Result<TensorContents> Oracle::run(const std::filesystem::path& module, const Question& question,
                                   const std::string& digest) const {
  const std::filesystem::path folder = m_folder / digest;
  TUNECHECK_CHECK(create_folders(folder));
  IsolatedRun request;
  request.module = module;
  request.reference = true;
  for (std::size_t i = 0; i < question.contents.size(); ++i) {
    const std::filesystem::path file = folder / fmt::format("{}.f64", i);
    const std::vector<double> content = between_canaries(question.contents[i]);
    TUNECHECK_CHECK(write_file(file, std::as_bytes(std::span(content))));
    request.tensors.push_back(
        {file, canaries * sizeof(double), DType::f64, Layout::contiguous(question.shapes[i])});
  }
  for (const double scalar : question.scalars)
    request.scalars.push_back({DType::f64, scalar});
  const auto result = run_isolated(request, folder);
  if (!result || result->status != 0)
    return failure(
        Error{"the reference failed: " +
                  (result ? fmt::format("status {}", result->status) : result.error().message),
              question.kernel->reference.string(),
              0,
              {}});
  TensorContents contents = question.contents;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    TUNECHECK_TRY(const std::vector<std::byte> bytes, read_binary_file(request.tensors[i].file));
    std::vector<double> content(bytes.size() / sizeof(double));
    std::memcpy(content.data(), bytes.data(), content.size() * sizeof(double));
    if (const std::string trouble = trouble_with(question, i, content); !trouble.empty())
      return failure(Error{trouble, question.kernel->reference.string(), 0, {}});
    std::copy_n(content.begin() + canaries, contents[i].size(), contents[i].begin());
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return contents;
}

}  // namespace tunecheck
