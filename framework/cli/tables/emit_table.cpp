#include "cli/tables/emit_table.hpp"

#include "backend/all_backends.hpp"
#include "table/table_entry.hpp"

namespace tunecheck::cli {

Result<void> emit_winner(const KernelDefinition& kernel, const TuneOptions& options,
                         const KernelTuning& tuned, const std::filesystem::path& file) {
  const KernelTuning::Row* const winner = tuned.winner();
  if (!tuned.trouble.empty() || winner == nullptr)
    return failure(ErrorKind::untrusted, "{} has no winner to be written to {}: {}", kernel.name,
                   file.string(), tuned.trouble.empty() ? "nobody saw one" : tuned.trouble);
  const AllBackends backends;
  const Backend& backend = backends.of(options.backend);
  TUNECHECK_TRY(const KernelSources sources, backend.sources(kernel));
  const Sizes& sizes = kernel.sizes.at(options.size);
  TUNECHECK_TRY(const auto configs, kernel.space.enumerate(to_variables(sizes)));
  table::Entry entry;
  entry.kernel = kernel.name;
  entry.device = table::device_of(backend, backend.arch_for(kernel, tuned.arch));
  const std::vector<DType> dtypes = kernel.variant(options.variant);
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    entry.dtypes[kernel.tensors[i].name] = dtypes[i];
  entry.sizes = sizes;
  entry.config = winner->config;
  if (winner->times) entry.median_ns = winner->times->median_ns;
  entry.code = table::code_digest(sources);
  entry.space = table::space_digest(configs);
  return table::merge_into_table(file, {entry});
}

}  // namespace tunecheck::cli
