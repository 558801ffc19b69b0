#include <dlfcn.h>

#include <gmock/gmock.h>

#include "backend/cpu/cpu_module.hpp"
#include "kernel_folder.hpp"

namespace tunecheck {
namespace {

using testing::HasSubstr;

// A kernel that answers with `status` plus how often it was called.
Artifact counting_kernel(int status, const std::string& options = "") {
  auto files = axpy_files();
  files["kernel.info"] = kernel_info("", options);
  files["cpu.cpp"] = "#include <tunecheck/cpu_kernel.h>\nint calls = 0;\nint count() { return " +
                     std::to_string(status) + " + ++calls; }\nTUNECHECK_KERNEL(count)\n";
  const KernelFolder folder(files);
  const KernelDefinition kernel = folder.read();
  return value_of(CpuBackend().compile(request_for(kernel)));
}

std::unique_ptr<Module> load(const Artifact& artifact) {
  return value_of(CpuBackend().load(artifact));
}

std::string error_of(const Artifact& artifact) {
  const auto module = CpuBackend().load(artifact);
  return module ? "" : module.error().text();
}

Artifact of_text(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {{bytes.begin(), bytes.end()}};
}

TEST(Artifact, bytes_that_are_no_shared_object_are_refused) {
  EXPECT_THAT(error_of({}), HasSubstr("not a shared object"));
  EXPECT_THAT(error_of(of_text("garbage")), HasSubstr("not a shared object"));
  EXPECT_THAT(error_of(of_text(std::string(100'000, 'x'))), HasSubstr("not a shared object"));
  EXPECT_NE(error_of(of_text("\177ELF" + std::string(100'000, '\0'))), "");
}

TEST(Artifact, a_cut_artifact_is_refused_wherever_it_was_cut) {
  const Artifact whole = counting_kernel(0);
  ASSERT_EQ(error_of(whole), "");
  for (std::size_t size = 0; size < whole.bytes.size(); size += size < 1000 ? 1 : 97)
    EXPECT_NE(
        error_of({{whole.bytes.begin(), whole.bytes.begin() + static_cast<std::ptrdiff_t>(size)}}),
        "")
        << size;
  Artifact one_less = whole;
  one_less.bytes.pop_back();
  EXPECT_NE(error_of(one_less), "");
}

TEST(Artifact, header_tables_that_lie_outside_are_refused) {
  const Artifact whole = counting_kernel(0);
  for (std::size_t at = 32; at < 48; ++at) {  // the places of both tables
    Artifact damaged = whole;
    damaged.bytes[at] = std::byte{0xff};
    EXPECT_NE(error_of(damaged), "") << at;
  }
}

// strip(1) may remove the section headers (e_shoff, e_shnum); then only the segments tell where the
// file must reach.
TEST(Artifact, a_cut_artifact_without_section_headers_is_refused) {
  Artifact artifact = counting_kernel(0);
  for (const std::size_t at : {40U, 41U, 42U, 43U, 44U, 45U, 46U, 47U, 60U, 61U, 62U, 63U})
    artifact.bytes[at] = std::byte{0};
  ASSERT_EQ(error_of(artifact), "");
  for (const std::size_t size : {4096U, 8192U, 12288U}) {
    Artifact cut = artifact;
    cut.bytes.resize(size);
    EXPECT_THAT(error_of(cut), HasSubstr("cut short")) << size;
  }
}

TEST(Artifact, an_object_for_another_machine_is_refused) {
  Artifact artifact = counting_kernel(0);
  artifact.bytes[18] = std::byte{8};  // e_machine: MIPS
  EXPECT_THAT(error_of(artifact), HasSubstr("cannot load the artifact"));
}

TEST(Artifact, an_artifact_without_the_entry_is_refused) {
  const KernelFolder folder(axpy_files());
  const Artifact reference =
      value_of(compile_reference(value_of(Toolchain::find()), folder.read()));
  EXPECT_THAT(error_of(reference), HasSubstr("no function \"tunecheck_entry\""));
  EXPECT_TRUE(load_reference(reference));
  EXPECT_FALSE(load_reference(counting_kernel(0)));
}

TEST(Artifact, a_symbol_that_nobody_has_is_an_error_at_loading) {
  auto files = axpy_files();
  files["cpu.cpp"] =
      "#include <tunecheck/cpu_kernel.h>\nint nobody_has_this();\n"
      "int count() { return nobody_has_this(); }\nTUNECHECK_KERNEL(count)\n";
  const KernelFolder folder(files);
  const KernelDefinition kernel = folder.read();
  EXPECT_THAT(error_of(value_of(CpuBackend().compile(request_for(kernel)))),
              HasSubstr("nobody_has_this"));
}

TEST(Artifact, modules_of_the_same_bytes_do_not_share_state) {
  const Artifact artifact = counting_kernel(0);
  const auto one = load(artifact);
  const auto two = load(artifact);
  EXPECT_EQ(one->launch({}), 1);
  EXPECT_EQ(one->launch({}), 2);
  EXPECT_EQ(two->launch({}), 1);
}

TEST(Artifact, unloading_one_module_leaves_the_others) {
  const Artifact hundred = counting_kernel(100), two_hundred = counting_kernel(200),
                 three_hundred = counting_kernel(300);
  auto one = load(hundred);
  const auto two = load(two_hundred);
  EXPECT_EQ(one->launch({}), 101);
  one.reset();
  EXPECT_EQ(two->launch({}), 201);
  const auto three = load(three_hundred);  // gets the descriptor that `one` gave back
  EXPECT_EQ(three->launch({}), 301);
  EXPECT_EQ(two->launch({}), 202);
}

TEST(Artifact, a_library_that_refuses_to_leave_is_not_mistaken_for_the_next) {
  const Artifact stays = counting_kernel(100, "-Xlinker -z -Xlinker nodelete"),
                 next = counting_kernel(200);
  load(stays).reset();
  EXPECT_EQ(load(next)->launch({}), 201);
  EXPECT_EQ(load(stays)->launch({}), 101);
}

TEST(Artifact, loading_and_unloading_leaves_no_descriptors) {
  const Artifact artifact = counting_kernel(0);
  const auto open_files = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  (void)load(artifact);
  const auto before = open_files();
  for (int i = 0; i < 20; ++i) {
    (void)load(artifact);
    (void)error_of(of_text("garbage"));
  }
  EXPECT_EQ(open_files(), before);
}

TEST(Artifact, its_symbols_stay_its_own) {
  const auto module = load(counting_kernel(0));
  EXPECT_EQ(::dlsym(RTLD_DEFAULT, "tunecheck_entry"), nullptr);
}

}  // namespace
}  // namespace tunecheck
