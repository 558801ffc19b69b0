// Processes that ask for the same get the same: bugs by which each has its own winner, or its own
// bits, or waits for another that does not come.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"

namespace tunecheck::mutants {
namespace {

namespace fs = std::filesystem;

std::optional<std::size_t> number_in(const char* variable) {
  const char* const value = std::getenv(variable);
  const auto number = value != nullptr ? parse_integer(value) : std::nullopt;
  return number && *number >= 0 ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

// Each rank has winners of its own, and the noise of its own measurement chose them.
void plant_winner_per_rank(ReferenceAdapterSetup& setup) {
  setup.parts.key_axes.push_back(
      {"rank", "which of the ranks asks", AxisMoment::bind, false, [](const KeyContext&) {
         const char* const rank = std::getenv("RANK");
         return std::optional<std::string>(rank != nullptr ? rank : "");
       }});
  setup.parts.choose_winner = [inner = setup.parts.choose_winner](
                                  std::span<const Trial> trials) -> std::optional<std::size_t> {
    const auto rank = number_in("RANK");
    if (!rank) return inner(trials);
    std::vector<std::size_t> measured;
    for (std::size_t i = 0; i < trials.size(); ++i)
      if (trials[i].measured()) measured.push_back(i);
    if (measured.empty()) return std::nullopt;
    return measured[*rank % measured.size()];
  };
}

// What is stored is the winner, compiled once more with an option that lets sums be reordered.
class StoresFasterCompile : public StoreDecorator {
 public:
  StoresFasterCompile(std::unique_ptr<WinnerStore> inner, CompileCount compiles)
      : StoreDecorator(std::move(inner)), m_compiles(std::move(compiles)) {}

  Found find(const Key& key, const KeyContext& context) override {
    asked().emplace(context);
    return inner().find(key, context);
  }
  Result<void> put(const Entry& entry, const Artifact& artifact) override {
    TuneRequest request = asked()->request;
    request.compile_options.emplace_back("-ffast-math");
    const KeyContext faster{asked()->backend, request, asked()->options, asked()->facts,
                            asked()->call};
    const auto compiled = compile_config(faster, entry.winner);
    if (!compiled) return inner().put(entry, artifact);
    ++*m_compiles;
    Entry changed = entry;
    changed.artifact_digest = artifact_digest(compiled->bytes);
    changed.artifact_bytes = compiled->bytes.size();
    return inner().put(changed, *compiled);
  }

 private:
  // What the thread's call looked for. It looks before it stores, so this is what it tunes.
  static std::optional<KeyContext>& asked() {
    thread_local std::optional<KeyContext> context;
    return context;
  }

  CompileCount m_compiles;
};

void plant_stores_a_faster_compile(ReferenceAdapterSetup& setup) {
  const auto compiles = count_compiles(setup);
  decorate_store<StoresFasterCompile>(setup, compiles);
}

// No rank tunes before all of them have come to tune. One that has a winner never comes.
class TunesTogether : public StoreDecorator {
 public:
  TunesTogether(std::unique_ptr<WinnerStore> inner, const fs::path& cache_folder)
      : StoreDecorator(std::move(inner)), m_meeting(cache_folder.parent_path() / "meeting") {}

  std::unique_ptr<StoreLock> lock(const Key& key) override {
    if (const auto ranks = number_in("WORLD_SIZE")) meet(m_meeting / key.folder_digest(), *ranks);
    return inner().lock(key);
  }

 private:
  static void meet(const fs::path& folder, std::size_t ranks) {
    const char* const rank = std::getenv("RANK");
    if (rank == nullptr || !create_folders(folder) || !write_file(folder / rank, "here")) return;
    while (come_to(folder) < ranks)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  static std::size_t come_to(const fs::path& folder) {
    std::error_code error;
    std::size_t come = 0;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      ++come;
    return come;
  }

  fs::path m_meeting;  // beside the cache folders of all ranks
};

void plant_tuning_is_collective(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [inner = std::move(setup.parts.make_store)](
                               const TunerOptions& options) -> std::unique_ptr<WinnerStore> {
    return std::make_unique<TunesTogether>(inner(options), options.cache_folder);
  };
}

}  // namespace

std::vector<Mutant> agreement_mutants() {
  return {
      {"winner_per_rank",
       "lets each rank tune for itself and keep its own winner, so that ranks of one start launch "
       "different configs (sglang#23317)",
       plant_winner_per_rank},
      {"stores_a_faster_compile",
       "stores the winner as compiled once more with -ffast-math, so that a warm process gets "
       "other bits from the same config",
       plant_stores_a_faster_compile},
      {"tuning_is_collective",
       "waits for all ranks before it tunes, so that a cold rank hangs if another one is warm "
       "(vllm#54618)",
       plant_tuning_is_collective},
  };
}

}  // namespace tunecheck::mutants
