#pragma once
// The table of checks. All that is said of a check is said in its row: what it asks, when it is
// asked, what must be there for it, and how scenarios may write it. Whoever needs to know asks the
// table; no other code names a check.
#include <span>
#include <string>
#include <string_view>

#include "core/device_kinds.hpp"
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

/// What a check judges without being asked; of adapters without its capability, nothing.
enum class Always {
  no,
  every_call,     ///< every call that is expected to succeed
  single_call,    ///< those of them that are no burst
  tuned_call,     ///< those of them in which the tuner tried configs
  watched_call,   ///< those of them whose arguments the probe digests
  seen_call,      ///< those of them in processes of which every program is seen
  failed_call,    ///< every call that is expected to fail
  every_process,  ///< every process; judged by the run itself, and never asked in `expect`
};

enum class Devices { all, gpus, others };
[[nodiscard]] constexpr bool includes(Devices devices, DeviceKind kind) {
  return devices == Devices::all || (devices == Devices::gpus) == is_gpu(kind);
}

/// What must be gathered for a check, because it costs too much to be gathered for every call.
enum class ExtraEvidence {
  none,
  /// The judge compiles, runs and times every config itself. On a GPU no observer sees how long a
  /// launch takes, or whether it comes to its end.
  own_measurement,
  listed_cache,   ///< the probe lists the cache folder at each launch
  listed_files,   ///< the fault library writes down what the process does in the cache folder
  process_state,  ///< what the process has besides its memory, before the call and after
  device_memory,  ///< what all processes use of it, before the call and after
  tensors_later,  ///< the call's tensors, once more when its process has ended
};
struct EvidenceNeed {
  ExtraEvidence evidence = ExtraEvidence::none;
  Devices on = Devices::all;  ///< where it is needed
};

/// How scenarios may write a check without its name: `cache hit`, or `winner PROCESS`.
struct ShortForm {
  std::string_view word = {};   ///< "" where there is none
  std::string_view value = {};  ///< "" where the check's own parameter follows the word
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
  /// What it asks, for readers who know nothing of tunecheck; yes is the good answer.
  std::string_view question;
  std::string_view summary;  ///< what it asks
  /// Checks whose failure explains that this one fails as well, separated by blanks: a report names
  /// them first. There is no circle.
  std::string_view explained_by = {};
  Always always = Always::no;
  CheckParameter parameter = CheckParameter::none;
  ShortForm short_form = {};
  Severity severity = Severity::exact;
  Devices on = Devices::all;         ///< where it is asked, and scenarios may name it
  EvidenceNeed needs = {};           ///< of the judge
  std::string_view capability = {};  ///< of the adapter; "" where it needs none
  /// Of the adapter: what a tuner that does not declare it has not promised, so that the check
  /// tells what it saw and judges nothing. "" where there is none.
  std::string_view policy = {};
  /// A call that passes it has tried no config.
  bool excludes_tuning = false;
  /// A tuner that gives no answer has failed it: it asks whether the tuner goes on.
  bool fails_on_silence = false;
  Answer (*judge)(const CheckContext&) = nullptr;  ///< reads evidence only
};

/// The one that no function answers, because it is about answers: the run judges it.
inline constexpr std::string_view adapter_answers = "adapter.answers";

/// Every check, in the order of families.
[[nodiscard]] std::span<const Check> all_checks();
/// Null where there is none.
[[nodiscard]] const Check* find_check(std::string_view name);

/// Where both fail, `check` does because of `cause`; also by way of other checks that need not
/// fail.
[[nodiscard]] bool is_explained_by(std::string_view check, std::string_view cause);

}  // namespace tunecheck
