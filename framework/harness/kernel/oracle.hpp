#pragma once
// The expected result of a call: what a kernel's reference computes in double from the caller's
// arguments.
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "core/files.hpp"
#include "core/kernel.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// The content of every tensor in row-major order, in the order of the kernel file.
using TensorContents = std::vector<std::vector<double>>;

/// Compiles references once and remembers their results. All members may be called by several
/// threads at once.
class Oracle {
 public:
  /// `folder` (created) takes the runs' files.
  explicit Oracle(std::filesystem::path folder);

  struct Question {
    const KernelDefinition* kernel = nullptr;
    std::vector<std::vector<std::int64_t>> shapes;  ///< one per tensor
    TensorContents contents;                        ///< before the launch
    std::vector<double> scalars;
  };
  /// Nothing changes it any more; a tensor may have GiB, so that whoever asks the same shares it.
  using Answer = std::shared_ptr<const TensorContents>;
  /// The contents after one launch of the reference. The error says what is wrong with the
  /// reference: it does not compile, crashes, hangs or returns a status.
  [[nodiscard]] Result<Answer> ask(Question question);

 private:
  /// A compiled reference lies in sealed memory: no tuner can put another one in its place.
  struct Module {
    FileDescriptor memory;
    std::string name;                                  ///< of the kernel and its source, for files
    [[nodiscard]] std::filesystem::path path() const;  ///< for processes that this one starts
  };
  using Compiled = Result<std::shared_ptr<const Module>>;
  Compiled compiled(const KernelDefinition& kernel);
  Compiled compile(const KernelDefinition& kernel, const std::string& digest) const;
  Result<Answer> run(const Module& module, Question question, const std::string& digest) const;

  std::filesystem::path m_folder;
  std::mutex m_mutex;
  std::map<std::string, std::shared_future<Compiled>> m_compiled;       ///< by digest of the source
  std::map<std::string, std::shared_future<Result<Answer>>> m_answers;  ///< by question
};

}  // namespace tunecheck
