#pragma once
// A small device on which planted bugs show: kernels are interpreted, times are made up, and every
// launch, in whatever process, is written down in shared memory.
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "mutants/mutant.hpp"
#include "toy_tensor.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck::test {

/// What a launch found.
struct ToyLaunch {
  bool in_trial = false;           ///< in a forked process
  std::array<char, 17> written{};  ///< digest_elements of y
  std::int64_t stride = 0;         ///< of y, in elements
  int address_mod_64 = 0;          ///< of its first element
  bool stored = false;             ///< whether the watched folder held an entry
};

/// What a config's `defect` makes of the kernel. Defects other than 0 are faster.
enum Defect : std::int64_t {
  right = 0,
  half_written = 1,
  wrong = 2,
  refuses = 3,
  crashes = 4,
  writes_past_end = 5,  ///< by one element of y; the result is right
  writes_in_front = 6,  ///< of x or y, whichever lies lower; the result is right
  changes_input = 7,    ///< its last element; the result is right
  wrong_if_200 = 8,     ///< where the config's time is 200
  wrong_second = 9,     ///< z alone
};

/// y += x where y is in place, y = 2 * x where it is written, and z = 3 * x if there is a z; config
/// {defect, time}, `time` in nanoseconds.
class ToyBackend : public Backend {
 public:
  ToyBackend();
  [[nodiscard]] DeviceKind kind() const override { return DeviceKind::cpu; }
  [[nodiscard]] Result<std::string> resolve_arch(std::string_view requested) const override;
  [[nodiscard]] Result<std::string> toolchain_fingerprint() const override { return toolchain; }
  [[nodiscard]] Result<KernelSources> sources(const KernelDefinition&) const override {
    return KernelSources{{"toy.cpp", source}, {{"toy.h", header}}};
  }
  [[nodiscard]] std::vector<std::string> environment_variables() const override {
    return {"TUNECHECK_TOY_VARIABLE"};
  }
  [[nodiscard]] Result<Artifact> compile(const CompileRequest& request) const override;
  [[nodiscard]] Result<std::unique_ptr<Module>> load(const Artifact& artifact) const override;

  [[nodiscard]] int compiles() const { return m_compiles; }
  [[nodiscard]] std::vector<ToyLaunch> launches() const;
  /// Digests of y at the launches of trials, each once.
  [[nodiscard]] std::vector<std::string> seen_by_trials() const;

  std::string toolchain = "toolchain 1";
  std::string source = "int f();\n";
  std::string header = "int g();\n";
  std::filesystem::path watched;  ///< the cache folder, for ToyLaunch::stored

 private:
  mutable std::atomic<int> m_compiles = 0;
  std::shared_ptr<SharedMemory> m_log;
  int m_test_process;
};

/// What is tuned, and where: everything that outlives one process.
struct Toy {
  explicit Toy(Access access = Access::in_place);

  ToyBackend backend;
  TemporaryFolder temporary;
  TunerOptions options;
  TuneRequest request;
  DType dtype = DType::f32;
  std::int64_t elements = 64;
  std::int64_t stride = 1;

  /// A second output z, behind y.
  void add_second_output();
  /// The space {defect} x {time}.
  void set_space(std::vector<std::int64_t> defects, std::vector<std::int64_t> times);
  [[nodiscard]] std::vector<std::filesystem::path> stored_files() const;
};

/// What became of one call.
struct ToyCall {
  Result<CallReport> report;
  Config winner;  ///< as reported
  std::vector<double> x, y, z;
  bool canaries_intact = true;
};

/// One process of the tuner ("" for the true one) with a planted bug.
class ToyProcess {
 public:
  ToyProcess(Toy& toy, const std::string& mutant);
  /// With these parts.
  ToyProcess(Toy& toy, TunerParts parts);
  /// x is 1, 2, 3, ... and y is 0.5, 0.75, 1, ... before the call. `misaligned`: by one element.
  /// The scalars are {decides, does_not}.
  [[nodiscard]] ToyCall call(bool misaligned = false, bool swapped = false,
                             const std::map<std::string, double>& scalars = {});

 private:
  Toy& m_toy;
  std::unique_ptr<Tuner> m_tuner;
  std::vector<TunedKernel> m_bound;
};

/// One call in a process of its own.
[[nodiscard]] ToyCall call_once(Toy& toy, const std::string& mutant);

/// The tuner without a mutant, and with this one.
[[nodiscard]] inline std::vector<std::string> both(const std::string& mutant) {
  return {"", mutant};
}

/// y after one clean launch.
[[nodiscard]] std::vector<double> expected_result(const Toy& toy, bool from_zero = false);
/// y before a call.
[[nodiscard]] std::vector<double> initial_y(const Toy& toy);

}  // namespace tunecheck::test
