// What a program does that plans a transform. With a file, wisdom is imported before and exported
// after that:
//
//   observe-fftw-work row|plane|backward|in_place|new_arrays [FILE]
#include <cstdio>
#include <fftw3.h>
#include <string>
#include <vector>

namespace {

constexpr int rows = 4;
constexpr int cols = 64;

using Array = std::vector<double>;

fftw_complex* numbers(Array& array) {
  return reinterpret_cast<fftw_complex*>(array.data());
}

void fill(Array& array) {
  for (std::size_t i = 0; i < array.size(); ++i)
    array[i] = static_cast<double>(i);
}

fftw_plan plan_of(const std::string& what, Array& in, Array& out) {
  if (what == "plane")
    return fftw_plan_dft_2d(rows, cols, numbers(in), numbers(out), FFTW_FORWARD, FFTW_MEASURE);
  return fftw_plan_dft_1d(cols, numbers(in), numbers(what == "in_place" ? in : out),
                          what == "backward" ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_MEASURE);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const char* const file = argc > 2 ? argv[2] : nullptr;
  if (file != nullptr) fftw_import_wisdom_from_filename(file);
  Array in(2 * rows * cols), out(in.size()), other_in(in.size()), other_out(in.size());
  const fftw_plan plan = plan_of(what, in, out);
  if (plan == nullptr) return 1;
  if (file != nullptr && fftw_export_wisdom_to_filename(file) == 0) return 1;
  fill(in);
  fill(other_in);
  if (what == "new_arrays")
    fftw_execute_dft(plan, numbers(other_in), numbers(other_out));
  else
    fftw_execute(plan);
  fftw_destroy_plan(plan);
}
