#pragma once
// What tuning a kernel at the desk found: see tune_kernel.hpp.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/config.hpp"
#include "core/kernel.hpp"

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

}  // namespace tunecheck
