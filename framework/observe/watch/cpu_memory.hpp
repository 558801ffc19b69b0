#pragma once
// The memory of the process itself.
#include "observe/watch/memory.hpp"

namespace tunecheck::watch {

class CpuMemory final : public Memory {
 public:
  [[nodiscard]] Result<std::unique_ptr<Copy>> copy(const Regions& regions) override;
  [[nodiscard]] Result<std::vector<std::uint64_t>> digests(const Regions& regions) override;
  [[nodiscard]] Result<Difference> difference(const Region& one, const Region& other,
                                              const Region& before) override;
  [[nodiscard]] Result<void> write(const Region& to, const Region& from) override;
};

}  // namespace tunecheck::watch
