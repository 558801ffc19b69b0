#pragma once
// The kernel dft as a problem of FFTW's.
#include <fftw3.h>
#include <memory>
#include <vector>

#include "adapter/protocol/messages.hpp"
#include "core/mapped_file.hpp"
#include "core/result.hpp"

namespace tunecheck {

struct PlanDeleter {
  void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
};
using Plan = std::unique_ptr<fftw_plan_s, PlanDeleter>;

/// The arrays of one call, in the files where the judge put them, and the transform between them.
class Transform {
 public:
  /// An error for another kernel, another dtype, or a file that is too short.
  [[nodiscard]] static Result<Transform> open(const protocol::CallRequest& request);

  /// `sign` as FFTW has it, -1 for the forward transform. Overwrites the arrays, as the planner
  /// does, unless the plan comes from wisdom. Null where FFTW makes none.
  [[nodiscard]] Plan plan(unsigned flags, int sign) const;
  [[nodiscard]] int sign() const { return m_sign; }

  /// The numbers of both arrays, and back.
  struct Content {
    std::vector<double> input, output;
  };
  [[nodiscard]] Content content() const;
  void set_content(const Content& content) const;

  /// Executes a plan of the same shape for these arrays.
  void execute(const Plan& plan) const;

  /// The same transform on memory of its own, which begins with this one's content.
  [[nodiscard]] Transform copied() const;

 private:
  struct Array {
    double* data = nullptr;
    Layout layout;  ///< [rows, cols, 2]

    [[nodiscard]] std::vector<double> numbers() const;
    void set(const std::vector<double>& numbers) const;
  };
  Transform() = default;
  [[nodiscard]] static Result<Array> map(const protocol::Tensor& tensor,
                                         std::vector<MappedFile>& files,
                                         std::vector<std::string>& names);

  Array m_input, m_output;
  int m_sign = FFTW_FORWARD;
  std::shared_ptr<std::vector<MappedFile>> m_files;
  std::shared_ptr<std::vector<std::vector<double>>> m_copies;
};

}  // namespace tunecheck
