#pragma once
// Memory for trials: a copy of the caller's tensors that keeps how they lie in memory.
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/tensor_view.hpp"

namespace tunecheck {

/// Bytes of canary before, between and after the blocks.
inline constexpr std::size_t canary_bytes = 4096;

/// A mapping shared with the child processes of trials. Each view gets a twin of the same layout,
/// at an address that is the same modulo 64; views that share bytes have twins that share the same
/// bytes. Around the blocks, and in the padding between strides, lies a canary. One thread at a
/// time.
class TrialMemory {
 public:
  [[nodiscard]] static Result<TrialMemory> create(std::span<const TensorView> originals);
  TrialMemory(TrialMemory&&) noexcept;
  TrialMemory& operator=(TrialMemory&&) noexcept;
  ~TrialMemory();

  /// The twins, in the order of the originals; their content is not the originals'.
  [[nodiscard]] std::span<const TensorView> views() const { return m_views; }

  /// Writes the canary everywhere, tensors included.
  void fill_canary() noexcept;
  /// True where every byte outside of the elements still holds the canary.
  [[nodiscard]] bool canary_intact() const;

 private:
  struct Block {
    std::size_t offset = 0;  ///< in the mapping
    std::size_t size = 0;
    bool has_padding = false;
    std::vector<std::size_t> views;
  };
  TrialMemory() = default;
  [[nodiscard]] bool padding_intact(const Block& block) const;

  std::byte* m_base = nullptr;
  std::size_t m_bytes = 0;
  std::vector<Block> m_blocks;
  std::vector<TensorView> m_views;
};

}  // namespace tunecheck
