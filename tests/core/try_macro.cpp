// Compiled by tests only, once for each way to use TUNECHECK_TRY: see CMakeLists.txt.
#include "core/result.hpp"

namespace {

tunecheck::Result<int> number();

[[maybe_unused]] tunecheck::Result<int> sum(bool wanted) {
  int all = 0;
#if defined(WITH_BRACES)
  TUNECHECK_TRY(const int first, number());
  if (wanted) {
    TUNECHECK_TRY(all, number());
  } else {
    TUNECHECK_TRY(const int other, number());
    all = other;
  }
  for (int i = 0; i < 2; ++i) {
    TUNECHECK_TRY(const int more, number());
    all += more;
  }
  all += first;
#elif defined(UNDER_IF)
  if (wanted) TUNECHECK_TRY(all, number());
#elif defined(UNDER_ELSE)
  if (wanted)
    all = 1;
  else
    TUNECHECK_TRY(all, number());
#elif defined(UNDER_LOOP)
  while (wanted)
    TUNECHECK_TRY(all, number());
#endif
  return all;
}

}  // namespace
