#pragma once
// Which image a function of the driver came from, and what its parameters are.
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "observe/gpu/driver.hpp"
#include "observe/gpu/image.hpp"
#include "observe/gpu/tensor_argument.hpp"
#include "observe/gpu/watch_file.hpp"

namespace tunecheck::gpu {

/// What is known of an image.
struct Code {
  std::string module;  ///< SHA-256, "" where it is not known
  std::string config;
  std::string code;  ///< SHA-256 of what of it is run, "" where that is not known
  /// The parameters of its kernels, where the image says them; may be null.
  std::shared_ptr<const KernelParameters> kernels;
};

/// Modules, libraries and the functions that were got from them, by their handles. A handle that is
/// given out again replaces what it was. One thread at a time.
class LoadedCode {
 public:
  explicit LoadedCode(const Driver& driver) : m_driver(driver) {}

  /// `owner` is a module or a library.
  void add(const void* owner, Code code) { m_owners[owner] = std::move(code); }
  /// `module` was got from `library`.
  void add_module(const void* module, const void* library) { m_owners[module] = m_owners[library]; }
  /// `function` was got from `owner`, a module, a library or a kernel. `name` is its symbol where
  /// the process said it, else "".
  void add_function(const void* function, const void* owner, bool is_kernel,
                    const std::string& name = {});

  /// A module or library is no more, nor are its functions.
  void forget(const void* owner);

  /// The image that a function came from; unknown where its load was not seen.
  [[nodiscard]] const Code& code_of(const void* function);
  /// The function's symbol, "" where nobody says it.
  [[nodiscard]] std::string name_of(const void* function);

  /// The module or library that it came from; null where that is not known.
  [[nodiscard]] const void* owner_of(const void* function) { return at(function).owner; }

  /// Where the function's parameters lie among its arguments; none where nobody says it.
  [[nodiscard]] const std::vector<Parameter>& parameters_of(const void* function);

  /// The tensors among the arguments: those that `watched` names, or without it all that are a
  /// tunecheck::Tensor<T>.
  [[nodiscard]] Tensors tensors_of(const void* function, const Arguments& arguments,
                                   const std::vector<WatchedParameter>* watched);

 private:
  struct Function {
    const void* owner = nullptr;
    Code code;
    std::string name;
    bool is_kernel = false;
    std::optional<std::vector<Parameter>> parameters;  // asked for when they are needed
  };
  [[nodiscard]] Function& at(const void* function);

  const Driver& m_driver;
  std::map<const void*, Code> m_owners;
  std::map<const void*, Function> m_functions;
};

/// The value of a parameter; empty where the arguments do not have it.
[[nodiscard]] std::span<const std::byte> value_of(const Arguments& arguments, std::size_t index,
                                                  const Parameter& parameter);

}  // namespace tunecheck::gpu
