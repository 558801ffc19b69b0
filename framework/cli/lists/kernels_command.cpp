// tunecheck kernels: what kernels there are, and does their comparison reject wrong results?
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/lists/listed.hpp"
#include "cli/tables/emit_table.hpp"
#include "cli/usage.hpp"
#include "core/device_kinds.hpp"
#include "core/info.hpp"
#include "core/resources.hpp"
#include "harness/kernel/proof_case.hpp"
#include "harness/process/adapter_info.hpp"
#include "harness/process/kept_compilers.hpp"
#include "proof/prove.hpp"
#include "proof/tune_kernel.hpp"
#include "reports/stored/list_json.hpp"
#include "reports/terminal/tuning_table.hpp"
#include "table/offline_table.hpp"

namespace tunecheck::cli {
namespace {

struct KernelArguments {
  std::vector<std::string> names, folders;
  std::string size, arch, adapter = "reference", dtype, under, table;
  std::vector<DeviceKind> backends;      // to prove on
  DeviceKind backend = DeviceKind::cpu;  // to tune for
  bool markdown = false, as_json = false, only_winner = false;
  int jobs = 0;
};

Result<std::map<std::string, KernelDefinition>> read(const KernelArguments& arguments) {
  std::vector<std::filesystem::path> folders = to_paths(arguments.folders);
  folders.insert(folders.begin(), find_resources().kernels);
  return read_kernels(folders);
}

Result<std::vector<const KernelDefinition*>> select(
    const std::map<std::string, KernelDefinition>& kernels, const std::vector<std::string>& names) {
  std::vector<const KernelDefinition*> selected;
  std::vector<std::string> known;
  for (const auto& [name, kernel] : kernels) {
    known.push_back(name);
    if (names.empty()) selected.push_back(&kernel);
  }
  for (const std::string& name : names) {
    const auto found = kernels.find(name);
    if (found == kernels.end())
      return failure(
          Error{ErrorKind::bad_input, unknown_word_message("kernel", name, known), {}, 0, {}});
    selected.push_back(&found->second);
  }
  return selected;
}

int list(const KernelArguments& arguments) {
  const auto kernels = read(arguments);
  if (!kernels) return report(kernels.error());
  if (arguments.as_json) {
    print(list_json(listed_kernels(*kernels)));
    return held;
  }
  for (const auto& [name, kernel] : *kernels)
    print(fmt::format("{:24}  {}\n", name, kernel.summary));
  return held;
}

Result<void> check_size(const KernelDefinition& kernel, const std::string& size) {
  std::vector<std::string> known;
  for (const auto& [name, sizes] : kernel.sizes)
    known.push_back(name);
  if (kernel.sizes.contains(size)) return {};
  return failure(
      Error{ErrorKind::bad_input, unknown_word_message("size", size, known), {}, 0, "--size"});
}

// The variant whose dtypes have this name; the first where none is asked for.
Result<std::size_t> find_variant(const KernelDefinition& kernel, const std::string& dtype) {
  std::vector<std::string> known;
  for (std::size_t v = 0; v < kernel.variants(); ++v) {
    known.push_back(variant_name(kernel, v));
    if (dtype.empty() || known.back() == dtype) return v;
  }
  return failure(
      Error{ErrorKind::bad_input, unknown_word_message("dtype", dtype, known), {}, 0, "--dtype"});
}

Result<Status> tune_one(const KernelDefinition& kernel, const AdapterInfo& adapter,
                        const KernelArguments& arguments) {
  TuneOptions options;
  options.adapter = &adapter;
  options.backend = arguments.backend;
  if (!arguments.size.empty()) options.size = arguments.size;
  TUNECHECK_CHECK(check_size(kernel, options.size));
  TUNECHECK_TRY(options.variant, find_variant(kernel, arguments.dtype));
  options.arch = arguments.arch.empty() ? "native" : arguments.arch;
  options.jobs = arguments.jobs;
  options.only_winner = arguments.only_winner;
  TUNECHECK_TRY(const KernelTuning tuned, tune_kernel(kernel, options));
  print(arguments.markdown ? tuning_markdown_row(tuned)
                           : tuning_summary(tuned, terminal_options()) + "\n");
  if (!tuned.trouble.empty()) return failed;
  if (!arguments.table.empty())
    TUNECHECK_CHECK(emit_winner(kernel, options, tuned, arguments.table));
  return held;
}

int tune(const KernelArguments& arguments) {
  const auto adapter = find_adapter(arguments.adapter);
  if (!adapter) return report(adapter.error());
  const auto kernels = read(arguments);
  if (!kernels) return report(kernels.error());
  const auto selected = select(*kernels, arguments.names);
  if (!selected) return report(selected.error());
  // Before a tuning whose winner could not be added to it.
  if (!arguments.table.empty())
    if (const auto usable = table::check_can_merge(arguments.table); !usable)
      return report(usable.error());
  if (arguments.markdown) print(tuning_markdown_head());
  Status status = held;
  for (const KernelDefinition* const kernel : *selected) {
    const auto tuned = tune_one(*kernel, *adapter, arguments);
    if (!tuned) return report(tuned.error());
    (void)flushed(held);
    status = gravest({status, *tuned});
  }
  return status;
}

int prove(const KernelArguments& arguments) {
  const auto kernels = read(arguments);
  if (!kernels) return report(kernels.error());
  const auto selected = select(*kernels, arguments.names);
  if (!selected) return report(selected.error());
  for (const KernelDefinition* const kernel : *selected)
    if (const auto known = check_size(*kernel, arguments.size); !arguments.size.empty() && !known)
      return report(known.error());
  Status status = held;
  const auto show = [&](const ProofResult& proof) {
    print(proof_summary(proof, terminal_options()) + "\n");
    (void)flushed(held);
    status = gravest(
        {status, proof.nothing_ran.empty() ? held : untrusted, proof.proved() ? held : failed});
  };
  ProveOptions options;
  options.size = arguments.size;
  options.arch = arguments.arch;
  options.jobs = arguments.jobs;
  options.backends = arguments.backends;
  std::istringstream under(arguments.under);
  options.under.assign(std::istream_iterator<std::string>(under), {});
  if (!options.under.empty() && find_program(options.under.front()).empty())
    return report({ErrorKind::bad_input,
                   fmt::format("--under: there is no program \"{}\"", options.under.front()),
                   {},
                   0,
                   {}});
  std::optional<KeptCompilers> kept;
  // Empty is as good as not set, as it is for scenarios.
  if (const char* const store = std::getenv("TUNECHECK_COMPILE_STORE");
      store != nullptr && *store != '\0') {
    auto used = KeptCompilers::use(store);
    if (!used) return report(used.error());
    kept.emplace(std::move(*used));
  }
  // Of all kernels at once people want to hear soon.
  options.every_gpu_config = !arguments.names.empty();
  const auto all = prove_kernels(*selected, options, show);
  if (!all) return report(all.error());
  return status;
}

}  // namespace

void add_kernels_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<KernelArguments>();
  CLI::App& command = *app.add_subcommand("kernels", "List kernels, prove them, or tune them");
  command.require_subcommand(1);
  CLI::App& list_command = *command.add_subcommand("list", "Names and summaries");
  add_kernel_folders(list_command, arguments->folders);
  add_json(list_command, arguments->as_json);
  list_command.callback([=, &action] { action = [=] { return list(*arguments); }; });

  CLI::App& prove_command = *command.add_subcommand(
      "prove", "Show that a kernel's comparison accepts right results and rejects wrong ones");
  prove_command.add_option("NAME", arguments->names, "Kernels; all if not given")->type_name("");
  prove_command
      .add_option("--size", arguments->size,
                  "A size that the kernel file declares; if not given, all\n"
                  "except full")
      ->check(not_empty("a size"))
      ->type_name("SIZE");
  add_jobs(prove_command, arguments->jobs);
  prove_command.get_option("--jobs")->description(
      "Compilers and runs at once; one per core if not given");
  prove_command.add_option("--arch", arguments->arch, "The arch to compile for, e.g. x86-64-v3")
      ->check(not_empty("an arch"))
      ->type_name("ARCH");
  add_backends(prove_command, arguments->backends,
               "Run only on these, separated by commas: cpu, cuda, hip; if not\n"
               "given, on all that this machine has");
  prove_command
      .add_option("--under", arguments->under,
                  "Run every config under a tool, e.g.\n"
                  "\"compute-sanitizer --tool memcheck --error-exitcode 86\"")
      ->check(not_empty("a command"))
      ->type_name("COMMAND");
  add_kernel_folders(prove_command, arguments->folders);
  set_examples(prove_command,
               "  tunecheck kernels prove\n"
               "  tunecheck kernels prove axpy_inplace --size full --arch native\n"
               "  tunecheck kernels prove mine --kernels my_kernels\n");
  prove_command.callback([=, &action] { action = [=] { return prove(*arguments); }; });

  CLI::App& tune_command = *command.add_subcommand(
      "tune", "Tune kernels; show every config, the default, a naive loop and a copy");
  tune_command.add_option("NAME", arguments->names, "Kernels; all if not given")->type_name("");
  tune_command
      .add_option("--size", arguments->size,
                  "A size that the kernel file declares, such as full; smoke if not given")
      ->check(not_empty("a size"))
      ->type_name("SIZE");
  tune_command.add_option("--dtype", arguments->dtype, "Dtypes as `kernels prove` names them")
      ->check(not_empty("a dtype"))
      ->type_name("DTYPE");
  tune_command
      .add_option("--arch", arguments->arch, "The arch to compile for; native if not given")
      ->check(not_empty("an arch"))
      ->type_name("ARCH");
  add_backend(tune_command, arguments->backend, "cpu, cuda or hip; cpu if not given");
  tune_command.add_option("--adapter", arguments->adapter, "The tuner; reference if not given")
      ->type_name("NAME");
  tune_command.add_flag("--markdown", arguments->markdown, "A table with a row for each kernel");
  tune_command.add_flag("--only-winner", arguments->only_winner,
                        "Measure the winner, the default and a copy, and no other\n"
                        "config: that takes most of the time at size full");
  tune_command
      .add_option("--emit", arguments->table,
                  "Add the winners to this offline table: docs/tables.md")
      ->check(not_empty("a file"))
      ->type_name("FILE");
  add_jobs(tune_command, arguments->jobs);
  tune_command.get_option("--jobs")->description("Compilers at once; one per core if not given");
  add_kernel_folders(tune_command, arguments->folders);
  set_examples(tune_command,
               "  tunecheck kernels tune axpy_inplace --size full\n"
               "  tunecheck kernels tune rmsnorm --dtype bf16 --arch x86-64-v3\n"
               "  tunecheck kernels tune --size full --markdown\n"
               "  tunecheck kernels tune --size full --emit tuned.json\n");
  tune_command.callback([=, &action] { action = [=] { return tune(*arguments); }; });
}

}  // namespace tunecheck::cli
