#pragma once
// A kernel with every kind of argument, its folder, its tensors, and what is right for it.
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "function_backend.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::test {

// Ends the test where setting it up failed.
inline void must(const Result<void>& done) {
  if (!done) throw std::runtime_error(done.error().text());
}

// y += alpha * x (restored), out = x + beta (pure output), total += 1 (zeroed before).
LaunchStatus run_probe(const Config& config, const LaunchArguments& arguments);

// kernel.info and sources in a folder of their own.
class ProbeFolder {
 public:
  ProbeFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return m_folder.path(); }
  [[nodiscard]] TuneRequest request() const;
  void write(const std::string& file, const std::string& text) const;
  // Replaces text in kernel.info.
  void edit(const std::string& from, const std::string& to) const;

 private:
  TemporaryFolder m_folder;
};

// Tensors of 32 elements with a content, each in memory that is 64-byte aligned before `shift`.
class ProbeTensors {
 public:
  static constexpr std::int64_t size = 32;
  explicit ProbeTensors(std::int64_t stride = 1, std::size_t byte_shift = 0,
                        DType dtype = DType::f32);

  [[nodiscard]] const std::vector<TensorView>& views() const { return m_views; }
  [[nodiscard]] LaunchArguments arguments() const { return {m_views, m_scalars}; }
  [[nodiscard]] std::vector<double> values(std::size_t tensor) const {
    return to_doubles(m_views[tensor]);
  }
  // All bytes, padding included.
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return m_memory; }

  // Whether y, out and total hold what one launch on the first content leaves.
  [[nodiscard]] bool hold_one_launch() const;
  void refill();
  void set_alpha(double alpha) { m_scalars[0].value = alpha; }
  void set_beta(double beta) { m_scalars[1].value = beta; }

 private:
  std::vector<std::byte> m_memory;
  std::vector<TensorView> m_views;
  std::vector<Scalar> m_scalars;
};

// A tuner on a cache folder, with what it told its observer.
struct ListeningObserver : TunerObserver {
  std::vector<Key> keys;
  std::vector<std::string> outcomes;
  void on_lookup(const Key& key, const std::string& outcome) override {
    keys.push_back(key);
    outcomes.push_back(outcome);
  }
};

// One call in a tuner of its own: what a fresh process would do. The options may be changed.
[[nodiscard]] Result<CallReport> fresh_call(const Backend& backend, const TuneRequest& request,
                                            const ProbeTensors& tensors,
                                            const std::filesystem::path& cache,
                                            TunerParts parts = TunerParts::standard());

// Options with short limits.
[[nodiscard]] TunerOptions quick_options(const std::filesystem::path& cache);

}  // namespace tunecheck::test
