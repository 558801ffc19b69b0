#pragma once
// Calls that do not wait for a search: what the search works on, and what becomes of its winner.
#include <memory>
#include <string>

#include "tuner/call_arguments.hpp"
#include "tuner/key/key.hpp"

namespace tunecheck {

struct TuneRequest;
struct TunerOptions;

/// A call's arguments, for a search that goes on when the call has ended.
class HeldArguments {
 public:
  virtual ~HeldArguments() = default;
  /// Points into this object.
  [[nodiscard]] virtual CallArguments call() const = 0;
};

/// Seam; the instance is shared by all threads.
class Meanwhile {
 public:
  virtual ~Meanwhile() = default;
  /// What TuneRequest::may_wait says, or else TunerOptions::may_wait.
  [[nodiscard]] virtual bool waits(const TuneRequest& request, const TunerOptions& options) const;
  /// A copy of every element. What `call` points to besides tensors and scalars outlives it.
  [[nodiscard]] virtual Result<std::shared_ptr<const HeldArguments>> hold(
      const CallArguments& call) const;
  /// If several searches have the same name, only the first one is made.
  [[nodiscard]] virtual std::string name_of_search(const Key& key) const { return key.text(); }
  /// False where a search that is about to begin has become needless.
  [[nodiscard]] virtual bool must_search(bool has_winner) const { return !has_winner; }
  /// True where later calls launch what the search has found.
  [[nodiscard]] virtual bool delivers() const { return true; }
};

}  // namespace tunecheck
