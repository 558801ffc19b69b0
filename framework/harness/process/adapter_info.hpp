#pragma once
// What an adapter.info file says about an adapter. docs/adapter-protocol.md has the format.
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device_kinds.hpp"
#include "core/result.hpp"
#include "harness/process/remote_words.hpp"

namespace tunecheck {

/// Observers that a tuner names if those that every process has do not see its launches: calls of
/// FFTW; what is compiled and launched by Vulkan.
inline constexpr std::string_view fftw_observer = "fftw";
inline constexpr std::string_view vulkan_observer = "vulkan";
inline constexpr std::array<std::string_view, 2> further_observers = {fftw_observer,
                                                                      vulkan_observer};

/// When a tuner zeroes the arguments named in reset_to_zero.
enum class ResetPolicy {
  every_call,   ///< in trials, on the real call after tuning, and on hits (FlyDSL)
  tuned_call,   ///< in trials and on the real call after tuning (Triton since triton#7181)
  trials_only,  ///< in trials alone
};

/// Capabilities of a tuner that names such variables; see PromisedVariable.
inline constexpr std::string_view keyed_variables_capability = "keyed_variables";
inline constexpr std::string_view free_variables_capability = "free_variables";

/// An environment variable of which a tuner says whether it belongs to the key, and two values to
/// try: nothing where it is not set, which is not the same as empty.
struct PromisedVariable {
  std::string name;
  std::optional<std::string> from, to;
  std::vector<DeviceKind> backends = {};  ///< on which it is promised; all if empty

  [[nodiscard]] bool holds_on(DeviceKind backend) const;
};

/// What a tuner promises of two processes that ask for the same on one cache folder.
enum class ResultPolicy {
  bitwise,    ///< the same bits, so that processes of one start launch the same config
  tolerance,  ///< results that are right within the kernel's tolerance, from any winner
};

/// The limit of an adapter that states none. Time limits of single calls are chosen for it.
inline constexpr std::chrono::seconds usual_time_limit{60};

/// How much a process is told to search, from the least to the most.
inline constexpr std::array<std::string_view, 4> effort_names = {"minimal", "balanced", "extensive",
                                                                 "full"};
/// "minimal, balanced, extensive or full"
[[nodiscard]] std::string one_of_effort_words();
[[nodiscard]] bool is_effort_word(std::string_view word);

/// What becomes of a stored winner when a call allows its search another budget.
enum class SearchEffort {
  in_key,   ///< another budget is another key
  ignored,  ///< a winner is a winner, however little was tried
  upgrade,  ///< a larger budget tunes again, a smaller one does not
};

/// Another version of the same tuner, behind an adapter of its own.
struct OtherVersion {
  std::vector<std::string> command;                ///< as AdapterInfo::command
  std::map<std::string, std::string> environment;  ///< besides what both need
};

/// How a tuner is told of a remote cache.
struct RemoteVariables {
  /// By the kind of server: variables with their values, in which HOST and PORT stand for its
  /// place.
  std::map<RemoteServerKind, std::map<std::string, std::string>> servers;
  std::string key_variable;   ///< names a file with a secret; "" where it signs nothing
  std::string salt_variable;  ///< "" where it knows none
  /// The tuner opens one of these for a remote cache; none: it needs no library.
  std::vector<std::string> one_of_libraries;
};

/// How a tuner is told of an offline table: variables with their values, in which PLACE stands for
/// a folder that is there, and empty at first.
struct TableVariables {
  std::map<std::string, std::string> write, read;
};

/// Likewise, of a bundle of a program's entries.
struct BundleVariables {
  std::map<std::string, std::string> variables;
  std::string key_variable;  ///< names a file with a secret; "" where it signs nothing
};

/// A check that is not asked of a tuner.
struct UnseenCheck {
  std::string reason;
  int line = 0;  ///< of adapter.info
};

/// What one adapter.info says, and nothing that a running adapter says. Read once, by
/// read_adapter_info(), and not changed after that, except for plant_mutant(), which makes another
/// adapter of it.
struct AdapterInfo {
  std::filesystem::path file;
  std::string name;
  std::string summary;
  std::vector<std::string> command;  ///< the program first; see locate_program()
  std::string cache_variable;        ///< environment variable that names the tuner's cache folder
  std::string compiler_variable;     ///< and the one that names its compiler; "" if only PATH does
  std::string compiler = "c++";      ///< what that variable's program is called
  std::vector<std::string> compilers;  ///< names beside c++ under which it looks for one in PATH
  /// By the kind of GPU: the one that names the library that compiles at run time.
  std::map<DeviceKind, std::string> runtime_compiler_variables;
  std::vector<DeviceKind> backends;
  std::vector<std::string> observers;     ///< further ones that its processes need
  std::vector<std::string> capabilities;  ///< what it can be asked
  /// Those among them that its tuner promises nothing about: what fails there breaks no word.
  std::vector<std::string> unpromised;
  /// By the name of a check that cannot be asked of this tuner, although it has the capability: why
  /// observers do not see what the check reads.
  std::map<std::string, UnseenCheck> unseen;
  std::vector<std::string> kernels;  ///< those that it has a version of; all if empty
  /// The file in a kernel's folder that is a version for this tuner; "" if it takes none.
  std::string kernel_version;
  /// Kernels whose folder has that file, which the tuner then compiles whatever lies beside it.
  std::vector<std::string> versioned_kernels;
  /// By what the files are ("entry", "artifact"): the glob of their paths below the cache folder.
  std::map<std::string, std::string> cache_files;
  /// All of them, as listing_digest() takes them; "" where the adapter does not say.
  [[nodiscard]] std::string cache_file_globs() const;
  ResetPolicy reset_policy = ResetPolicy::every_call;
  std::optional<SearchEffort> search_effort;  ///< none: it does not say
  /// So often a call may launch its winner on copies before it launches it for the caller.
  std::int64_t warm_up_launches = 0;
  std::optional<ResultPolicy> result_policy;  ///< none: the tuner does not say
  /// A process tunes a key within its first so many calls for that key, and in none after them.
  std::int64_t tuning_calls = 1;
  std::map<std::string, std::string> environment;  ///< further variables it needs
  /// A winner for one value is not used for the other.
  std::vector<PromisedVariable> keyed_variables;
  /// A winner for one value is used for the other.
  std::vector<PromisedVariable> free_variables;
  std::optional<OtherVersion> other_version;  ///< none: there is none to be had
  /// That make its process one of a version that finds winners by other rules; none: not known.
  std::map<std::string, std::string> upgrade;
  /// Likewise, of one that finds them as before.
  std::map<std::string, std::string> release;
  std::map<std::string, std::string> caching_off;  ///< that switch its cache off; none: not known
  /// Where they are set, it searches no config, and launches a default one; none: not known.
  std::map<std::string, std::string> searching_off;
  /// Where they are set, it searches for every key once, and replaces its winner; none: not known.
  std::map<std::string, std::string> searching_anew;
  /// Where they are set, it launches a default config before it would search; none: not known.
  std::map<std::string, std::string> searching_last;
  /// By a word of effort_names: that tell its process to search so much. Words that the tuner has
  /// nothing for are missing.
  std::map<std::string, std::map<std::string, std::string>, std::less<>> efforts;
  RemoteVariables remote;
  TableVariables table;
  BundleVariables bundle;
  std::chrono::seconds time_limit = usual_time_limit;  ///< for one answer
  /// Its program can plant bugs into its tuner: see list_mutants_of().
  bool has_mutants = false;

  /// What describes the other version's adapter, which must be there: all but the command is as
  /// here.
  [[nodiscard]] AdapterInfo of_other_version() const;
  [[nodiscard]] bool is_observed_by(std::string_view observer) const;
  [[nodiscard]] bool has(std::string_view capability) const;
  /// It has the capability, and not as one of those that are `unpromised`.
  [[nodiscard]] bool promises(std::string_view capability) const;
  [[nodiscard]] bool has_kernel(std::string_view kernel) const;
  [[nodiscard]] bool has_own_version(std::string_view kernel) const;
  /// True where the launch on the caller's arguments finds those named in reset_to_zero zeroed, in
  /// a call that tuned or in one that did not.
  [[nodiscard]] bool zeroes_arguments(bool tuned) const;
};

/// For one answer, where calls have a limit of their own (of_calls) or none. An adapter that needs
/// longer than usual has as many times longer there as well: what is short for one tuner is a hang
/// of another.
[[nodiscard]] std::chrono::milliseconds time_limit_of(
    const AdapterInfo& adapter, const std::optional<std::chrono::seconds>& of_calls);

/// Adapters of this name are planted bugs: "mutant:no_restore".
inline constexpr std::string_view mutant_prefix = "mutant:";
/// And those of this one are tuners that a judge must bear: "adversary:keeps_a_sparse_index".
inline constexpr std::string_view adversary_prefix = "adversary:";

/// By which names one can speak of the files of a cache folder: the winner itself, and its binary.
inline constexpr std::array<std::string_view, 2> cache_file_roles = {"entry", "artifact"};

/// What an adapter may be capable of.
[[nodiscard]] const std::vector<std::string>& known_capabilities();

[[nodiscard]] Result<AdapterInfo> read_adapter_info(const std::filesystem::path& file);

/// All adapters in the subfolders of `folder`, by name.
[[nodiscard]] Result<std::map<std::string, AdapterInfo>> read_adapters(
    const std::filesystem::path& folder);

/// "NAME"; or the path of an adapter.info, with a '/'; or "mutant:NAME" or "adversary:NAME" for the
/// reference tuner with one planted bug or habit; or one of the first two with ":NAME" for a bug
/// that the adapter itself can plant. Unknown names are an error that lists the known ones.
[[nodiscard]] Result<AdapterInfo> find_adapter(const std::string& name);

/// The file known.info beside the adapter's adapter.info, where there is one. A mutant of the
/// reference tuner has none: what that tuner is known to fail says nothing about it. A tuner that
/// its adapter planted a bug into fails whatever it fails without the bug.
[[nodiscard]] std::optional<std::filesystem::path> known_failures_of(const AdapterInfo& adapter);

/// A planted bug, as the program that can plant it lists it.
struct MutantInfo {
  std::string name;
  std::string summary;
  /// By the name of a scenario: the check that fails in it. Only of adapters that plant bugs
  /// themselves; for the reference tuner's mutants, scenarios say whom they catch.
  std::map<std::string, std::string> caught_by = {};
};

/// What the mutants' adapter lists. An error where that program is missing.
[[nodiscard]] Result<std::vector<MutantInfo>> list_mutants();

/// The adversaries, as their adapter lists them, without the prefix; likewise.
[[nodiscard]] Result<std::vector<MutantInfo>> list_adversaries();

/// The bugs that an adapter plants into its tuner itself, as its program lists them; none where
/// it does not say that it can. An error where the program does not list them.
[[nodiscard]] Result<std::vector<MutantInfo>> list_mutants_of(const AdapterInfo& adapter);

/// The adapter with one of these bugs in its tuner, under the name "ADAPTER:NAME". An error that
/// lists the known ones where there is none of this name.
[[nodiscard]] Result<AdapterInfo> plant_mutant(AdapterInfo adapter, const std::string& name);

}  // namespace tunecheck
