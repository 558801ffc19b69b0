#pragma once
// Tuning one kernel at the desk: a tuner's choice beside the judge's own measurement of every
// config, the kernel's naive loop and a plain copy.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel.hpp"
#include "core/result.hpp"
#include "judge/adapter_info.hpp"

namespace tunecheck {

/// Times of one launch, in ns, over all launches that were measured.
struct LaunchTimes {
  double median_ns = 0;
  double low_ns = 0;   ///< a tenth of the launches took less
  double high_ns = 0;  ///< a tenth of the launches took more
  std::size_t launches = 0;
};

struct KernelTuning {
  struct Row {
    Config config;
    bool is_winner = false;
    bool is_default = false;
    std::optional<LaunchTimes> times;  ///< as the judge measured; none where it did not run
    std::string failure;               ///< why it cannot win, as the tuner or the judge says
  };
  std::string kernel, size, dtypes, arch;
  std::string
      device;         ///< a GPU with its clocks, "NVIDIA H200; SM clock 1980 MHz, ..."; "" of a CPU
  std::string tuner;  ///< name and version as it says
  LimitedBy limited_by = LimitedBy::unsaid;
  double bytes = 0, flops = 0;  ///< of one launch; 0 where the kernel file does not say
  std::vector<Row> rows;        ///< in the order of the space
  std::optional<LaunchTimes> naive;
  std::string naive_trouble;  ///< why there is none; "" also on a GPU, where nobody writes one
  std::optional<LaunchTimes> copy;  ///< of `bytes` / 2 bytes, read and written
  std::string trouble;              ///< the tuning failed or its result was wrong; "" if neither
  std::string message;              ///< what the tuner says

  [[nodiscard]] const Row* winner() const;
  [[nodiscard]] const Row* default_row() const;
};

struct TuneOptions {
  const AdapterInfo* adapter = nullptr;
  std::string backend = "cpu";
  std::string size = "smoke";
  std::size_t variant = 0;      ///< of dtypes
  std::string arch = "native";  ///< people tune for the machine they have
  std::uint64_t seed = 1;
  int jobs = 0;    ///< compilers at once; 0: one a core
  int rounds = 3;  ///< every config is measured so often, in turn
};

/// The error is the judge's own: no adapter, no compiler, no room. What the tuner did wrong is in
/// the result.
[[nodiscard]] Result<KernelTuning> tune_kernel(const KernelDefinition& kernel,
                                               const TuneOptions& options);

}  // namespace tunecheck
