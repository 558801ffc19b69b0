#pragma once
// Which image a function of the driver came from, and what its parameters are.
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "observe/gpu/cuda/driver.hpp"
#include "observe/gpu/tensor_argument.hpp"
#include "observe/gpu/watch_file.hpp"

namespace tunecheck::gpu {

/// What is known of an image.
struct Code {
  std::string module;  ///< SHA-256, "" where it is not known
  std::string config;
  std::string code;  ///< SHA-256 of what of it is run, "" where that is not known
};

/// The arguments of a launch, as the driver is given them: one of the two is null.
struct Arguments {
  void** parameters = nullptr;  ///< a pointer to each
  void** extra = nullptr;       ///< names a buffer with all of them
};

/// Modules, libraries and the functions that were got from them, by their handles (CUmodule,
/// CUlibrary, CUfunction, CUkernel). A handle that is given out again replaces what it was. One
/// thread at a time.
class LoadedCode {
 public:
  explicit LoadedCode(const Driver& driver) : m_driver(driver) {}

  /// `owner` is a module or a library.
  void add(const void* owner, Code code) { m_owners[owner] = std::move(code); }
  /// `module` was got from `library`.
  void add_module(const void* module, const void* library) { m_owners[module] = m_owners[library]; }
  /// `function` was got from `owner`, a module, a library or a kernel.
  void add_function(const void* function, const void* owner, bool is_kernel);

  /// `kernel` is one of a library, whether or not its library's load was seen.
  void add_kernel(CUkernel kernel);
  /// A module or library is no more, nor are its functions.
  void forget(const void* owner);

  /// The image that a function came from; unknown where its load was not seen.
  [[nodiscard]] const Code& code_of(CUfunction function);
  /// The function's name as the driver knows it, "" where it does not say.
  [[nodiscard]] std::string name_of(CUfunction function);

  /// The tensors among the arguments: those that `watched` names, or without it all that are a
  /// tunecheck::Tensor<T>.
  [[nodiscard]] Tensors tensors_of(CUfunction function, const Arguments& arguments,
                                   const std::vector<WatchedParameter>* watched);

 private:
  struct Parameter {
    std::size_t offset = 0;  // in the buffer of all
    std::size_t size = 0;
  };
  struct Function {
    const void* owner = nullptr;
    Code code;
    bool is_kernel = false;
    std::optional<std::vector<Parameter>> parameters;  // asked for when they are needed
  };
  [[nodiscard]] Function& at(CUfunction function);
  [[nodiscard]] const std::vector<Parameter>& parameters_of(CUfunction function);

  const Driver& m_driver;
  std::map<const void*, Code> m_owners;
  std::map<const void*, Function> m_functions;
};

}  // namespace tunecheck::gpu
