#include "result/kernel_tuning.hpp"

#include <algorithm>

namespace tunecheck {

const KernelTuning::Row* KernelTuning::winner() const {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.is_winner; });
  return found == rows.end() ? nullptr : &*found;
}

const KernelTuning::Row* KernelTuning::default_row() const {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.is_default; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace tunecheck
