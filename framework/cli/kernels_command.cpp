// tunecheck kernels: what kernels there are, and does their comparison reject wrong results?
#include <memory>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/usage.hpp"
#include "core/info.hpp"
#include "core/resources.hpp"
#include "judge/prove.hpp"

namespace tunecheck::cli {
namespace {

struct KernelArguments {
  std::vector<std::string> names, folders;
  std::string size = "smoke", arch;
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
      return failure(Error{unknown_word_message("kernel", name, known), {}, 0, {}});
    selected.push_back(&found->second);
  }
  return selected;
}

int list(const KernelArguments& arguments) {
  const auto kernels = read(arguments);
  if (!kernels) return report(kernels.error(), bad_input);
  for (const auto& [name, kernel] : *kernels)
    print(fmt::format("{:24}  {}\n", name, kernel.summary));
  return held;
}

int prove(const KernelArguments& arguments) {
  const auto kernels = read(arguments);
  if (!kernels) return report(kernels.error(), bad_input);
  const auto selected = select(*kernels, arguments.names);
  if (!selected) return report(selected.error(), bad_input);
  int status = held;
  for (const KernelDefinition* const kernel : *selected) {
    const auto proof = prove_kernel(*kernel, {.size = arguments.size, .arch = arguments.arch});
    if (!proof) return report(proof.error(), arguments.arch.empty() ? untrusted : bad_input);
    print(proof_summary(*proof, terminal_options()) + "\n");
    (void)flushed(held);
    if (!proof->proved()) status = failed;
  }
  return status;
}

}  // namespace

void add_kernels_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<KernelArguments>();
  CLI::App& command = *app.add_subcommand("kernels", "List kernels, or prove them");
  command.require_subcommand(1);
  CLI::App& list_command = *command.add_subcommand("list", "Names and summaries");
  add_kernel_folders(list_command, arguments->folders);
  list_command.callback([=, &action] { action = [=] { return list(*arguments); }; });

  CLI::App& prove_command = *command.add_subcommand(
      "prove", "Show that a kernel's comparison accepts right results and rejects wrong ones");
  prove_command.add_option("NAME", arguments->names, "Kernels; all if not given")->type_name("");
  prove_command.add_option("--size", arguments->size, "smoke or full; smoke if not given")
      ->check([](const std::string& size) {
        return size == "smoke" || size == "full"
                   ? std::string()
                   : fmt::format("expected smoke or full, found \"{}\"", size);
      })
      ->type_name("SIZE");
  prove_command.add_option("--arch", arguments->arch, "The arch to compile for, e.g. x86-64-v3")
      ->type_name("ARCH");
  add_kernel_folders(prove_command, arguments->folders);
  set_examples(prove_command,
               "  tunecheck kernels prove\n"
               "  tunecheck kernels prove axpy_inplace --size full --arch native\n"
               "  tunecheck kernels prove mine --kernels my_kernels\n");
  prove_command.callback([=, &action] { action = [=] { return prove(*arguments); }; });
}

}  // namespace tunecheck::cli
