#pragma once
// Memory for trials: a copy of the caller's tensors that keeps how they lie in memory.
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/tensor_memory.hpp"
#include "core/result.hpp"
#include "core/tensor_view.hpp"

namespace tunecheck {

/// Bytes of canary before, between and after the blocks.
inline constexpr std::size_t canary_bytes = 4096;
/// What it is made of.
inline constexpr auto canary_byte = std::byte{0xc5};

/// A block within the reach of trials. Each view gets a twin of the same layout,
/// at an address that is the same modulo 64; views that share bytes have twins that share the same
/// bytes. Around the blocks, and in the padding between strides, lies a canary. One thread at a
/// time.
class TrialMemory {
 public:
  /// `memory` is where the originals are, and outlives this object.
  [[nodiscard]] static Result<TrialMemory> create(std::span<const TensorView> originals,
                                                  const TensorMemory& memory);

  /// The twins, in the order of the originals; their content is not the originals'.
  [[nodiscard]] std::span<const TensorView> views() const { return m_views; }

  [[nodiscard]] std::size_t bytes() const { return m_block.size(); }

  /// Writes the canary everywhere, tensors included; `seen_by_trials` is the memory as trials see
  /// it.
  void fill_canary(const TensorMemory& seen_by_trials);
  /// True where every byte outside of the elements still holds the canary.
  [[nodiscard]] bool canary_intact() const;

 private:
  struct Block {
    std::size_t offset = 0;  ///< in the whole
    std::size_t size = 0;
    bool has_padding = false;
    std::vector<std::size_t> views;
  };
  explicit TrialMemory(const TensorMemory& memory) : m_memory(&memory) {}
  [[nodiscard]] bool padding_intact(const Block& block) const;

  const TensorMemory* m_memory;
  MemoryBlock m_block;
  std::vector<Block> m_blocks;
  std::vector<TensorView> m_views;
};

}  // namespace tunecheck
