#include "tuner/table_tier.hpp"

#include "table/table_entry.hpp"

namespace tunecheck::detail {
namespace {

std::map<std::string, DType> dtypes_of(const TuneRequest& request, const CallArguments& call) {
  std::map<std::string, DType> dtypes;
  for (std::size_t i = 0; i < request.kernel.tensors.size(); ++i)
    dtypes[request.kernel.tensors[i].name] = call.launch.tensors[i].dtype;
  return dtypes;
}

}  // namespace

table::Choice ask_table(const TunerState& tuner, const TuneRequest& request,
                        const BoundFacts& facts, const CallArguments& call) {
  const Result<table::OfflineTable>& known = *tuner.table;
  if (!known) return {table::Use::refused, {}, {}, known.error().text()};
  return tuner.parts.look_up(
      *known,
      {request.kernel.name, table::device_of(tuner.backend, facts.arch), dtypes_of(request, call),
       request.sizes, table::code_digest(facts.sources), facts.configs});
}

std::string describe(const table::Choice& choice) {
  if (choice.use == table::Use::exact) return "for these sizes";
  return fmt::format("for {}, the nearest sizes that it has", to_string(choice.sizes));
}

table::Entry table_entry(const TunerState& tuner, const TuneRequest& request,
                         const BoundFacts& facts, const CallArguments& call, const Config& winner,
                         std::span<const Trial> trials) {
  table::Entry entry;
  entry.kernel = request.kernel.name;
  entry.device = table::device_of(tuner.backend, facts.arch);
  entry.dtypes = dtypes_of(request, call);
  entry.sizes = request.sizes;
  entry.config = winner;
  entry.code = table::code_digest(facts.sources);
  entry.space = table::space_digest(facts.configs);
  for (const Trial& trial : trials)
    if (trial.config == winner && trial.measured()) entry.median_ns = trial.median_ns;
  return entry;
}

}  // namespace tunecheck::detail
