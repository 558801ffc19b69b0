#pragma once
// What stands for NVRTC or HIPRTC: the same functions, each compile recorded and passed on,
// refused, delayed or answered from the store, as the settings beside the library's link say.
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "observe/evidence.hpp"
#include "observe/runtime_spy/program_store.hpp"
#include "observe/spy_settings.hpp"

namespace tunecheck::spy {

/// What NVRTC and HIPRTC differ in.
struct Dialect {
  const char* prefix;                ///< of all functions: "nvrtc"
  std::vector<std::string> outputs;  ///< kinds that Get... functions return: CUBIN, PTX
};

// Results, the same numbers in both.
inline constexpr int success = 0;
inline constexpr int invalid_input = 3;
inline constexpr int compilation_failed = 6;
inline constexpr int internal_error = 11;

/// A program of the caller; the handle that it has is this address. One thread at a time.
struct Program {
  void* real = nullptr;
  ProgramText text;
  std::string own_log;                    ///< in the place of the compiler's, where not empty
  std::optional<CompiledProgram> stored;  ///< where it was answered from the store
  std::set<std::string> recorded;         ///< digests of its outputs that are in the evidence
};

/// One library. Programs may be used by different threads at once.
class RuntimeSpy {
 public:
  /// `dialect` must outlive it. The settings are those of the link by which this library was
  /// loaded.
  explicit RuntimeSpy(const Dialect& dialect);

  /// Calls the real function of that name, "Version": with the result internal_error where there is
  /// none, or no real library.
  template <class... Arguments>
  int pass_on(const char* name, Arguments... arguments) const {
    auto* const function = reinterpret_cast<int (*)(Arguments...)>(find(name));
    return function != nullptr ? function(arguments...) : internal_error;
  }

  [[nodiscard]] const char* error_text(int result) const;
  int version(int* major, int* minor) const;
  int create(void** program, const char* source, const char* name, int count,
             const char* const* headers, const char* const* names) const;
  int destroy(void** program) const;
  int add_expression(Program& program, const char* expression) const;
  int compile(Program& program, int count, const char* const* options) const;
  /// `kind` is CUBIN, PTX or any other that a function Get<kind> returns.
  int output_size(Program& program, const std::string& kind, std::size_t* size) const;
  int output(Program& program, const std::string& kind, char* bytes) const;
  int log_size(Program& program, std::size_t* size) const;
  int log(Program& program, char* text) const;
  int lowered_name(Program& program, const char* expression, const char** name) const;

 private:
  [[nodiscard]] void* find(const std::string& name) const;
  [[nodiscard]] std::string compiler() const;
  [[nodiscard]] int run(Program& program, CompileEvent& event) const;
  [[nodiscard]] int run_real(Program& program) const;
  // What a compile made; nothing where it is not to be kept.
  [[nodiscard]] std::optional<CompiledProgram> made_by(const Program& program) const;
  // What the program takes may be another output than the one that its compile was recorded with:
  // PTX of what could be had as a binary, too. Then that is a second step of the compile.
  void record_taken(Program& program, const std::string& kind, const char* bytes) const;
  [[nodiscard]] std::string real_output(const Program& program, const std::string& kind) const;
  [[nodiscard]] std::string real_log(const Program& program) const;
  // A compile for real of what was answered from the store, for outputs that are not kept.
  void drop_stored(Program& program) const;

  const Dialect& m_dialect;
  std::optional<SpySettings> m_settings;
  std::string m_trouble;  // why there are no settings or no real library
  void* m_library = nullptr;
};

}  // namespace tunecheck::spy
