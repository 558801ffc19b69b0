#include "judge/oracle.hpp"

#include <cstring>

#include "backend/cpu/cpu_backend.hpp"
#include "core/digest.hpp"
#include "core/files.hpp"
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
  if (!artifact)
    return failure(Error{"the reference does not compile: " + artifact.error().message,
                         kernel.reference.string(),
                         0,
                         {}});
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
    // Nothing can be mapped of an empty file.
    std::vector<double> content = question.contents[i];
    if (content.empty()) content.push_back(0);
    TUNECHECK_CHECK(write_file(file, std::as_bytes(std::span(content))));
    request.tensors.push_back({file, 0, DType::f64, Layout::contiguous(question.shapes[i])});
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
    if (bytes.size() < contents[i].size() * sizeof(double))
      return failure("the reference's result was cut short");
    std::memcpy(contents[i].data(), bytes.data(), contents[i].size() * sizeof(double));
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return contents;
}

}  // namespace tunecheck
