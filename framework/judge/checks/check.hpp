#pragma once
// The table of checks: each is defined once here and implemented in a checks_*.cpp.
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "result/verdict.hpp"

namespace tunecheck {

struct CheckContext;

enum class Severity {
  exact,        ///< one wrong answer is one too many
  statistical,  ///< judges times
};

/// What a check's parameter in `expect` may be.
enum class CheckParameter {
  none,     ///< "yes"
  process,  ///< the name of an earlier process
  axis,     ///< the name of a key axis, as the tuner calls it
  percent,  ///< a number
  seconds,  ///< a number
  bytes,    ///< a size such as 64K
  microseconds,
  amount,  ///< a whole number above 0, or a share such as 10%
};

/// Which calls a check judges without being asked.
enum class Always {
  no,
  every_call,    ///< every call that is expected to succeed
  tuned_call,    ///< those of them in which the tuner tried configs
  watched_call,  ///< those of them whose arguments the probe digests
  failed_call,   ///< every call that is expected to fail
};

/// The answer of a check, to be completed with the place by who asked.
struct Answer {
  Verdict verdict = Verdict::error;
  std::string expected;
  std::string observed;
};

struct Check {
  std::string_view name;
  std::string_view family;
  Severity severity;
  CheckParameter parameter;
  Always always;
  std::string_view summary;
  Answer (*judge)(const CheckContext&);  ///< reads evidence only
};

/// Every check, in the order of families.
[[nodiscard]] std::span<const Check> all_checks();
[[nodiscard]] const Check* find_check(std::string_view name);

}  // namespace tunecheck
