#pragma once
// Bursts of kernels that add numbers, observed as programs are.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "observe/watch/bursts.hpp"
#include "observe/watch/cpu_memory.hpp"

namespace tunecheck::watch {

using Values = std::vector<std::uint64_t>;
using Kernel = std::function<void(std::uint64_t* p, const std::uint64_t* g, std::size_t count)>;

constexpr std::size_t count = 16;

inline void add(std::uint64_t* p, const std::uint64_t* g, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    p[i] += g[i];
}
inline void copy(std::uint64_t* p, const std::uint64_t* g, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    p[i] = g[i];
}

inline Region region_of(const Values& values) {
  return {reinterpret_cast<std::uintptr_t>(values.data()), values.size() * sizeof(values[0])};
}

struct Observed {
  explicit Observed(BurstLimits limits = {})
      : bursts(
            memory, limits, [this](const std::string& line) { read_line(line, told); },
            [this](const LaunchSeen&, bool) {
              ++asked_for_caller;
              return Caller{{"program.cpp:7 (main)", "kernels.py:3 (add)"}, path};
            }) {}

  LaunchSeen seen(const std::string& code, Values& p, Values& g, const Kernel& kernel) {
    LaunchSeen launch;
    launch.kernel = "add";
    launch.code = code;
    launch.shapes = "16 16";
    launch.regions = {region_of(p), region_of(g)};
    launch.tensors = {{0, 0, launch.regions[0].size}, {1, 1, launch.regions[1].size}};
    launch.relaunch = [kernel](const Regions& instead) -> Result<void> {
      kernel(reinterpret_cast<std::uint64_t*>(instead[0].address),
             reinterpret_cast<const std::uint64_t*>(instead[1].address), count);
      return {};
    };
    launch.has_rest = has_rest;
    launch.owner = &owner;
    return launch;
  }
  void launch(const std::string& code, Values& p, Values& g, const Kernel& kernel = add) {
    bursts.clock_was_read();
    bursts.begins(seen(code, p, g, kernel));
    kernel(p.data(), g.data(), count);
    bursts.ends(true);
  }
  const BurstEvent& only() {
    bursts.finish();
    EXPECT_EQ(told.bursts.size(), 1U);
    static const BurstEvent none;
    return told.bursts.empty() ? none : told.bursts.front();
  }

  // What the observers' own looks cost in a test is no matter: counts them instead.
  struct CountingMemory final : Memory {
    Result<std::unique_ptr<Copy>> copy(const Regions& regions) override {
      return memory.copy(regions);
    }
    Result<std::vector<std::uint64_t>> digests(const Regions& regions) override {
      ++looks;
      return memory.digests(regions);
    }
    Result<Difference> difference(const Region& one, const Region& other,
                                  const Region& before) override {
      return memory.difference(one, other, before);
    }
    Result<void> write(const Region& to, const Region& from) override {
      return memory.write(to, from);
    }
    std::unique_ptr<Copy> put_aside(std::unique_ptr<Copy> copy) override {
      return has_room_aside ? std::move(copy) : nullptr;
    }
    CpuMemory memory;
    int looks = 0;
    bool has_room_aside = true;
  };

  CountingMemory memory;
  std::uint64_t path = 1;
  std::vector<bool> has_rest;
  int asked_for_caller = 0;
  Told told;
  Bursts bursts;
  int owner = 0;
  Values p = Values(count, 100), g = Values(count, 1);
};

}  // namespace tunecheck::watch
