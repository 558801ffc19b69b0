#pragma once
// The host's memory with other blocks, for what looks like a device's memory or lies in other
// pages.
#include "backend/tensor_memory.hpp"

namespace tunecheck {

/// Does everything with the host's memory but make blocks, which a derived class makes as it likes,
/// where the host can reach them.
class ForwardingMemory : public TensorMemory {
 public:
  void copy_elements(const TensorView& from, const TensorView& to, Stream stream) const override {
    host_memory().copy_elements(from, to, stream);
  }
  void fill_zero(const TensorView& view, Stream stream) const override {
    host_memory().fill_zero(view, stream);
  }
  void fill_poison(const TensorView& view, Stream stream) const override {
    host_memory().fill_poison(view, stream);
  }
  void fill_bytes(std::byte* first, std::size_t bytes, std::byte value) const override {
    host_memory().fill_bytes(first, bytes, value);
  }
  bool holds(const std::byte* first, std::size_t bytes, std::byte value) const override {
    return host_memory().holds(first, bytes, value);
  }
  bool same_elements(const TensorView& a, const TensorView& b) const override {
    return host_memory().same_elements(a, b);
  }
  Comparison compare_elements(const TensorView& actual, const TensorView& expected,
                              const Tolerance& tolerance) const override {
    return host_memory().compare_elements(actual, expected, tolerance);
  }
  Result<HostTensor> on_host(const TensorView& view) const override {
    return host_memory().on_host(view);
  }
  void copy_from_host(const TensorView& from, const TensorView& to) const override {
    host_memory().copy_from_host(from, to);
  }
  Result<void> wait() const override { return host_memory().wait(); }
};

}  // namespace tunecheck
