#pragma once
// Watches one of the programs of programs/ as a user would.
#include <filesystem>
#include <set>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "watch/watch.hpp"

namespace tunecheck::watch {

struct Watched {
  explicit Watched(const std::string& name) {
    options.command = {WATCHED_PROGRAMS, name};
    options.out = std::filesystem::temp_directory_path() /
                  ("watch-" + name + "-" + std::to_string(::getpid()));
    options.at_most = std::uint64_t{64} << 20;
  }
  ~Watched() {
    std::error_code ignored;
    std::filesystem::remove_all(options.out, ignored);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  [[nodiscard]] WatchResult run() const {
    auto result = watch_program(options, [](const std::string&) {});
    EXPECT_TRUE(result) << (result ? "" : result.error().text());
    return result ? std::move(*result) : WatchResult();
  }
  WatchOptions options;
};

// "WRONG sgd", and "unclear WRONG sgd" for what is not certain.
inline std::set<std::string> words_of(const WatchResult& result) {
  std::set<std::string> words;
  for (const WatchResult::Finding& finding : result.findings)
    words.insert((finding.is_certain ? "" : "unclear ") + std::string(name_of(finding.word)) +
                 (finding.kernel.empty() ? "" : " " + finding.kernel));
  return words;
}

// A variable of this process, as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : m_name(name) {
    if (const char* const before = std::getenv(name)) m_before = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (m_before)
      ::setenv(m_name, m_before->c_str(), 1);
    else
      ::unsetenv(m_name);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* m_name;
  std::optional<std::string> m_before;
};

}  // namespace tunecheck::watch
