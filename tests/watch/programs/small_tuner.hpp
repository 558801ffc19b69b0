#pragma once
// A tuner of about the size that people write by hand, for programs that are watched. It compiles a
// kernel in several configs, times each on the caller's arguments, keeps the fastest and remembers
// it in a folder. What it does wrong is chosen by its options.
#include <tunecheck/cpu_kernel.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace watched {

struct Matrix {
  std::vector<float> data;
  std::vector<std::int64_t> shape, strides;

  explicit Matrix(std::int64_t size, float value = 0)
      : data(static_cast<std::size_t>(size), value), shape{size}, strides{1} {}
};

using Entry = int (*)(const tunecheck_launch*);

struct TunerOptions {
  std::string kernel;               ///< name of a source beside the program, without .cpp
  int configs = 4;                  ///< BLOCK = 1, 2, 4, ...
  int repetitions = 3;              ///< launches that are timed, of each config
  std::set<std::size_t> restored;   ///< tensors that are put back after each trial
  std::set<std::size_t> zeroed;     ///< tensors that are set to 0 before each trial and the launch
                                    ///< behind a tuning
  bool restores_at_end = false;     ///< puts all back, but only behind the last trial
  bool is_on_copies = false;        ///< trials get copies of all tensors
  bool is_on_fresh_copies = false;  ///< and each trial its own
  bool is_remembered = true;        ///< in the folder; else in the process alone
  std::string folder;               ///< below HOME/.cache/small_tuner if not absolute
  std::string sources = {};         ///< folder of the source; beside the program if empty
  bool numbers_are_in_key = false;
  bool tries_neighbours = false;  ///< of a winner that it remembers
  bool compiles_always = false;   ///< in each process, what it launches
  std::function<int(int best)> choose = [](int best) { return best; };  ///< index of the winner
};

class SmallTuner {
 public:
  explicit SmallTuner(TunerOptions options);

  void operator()(const std::vector<Matrix*>& tensors, const std::vector<double>& numbers = {});

 private:
  [[nodiscard]] std::filesystem::path artifact(int config) const;
  [[nodiscard]] Entry load(int config);
  [[nodiscard]] int tune(const std::vector<Matrix*>& tensors, const std::vector<double>& numbers,
                         const std::vector<int>& configs);

  TunerOptions m_options;
  std::filesystem::path m_folder;
  std::map<int, Entry> m_loaded;
  std::map<std::string, int> m_winners;
};

/// Launches a kernel as it is.
void launch(Entry entry, const std::vector<Matrix*>& tensors, const std::vector<double>& numbers);

}  // namespace watched
