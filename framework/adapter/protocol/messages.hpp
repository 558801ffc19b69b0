#pragma once
// The adapter protocol: one JSON object a line, requests on the adapter's stdin, one answer each on
// its stdout. docs/adapter-protocol.md shows the lines.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/protocol/archive_messages.hpp"
#include "core/config.hpp"
#include "core/device_kinds.hpp"
#include "core/kernel.hpp"
#include "core/layout.hpp"
#include "core/result.hpp"

namespace tunecheck::protocol {

inline constexpr int version = 2;
/// What a reader is told where two versions meet.
inline constexpr std::string_view version_help =
    "docs/adapter-protocol.md says under \"What changed\" what each version is";

/// What the adapter says of itself; the answer to `hello`.
struct Hello {
  int protocol = version;
  std::string tuner;
  std::string tuner_version;
  DeviceKind backend = DeviceKind::cpu;
  std::string device;
  std::string arch;
  std::vector<std::string> capabilities;
  std::map<std::string, std::string> policies;
  int devices = 1;  ///< how many there are; a call may ask for one of them
};

/// A tensor in a raw file (little-endian): element [0, ..., 0] is at byte_offset.
struct Tensor {
  std::string name;
  std::filesystem::path file;
  std::uint64_t byte_offset = 0;
  DType dtype = DType::f32;
  Layout layout;  ///< elements
};

/// Many calls in one request.
struct Burst {
  std::int64_t calls = 0;
  std::int64_t keys = 1;  ///< values of the scalar, in turn: its own, and that plus 1, 2, ...
  std::string scalar;     ///< decides the key

  bool operator==(const Burst&) const = default;
};

/// How the tuner is to look for the winner. What is 0 is not limited.
struct Search {
  std::string strategy;     ///< one of search_strategies()
  std::int64_t trials = 0;  ///< configs that may be tried
  double time_ms = 0;       ///< by the device's clock
  std::uint64_t seed = 1;   ///< for strategies that draw

  bool operator==(const Search&) const = default;
};
/// The strategies that a call may ask for.
[[nodiscard]] const std::vector<std::string>& search_strategies();

/// How a call is made on a GPU, where that is another way than the usual one.
struct GpuCall {
  bool busy_stream = false;  ///< on a stream on which what fills the tensors is still under way
  bool capture = false;      ///< on a stream that is being captured; the graph is launched once
  int context = 1;           ///< in which of the process's contexts, from 1
  int device = 0;            ///< on which of the devices, from 0

  bool operator==(const GpuCall&) const = default;
};

/// A config of a call's space, as it is compiled and launched.
struct ListedConfig {
  Config values;
  std::vector<std::string> options;      ///< its macros
  std::optional<GpuLaunchShape> launch;  ///< on a GPU
};

/// What the kernel file says of a call, so that an adapter need not read it. The orders are those
/// of the kernel's function.
struct KernelFacts {
  std::vector<std::string> tensors, scalars;
  std::vector<std::string> restore_value;  ///< tensors
  std::vector<std::string> reset_to_zero;  ///< tensors
  std::vector<std::string> key_scalars;    ///< another value asks for another winner
  std::vector<std::string> variables;      ///< of the environment: they change what it does
  std::filesystem::path source;            ///< for the backend; empty where there is none
  std::vector<std::string> build_options;  ///< for every config, the call's own among them
  std::vector<ListedConfig> configs;       ///< what the space's `where` keeps
  Config default_config;                   ///< of these sizes; empty if it is not among them
};

/// One tuned call. The tensors come in the order in which the caller names them, which need not be
/// the kernel file's.
struct CallRequest {
  std::filesystem::path kernel_folder;
  std::string kernel;
  std::vector<Tensor> tensors;
  std::map<std::string, double> scalars;
  Sizes sizes;
  SpaceDefinition space;
  std::string arch;                          ///< "" for the backend's default
  std::vector<std::string> compile_options;  ///< beside the kernel's own
  int compile_jobs = 1;                      ///< compilers at once
  /// Tensors that a hook of the caller's zeroes right before each launch.
  std::vector<std::string> hook_zeroes;
  /// The same call so many times; the answer is about all of them together.
  std::optional<Burst> burst;
  std::optional<Search> search = std::nullopt;  ///< none: as the tuner likes
  std::optional<Config> config = std::nullopt;  ///< that the caller wants; none: the tuner chooses
  /// False: the caller does not wait for a search. It gets the default config or a stored winner
  /// that was searched with less, and the search goes on after the answer (capability `pending`).
  bool wait = true;
  GpuCall gpu = {};
  /// What the adapter sets in its own process before it makes the call, and takes away where there
  /// is no value (capability `live_environment`).
  std::map<std::string, std::optional<std::string>> environment = {};
  /// Filled in by whoever asks. The reference adapter reads the kernel file instead.
  KernelFacts facts = {};
};

enum class CacheState {
  hit,
  miss,
  stale,
  disabled,
  pending,    ///< the winner is being searched for, and the default config was launched
  unchecked,  ///< likewise, and a stored winner was launched that was searched with less
};
[[nodiscard]] std::string_view name_of(CacheState state);

/// What the tuner says about one config that it tried.
struct Trial {
  Config config;
  std::string failure;   ///< the reason, "" where the config was measured
  double median_ns = 0;  ///< of one launch; 0 where it failed; null in JSON where not finite
  int reps = 0;
};

/// The answer to a call. All of it is the tuner's word, to be compared with the evidence.
struct CallAnswer {
  bool done = false;    ///< false: the call failed, and `message` says why
  std::string message;  ///< what a user of the tuner would see: warnings, why a key missed
  std::optional<Config> winner;
  CacheState cache = CacheState::miss;
  std::vector<std::string> missed_axes;  ///< key axes in which the nearest entry differs
  std::optional<std::int64_t> compiles;  ///< runs of the compiler; none: not said
  std::vector<Trial> trials;
  /// Where the call was to be captured: the capture could be ended and made a graph.
  std::optional<bool> capture_valid = std::nullopt;
  /// Device memory that held copies of the arguments while the tuner tuned; none: not said.
  std::optional<std::int64_t> snapshot_bytes = std::nullopt;
  /// What asking the remote cache came to, one of remote_uses(); "" where none was asked.
  std::string remote = {};
  /// What asking an offline table came to, one of table_uses(); "" where none was asked.
  std::string table = {};
  /// What loading a bundle came to, one of bundle_uses(); "" where none was named.
  std::string bundle = {};
  /// Calls of this key so far that got another config while its winner was searched for; none: not
  /// said.
  std::optional<std::int64_t> given_meanwhile = std::nullopt;
  /// Why the search that calls of this key did not wait for has failed; "" where it has not.
  std::string search_failure = {};
};
/// "hit", "config" (only its config was taken), "miss", "refused" (it has something that must not
/// be used) and "failed" (it did not answer, or too late).
[[nodiscard]] const std::vector<std::string>& remote_uses();
/// "exact", "nearest", "absent" (it has nothing for the call) and "refused" (it has something that
/// must not be used, or cannot be read).
[[nodiscard]] const std::vector<std::string>& table_uses();
/// "loaded", "absent" (there is none yet) and "refused".
[[nodiscard]] const std::vector<std::string>& bundle_uses();

/// Requests as a line of JSON.
[[nodiscard]] std::string hello_request(DeviceKind backend = DeviceKind::cpu);
/// "speaks protocol version 1; this tunecheck speaks 2: ..."
[[nodiscard]] std::string version_mismatch(int theirs);
[[nodiscard]] std::string quit_request();
[[nodiscard]] std::string to_line(const CallRequest& request);
/// Calls to be made at the same moment, each by a thread of its own (capability `threads`).
[[nodiscard]] std::string to_line(const std::vector<CallRequest>& requests);
/// Answers as a line of JSON.
[[nodiscard]] std::string to_line(const Hello& hello);
[[nodiscard]] std::string to_line(const CallAnswer& answer);
/// In the order of the requests.
[[nodiscard]] std::string to_line(const std::vector<CallAnswer>& answers);
[[nodiscard]] std::string quit_answer();
[[nodiscard]] bool is_quit_answer(const std::string& line);
/// An answer that says the request itself could not be understood.
[[nodiscard]] std::string error_answer(const std::string& message);

/// The message of an error answer; nothing where the line is something else.
[[nodiscard]] std::optional<std::string> error_in(const std::string& line);

/// Parse a line; the error says what was expected and quotes the beginning of the line.
[[nodiscard]] Result<Hello> parse_hello(const std::string& line);
[[nodiscard]] Result<CallAnswer> parse_call_answer(const std::string& line);
/// `count` is the number of requests.
[[nodiscard]] Result<std::vector<CallAnswer>> parse_call_answers(const std::string& line,
                                                                 std::size_t count);

enum class RequestKind { hello, call, calls, archive, quit };
struct Request {
  RequestKind kind = RequestKind::quit;
  DeviceKind backend = DeviceKind::cpu;  ///< where kind is hello: the kind of device to run on
  std::vector<CallRequest> calls;        ///< one where kind is call, some where it is calls
  ArchiveRequest archive = {};           ///< where kind is archive
};
[[nodiscard]] Result<Request> parse_request(const std::string& line);

}  // namespace tunecheck::protocol
