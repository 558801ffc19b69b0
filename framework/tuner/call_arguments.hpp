#pragma once
// The arguments of one tuned call and what the kernel file says of each.
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.hpp"
#include "core/kernel.hpp"

namespace tunecheck {

/// What a kernel does to one of its tensors, read once from the kernel file.
struct TensorRole {
  std::string name;
  Access access = Access::read;
  bool restores = false;  ///< put back to its content before each rep
  bool resets = false;    ///< zeroed before each rep and each real launch

  [[nodiscard]] bool is_written() const { return access != Access::read; }
  /// True where the content after a launch is part of the result.
  [[nodiscard]] bool is_result() const {
    return access == Access::write || access == Access::in_place;
  }
  /// True where nothing of the content before a launch matters.
  [[nodiscard]] bool is_pure_output() const {
    return access == Access::write && !restores && !resets;
  }
};

/// One role a tensor, in the order of the kernel file.
[[nodiscard]] std::vector<TensorRole> tensor_roles(const KernelDefinition& kernel);

/// A tensor by its name, as a caller passes it.
struct NamedTensor {
  std::string_view name;
  TensorView view;
};

/// What a caller wants to be done right before each launch, in trials (in their own process) and
/// for real, on what that launch gets. It runs after the tuner's own preparation, never in its
/// place.
using LaunchHook = std::function<void(const LaunchArguments& arguments)>;

/// One call, in the order of the kernel file. Owns nothing: what it points to lives as long as the
/// call.
struct CallArguments {
  std::span<const TensorRole> roles;
  LaunchArguments launch;                     ///< the caller's own memory
  std::span<const int> caller_order;          ///< position in the kernel file of the caller's first
                                              ///< tensor, of its second, ...
  const LaunchHook* before_launch = nullptr;  ///< the caller's, null or empty for none
  const TensorMemory* trial_memory = nullptr;  ///< the memory as trials see it; null: as the caller

  [[nodiscard]] bool has_hook() const { return before_launch != nullptr && *before_launch; }
  void run_hook(const LaunchArguments& arguments) const {
    if (has_hook()) (*before_launch)(arguments);
  }
};

/// What decides whether a call is prepared as the first after a tuning or as any other.
enum class CallKind {
  tuned,  ///< the winner was found by trials in this very call
  hit,    ///< the winner was known
};

/// Prepares the caller's own arguments for a launch that counts. Seam; the instance is shared by
/// all threads.
class RealCall {
 public:
  virtual ~RealCall() = default;
  /// Zeroes the reset_to_zero tensors, after a tuning (triton#7181) and on every hit. Allocates
  /// nothing: it is part of the fast path.
  virtual void prepare(std::span<const TensorRole> roles, const LaunchArguments& arguments,
                       CallKind kind) const;
  /// False where prepare() does nothing on a hit of a kernel with these roles: it is not called
  /// there, then.
  [[nodiscard]] virtual bool prepares_hits(std::span<const TensorRole> /*roles*/) const {
    return true;
  }
};

/// What prepare() of the base does, and nothing else.
class StandardRealCall final : public RealCall {
 public:
  [[nodiscard]] bool prepares_hits(std::span<const TensorRole> roles) const override;
};

}  // namespace tunecheck
