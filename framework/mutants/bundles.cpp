// Bugs in the bundles of programs.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/digest.hpp"
#include "core/files.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/bundle/program_bundle.hpp"

namespace tunecheck::mutants {
namespace {

template <class Bundle>
void use_bundle(ReferenceAdapterSetup& setup) {
  setup.parts.make_bundle = [](const BundleOptions& options,
                               const std::filesystem::path& cache_folder) {
    return std::make_unique<Bundle>(options, cache_folder);
  };
}

class NeverLoads : public ProgramBundle {
 public:
  using ProgramBundle::ProgramBundle;

 protected:
  Result<std::vector<PackedEntry>> unpack(const std::string& /*text*/) const override {
    return std::vector<PackedEntry>();
  }
};

class NamedByComments : public ProgramBundle {
 public:
  using ProgramBundle::ProgramBundle;

 protected:
  std::string name_of_program(const std::vector<std::string>& sources) const override {
    std::string text = ProgramBundle::name_of_program(sources);
    for (const std::string& source : sources)
      text += source;
    return artifact_digest(std::string_view(text));
  }
};

class AnySignature : public ProgramBundle {
 public:
  using ProgramBundle::ProgramBundle;

 protected:
  Result<std::vector<PackedEntry>> unpack(const std::string& text) const override {
    return parse_bundle(text, file().string(), "");
  }
};

// Writes a file all the same, with no entry in it.
class WritesNothing : public ProgramBundle {
 public:
  using ProgramBundle::ProgramBundle;
  Result<std::size_t> end(const std::vector<Key>& used) override {
    TUNECHECK_TRY(const std::size_t written, ProgramBundle::end(used));
    if (written > 0) return written;
    TUNECHECK_CHECK(write_file_atomically(file(), to_bundle_text({}, options().key)));
    return written;
  }
};

// What it had loaded and then found there is left out: only what it has tuned itself is written.
class LeavesOutHits : public ProgramBundle {
 public:
  using ProgramBundle::ProgramBundle;
  Result<BundleBegun> begin() override {
    TUNECHECK_TRY(BundleBegun begun, ProgramBundle::begin());
    m_is_warm = begun.use == BundleUse::loaded;
    return begun;
  }
  Result<std::size_t> end(const std::vector<Key>& used) override {
    if (!m_is_warm) return ProgramBundle::end(used);
    return ProgramBundle::end({used.empty() ? used.begin() : used.end() - 1, used.end()});
  }

 private:
  bool m_is_warm = false;
};

class NeverWrites : public ProgramBundle {
 public:
  using ProgramBundle::ProgramBundle;
  Result<std::size_t> end(const std::vector<Key>& /*used*/) override { return std::size_t{0}; }
};

// Takes the lines up to the first one that is damaged.
class TakesHalf : public ProgramBundle {
 public:
  using ProgramBundle::ProgramBundle;

 protected:
  Result<std::vector<PackedEntry>> unpack(const std::string& text) const override {
    auto all = ProgramBundle::unpack(text);
    if (all) return all;
    return std::vector<PackedEntry>();
  }
};

void plant_bundle_trouble_fails(ReferenceAdapterSetup& setup) {
  setup.before_answer = [](const protocol::CallRequest&, protocol::CallAnswer& answer) {
    if (answer.bundle == "refused") answer.done = false;
  };
}

}  // namespace

std::vector<Mutant> bundle_mutants() {
  return {
      {"bundle_leaves_out_hits",
       "writes of what a program used only the last entry, if a bundle had been loaded",
       use_bundle<LeavesOutHits>},
      {"bundle_named_by_comments", "looks for another bundle if a comment of the program changes",
       use_bundle<NamedByComments>},
      {"bundle_never_loaded", "reads a program's bundle and puts nothing into the cache folder",
       use_bundle<NeverLoads>},
      {"bundle_never_written", "writes no bundle when a program ends", use_bundle<NeverWrites>},
      {"bundle_of_anybody", "loads a bundle that was signed with another key or not at all",
       use_bundle<AnySignature>},
      {"bundle_of_nothing", "writes a bundle although the program used no entry",
       use_bundle<WritesNothing>},
      {"bundle_trouble_fails_the_call", "fails a call if the bundle must not be used",
       plant_bundle_trouble_fails},
      {"bundle_trouble_is_silent", "says nothing of a bundle that is damaged",
       use_bundle<TakesHalf>},
  };
}

}  // namespace tunecheck::mutants
