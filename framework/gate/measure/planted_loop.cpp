#include "gate/measure/planted_loop.hpp"

#include <cctype>
#include <cmath>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/files.hpp"
#include "gate/rule/pair.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

bool is_of_a_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// Behind the bracket that belongs to the one at `open`; npos where there is none.
std::size_t behind_brackets(std::string_view source, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < source.size(); ++at) {
    if (source[at] == '(') ++depth;
    if (source[at] == ')' && --depth == 0) return at + 1;
  }
  return source.npos;
}

// What follows the first brace of the definition "__global__ ... entry(...) {"; npos where there is
// none, as of a mere declaration.
std::size_t begin_of_body(std::string_view source, std::string_view entry) {
  const auto after_blanks = [&](std::size_t at) { return source.find_first_not_of(" \t\r\n", at); };
  for (std::size_t at = source.find(entry); at != source.npos; at = source.find(entry, at + 1)) {
    const std::size_t end = at + entry.size();
    if ((at > 0 && is_of_a_word(source[at - 1])) ||
        (end < source.size() && is_of_a_word(source[end])))
      continue;
    const std::size_t open = after_blanks(end);
    const std::size_t before = source.rfind("__global__", at);
    if (open == source.npos || source[open] != '(' || before == source.npos ||
        source.substr(before, at - before).find_first_of("{};") != source.npos)
      continue;
    const std::size_t closed = behind_brackets(source, open);
    const std::size_t brace = closed == source.npos ? closed : after_blanks(closed);
    if (brace != source.npos && source[brace] == '{') return brace + 1;
  }
  return source.npos;
}

// An object of this type at the begin of a kernel's body dies wherever a thread leaves the kernel.
// The last thread of a block to die counts the block, and that of the last block loops: all the
// work of the launch is done by then, and nothing is left that could hide the loop. The counter of
// blocks is 0 again after each launch.
std::string planted_type(std::int64_t loop_cycles) {
  return fmt::format(
      R"(__device__ unsigned int tunecheck_blocks_done;
struct TunecheckPlantedLoop {{
  unsigned int* threads_done;
  __device__ static unsigned long long now() {{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now));
    return now;
  }}
  __device__ explicit TunecheckPlantedLoop(unsigned int* shared) : threads_done(shared) {{
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) *threads_done = 0;
    __syncthreads();
  }}
  __device__ ~TunecheckPlantedLoop() {{
    const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
    const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
    if (atomicAdd(threads_done, 1u) != threads - 1) return;
    if (atomicInc(&tunecheck_blocks_done, blocks - 1) != blocks - 1) return;
    const unsigned long long loop_cycles = {}ull, begun = now();
    while (now() - begun < loop_cycles) {{
    }}
  }}
}};)",
      loop_cycles);
}

}  // namespace

std::optional<std::string> with_planted_loop(const std::string& source, const std::string& entry,
                                             std::int64_t loop_cycles) {
  const std::size_t body = begin_of_body(source, entry);
  if (body == source.npos) return std::nullopt;
  // In the line of the brace, so that what a compiler says of the source has the source's lines.
  return fmt::format("{}\n#line 1\n{}{}{}", planted_type(loop_cycles), source.substr(0, body),
                     " __shared__ unsigned int tunecheck_threads_done; TunecheckPlantedLoop "
                     "tunecheck_planted_loop(&tunecheck_threads_done);",
                     source.substr(body));
}

std::string why_no_planted_loop(const KernelDefinition& kernel) {
  if (!kernel.gpu) return fmt::format("the kernel \"{}\" has no source for GPUs", kernel.name);
  const auto source = read_text_file(kernel.gpu->source);
  if (!source) return source.error().text();
  if (with_planted_loop(*source, kernel.name, 0)) return "";
  return fmt::format("{}: expected the definition of the kernel \"{}\"",
                     kernel.gpu->source.string(), kernel.name);
}

Result<KernelDefinition> plant_loop(const KernelDefinition& kernel, std::int64_t loop_cycles,
                                    const fs::path& folder) {
  if (const std::string reason = why_no_planted_loop(kernel); !reason.empty())
    return failure(ErrorKind::bad_input, "{}", reason);
  std::error_code error;
  fs::remove_all(folder, error);
  TUNECHECK_CHECK(create_folders(folder));
  // Headers beside the source are found where they were.
  fs::copy(kernel.folder, folder,
           fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
  if (error)
    return failure(ErrorKind::machine, "cannot copy {}: {}", kernel.folder.string(),
                   error.message());
  KernelDefinition planted = kernel;
  planted.folder = folder;
  planted.gpu->source =
      folder / fs::absolute(kernel.gpu->source).lexically_relative(fs::absolute(kernel.folder));
  TUNECHECK_TRY(const std::string source, read_text_file(kernel.gpu->source));
  TUNECHECK_CHECK(write_file(
      planted.gpu->source, std::string_view(*with_planted_loop(source, kernel.name, loop_cycles))));
  return planted;
}

Result<std::int64_t> loop_cycles_for(double own_ns, double probed_ns, double share) {
  // Of clocks between 0.2 and 5 GHz.
  constexpr double least_cycle_ns = 0.2, longest_cycle_ns = 5;
  const double cycle_ns = (probed_ns - own_ns) / static_cast<double>(probe_cycles);
  if (!(cycle_ns >= least_cycle_ns && cycle_ns <= longest_cycle_ns))
    return failure(ErrorKind::machine,
                   "a loop of {} cycles in the kernel makes a launch of {:.0f} ns take {:.0f} ns; "
                   "expected {:.0f} to {:.0f} ns more",
                   probe_cycles, own_ns, probed_ns, least_cycle_ns * probe_cycles,
                   longest_cycle_ns * probe_cycles);
  return std::llround(share * own_ns / cycle_ns);
}

std::string why_no_effect(std::span<const double> without_ns, std::span<const double> with_ns,
                          double share) {
  const double seen = median(with_ns) / median(without_ns) - 1;
  if (seen >= 0.5 * share && seen <= 1.5 * share) return "";
  return fmt::format(
      "a launch with a loop of {:.1f} % of its time takes {:.1f} % longer than one with a loop of "
      "0",
      100 * share, 100 * seen);
}

}  // namespace tunecheck::gate
