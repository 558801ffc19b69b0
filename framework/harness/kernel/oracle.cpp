#include "harness/kernel/oracle.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <unistd.h>

#include "backend/cpu/cpu_backend.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/mapped_file.hpp"
#include "core/text.hpp"
#include "harness/kernel/isolated_run.hpp"

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

// Before and behind each tensor; the reference must leave them alone.
constexpr auto canaries = [] {
  std::array<double, 64> all{};
  all.fill(-7.0625e181);
  return all;
}();

std::span<const std::byte> bytes_of(std::span<const double> numbers) {
  return std::as_bytes(numbers);
}

std::size_t first_difference(std::span<const double> a, std::span<const double> b) {
  const auto same_bits = [](double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; };
  const auto found = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same_bits);
  return static_cast<std::size_t>(found.first - a.begin());
}

bool same(std::span<const double> a, std::span<const double> b) {
  return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// What the reference did to a tensor that no reference may do; "" for nothing. `all` is the tensor
// between its canaries, `content` what it held before.
std::string trouble_with(const TensorParameter& tensor, std::span<const double> content,
                         std::span<const double> all) {
  if (all.size() != content.size() + 2 * canaries.size())
    return "the reference's result was cut short";
  const auto before = all.first(canaries.size()), behind = all.last(canaries.size());
  if (!same(before, canaries))
    return fmt::format(
        "the reference writes {} elements before \"{}\"; expected only elements "
        "of the tensor",
        canaries.size() - first_difference(before, canaries), tensor.name);
  const auto after = all.subspan(canaries.size(), content.size());
  if (tensor.access == Access::read && !same(after, content))
    return fmt::format(
        "the reference writes \"{}\" (element {}), which the kernel only reads; "
        "expected access in_place or write for it, or a reference that leaves it "
        "alone",
        tensor.name, first_difference(after, content));
  if (!same(behind, canaries))
    return fmt::format(
        "the reference writes {} elements past the end of \"{}\", which has {}; "
        "expected only elements of the tensor",
        first_difference(behind, canaries) + 1, tensor.name, content.size());
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
          "the reference uses {}, a parameter of the config; expected the same result for every "
          "config: it is compiled once, without one",
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

Result<Oracle::Answer> Oracle::ask(Question question) {
  TUNECHECK_TRY(const auto module, compiled(*question.kernel));
  const std::string digest = module->name + "-" + digest_of(question);
  return once(m_mutex, m_answers, digest,
              [&] { return run(*module, std::move(question), digest); });
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
      return failure(Error{ErrorKind::untrusted, trouble, kernel.reference.string(), 0, {}});
    return failure(Error{ErrorKind::untrusted,
                         "the reference does not compile: " + artifact.error().message,
                         kernel.reference.string(),
                         0,
                         {}});
  }
  auto module = std::make_shared<Module>();
  module->name = kernel.name + "-" + digest;
  TUNECHECK_TRY(module->memory, sealed_memory_file("tunecheck-reference", artifact->bytes));
  return module;
}

std::filesystem::path Oracle::Module::path() const {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), memory.get());
}

Result<Oracle::Answer> Oracle::run(const Module& module, Question question,
                                   const std::string& digest) const {
  const std::filesystem::path folder = m_folder / digest;
  TUNECHECK_CHECK(create_folders(folder));
  IsolatedRun request;
  request.module = module.path();
  request.reference = true;
  for (std::size_t i = 0; i < question.contents.size(); ++i) {
    const std::filesystem::path file = folder / fmt::format("{}.f64", i);
    const auto around = bytes_of(canaries);
    TUNECHECK_CHECK(write_parts(file, {around, bytes_of(question.contents[i]), around}));
    request.tensors.push_back(
        {file, around.size(), DType::f64, Layout::contiguous(question.shapes[i])});
  }
  for (const double scalar : question.scalars)
    request.scalars.push_back({DType::f64, scalar});
  const auto result = run_isolated(request, folder);
  if (!result || result->status != 0)
    return failure(
        Error{ErrorKind::untrusted,
              "the reference failed: " +
                  (result ? fmt::format("status {}", result->status) : result.error().message),
              question.kernel->reference.string(),
              0,
              {}});
  for (std::size_t i = 0; i < question.contents.size(); ++i) {
    TUNECHECK_TRY(const MappedFile file, MappedFile::open(request.tensors[i].file));
    const std::span all(reinterpret_cast<const double*>(file.bytes().data()),
                        file.bytes().size() / sizeof(double));
    std::vector<double>& content = question.contents[i];
    if (const std::string trouble = trouble_with(question.kernel->tensors[i], content, all);
        !trouble.empty())
      return failure(
          Error{ErrorKind::untrusted, trouble, question.kernel->reference.string(), 0, {}});
    std::copy_n(all.begin() + canaries.size(), content.size(), content.begin());
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return std::make_shared<const TensorContents>(std::move(question.contents));
}

}  // namespace tunecheck
