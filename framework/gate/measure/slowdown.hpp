#pragma once
// A process that is really slower in CPU time: a library in it works for a share more than the
// program does. How the slowdown of a canary is planted where CPU time may decide: a process that
// is stopped (throttle.hpp) takes longer on the clock alone.
#include <filesystem>

#include "core/command.hpp"
#include "core/result.hpp"

namespace tunecheck::gate {

class Slowdown {
 public:
  /// 0.1 makes what takes 1 s take 1.1 s. `file` takes how much was added; what is there is
  /// replaced. The error is a part of tunecheck that is missing.
  [[nodiscard]] static Result<Slowdown> create(double share, std::filesystem::path file);

  /// What the process must find in its environment.
  void add_to(Environment& environment) const;
  /// Once the process has ended with `end`: whether at least half of the share was added. It was
  /// not if the program is linked statically, blocks signals, or works in other threads or
  /// processes.
  [[nodiscard]] bool was_applied(const ProcessEnd& end) const;

 private:
  Slowdown(double share, std::filesystem::path file, std::filesystem::path library)
      : m_share(share), m_file(std::move(file)), m_library(std::move(library)) {}

  double m_share;
  std::filesystem::path m_file, m_library;
};

}  // namespace tunecheck::gate
