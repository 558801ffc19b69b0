#pragma once
// When a program that runs has become ready, as its user says how to tell.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tunecheck::watch {

/// At most one of these; none where the program is never said to be ready.
struct ReadyWhen {
  std::optional<std::chrono::seconds> after;  ///< its start
  std::string text;                           ///< it prints this
  /// It makes one of these files or writes it anew. Two names of one file, where the program's home
  /// is not the user's.
  std::vector<std::filesystem::path> files;

  [[nodiscard]] bool is_asked() const {
    return after.has_value() || !text.empty() || !files.empty();
  }
};

/// Notices it. What it says may be late by some milliseconds and is never early, so that nothing is
/// blamed that was done before.
///
/// To be made right before the program starts. For a text, the program gets terminals of its own as
/// output and error output (else it would hold back what it prints), and a thread hands on what it
/// says, byte by byte. end() when the program and all that came of it have ended.
class Readiness {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Readiness>> begin(const ReadyWhen& when);
  ~Readiness();
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  /// What the program is to get as its output and error output; -1 where it gets this process's
  /// own.
  [[nodiscard]] int output() const;
  [[nodiscard]] int error_output() const;

  /// CLOCK_MONOTONIC of the moment; nothing where it has not come. Hands on the rest of the output.
  [[nodiscard]] std::optional<std::int64_t> end();

 private:
  struct State;
  explicit Readiness(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace tunecheck::watch
