#include "core/kernel.hpp"

#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view good =
    "kernel\n"                                                                      // 1
    "{\n"                                                                           // 2
    "  name     scaled_add\n"                                                       // 3
    "  summary  \"y += factor * x, in place\"\n"                                    // 4
    "  sizes    { smoke { rows 4 cols 64 }  full { rows 8 cols 256 } }\n"           // 5
    "  tensors\n"                                                                   // 6
    "  {\n"                                                                         // 7
    "    x { dtype \"f32 f16\"  shape \"rows cols\"  access read }\n"               // 8
    "    y { dtype f32  shape \"rows cols\"  access in_place  fill ones }\n"        // 9
    "    z { dtype i64  shape \"rows/2\"  access write }\n"                         // 10
    "  }\n"                                                                         // 11
    "  scalars  { factor { dtype f32  value 0.5  key yes } }\n"                     // 12
    "  restore_value  \"y\"\n"                                                      // 13
    "  reset_to_zero  z\n"                                                          // 14
    "  environment    \"OMP_NUM_THREADS\"\n"                                        // 15
    "  space    { block \"64 32\"  vec \"1 2\"  where \"block * vec <= cols\" }\n"  // 16
    "  default  { block \"cols < 256 ? 32 : 64\"  vec 2 }\n"                        // 17
    "  cpu      { source cpu.cpp  options \"-ffast-math -DX=1\" }\n"                // 18
    "  reference  reference.cpp\n"                                                  // 19
    "  tolerance  { relative 1e-5  absolute 0  reason \"one rounding\" }\n"         // 20
    "  bytes    \"8 * rows * cols\"\n"                                              // 21
    "}\n";                                                                          // 22

class Kernel : public testing::Test {
 protected:
  // Makes the folder `name` with a kernel.info of `text` and its sources.
  fs::path folder(const std::string& text, const std::string& name = "k") {
    const fs::path path = m_folder.path() / name;
    EXPECT_TRUE(create_folders(path));
    for (const char* const source : {"cpu.cpp", "reference.cpp"})
      EXPECT_TRUE(write_file(path / source, "// source\n"));
    EXPECT_TRUE(write_file(path / "kernel.info", text));
    return path;
  }
  const fs::path& root() const { return m_folder.path(); }

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-test-kernel").value();
};

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, text.npos) << part;
  return text.replace(at, part.size(), by);
}

TEST_F(Kernel, everything_in_the_file_arrives) {
  const auto kernel = read_kernel(folder(std::string(good)));
  ASSERT_TRUE(kernel) << kernel.error().text();
  EXPECT_EQ(kernel->name, "scaled_add");
  EXPECT_EQ(kernel->summary, "y += factor * x, in place");
  EXPECT_EQ(kernel->sizes.at("full"), (Sizes{{"cols", 256}, {"rows", 8}}));
  ASSERT_EQ(kernel->tensors.size(), 3U);
  EXPECT_THAT(kernel->tensors[0].dtypes, ElementsAre(DType::f32, DType::f16));
  EXPECT_EQ(kernel->tensors[0].access, Access::read);
  EXPECT_EQ(kernel->tensors[0].fill.kind, Fill::Kind::normal);
  EXPECT_EQ(kernel->tensors[1].access, Access::in_place);
  EXPECT_EQ(kernel->tensors[1].fill.kind, Fill::Kind::ones);
  EXPECT_EQ(kernel->tensors[2].fill.kind, Fill::Kind::poison);
  EXPECT_EQ(kernel->tensors[2].line, 10);
  EXPECT_EQ(kernel->scalars.at(0).name, "factor");
  EXPECT_EQ(kernel->scalars.at(0).value, 0.5);
  EXPECT_TRUE(kernel->scalars.at(0).key);
  EXPECT_FALSE(kernel->scalars.at(0).has_range());
  EXPECT_TRUE(kernel->restores("y"));
  EXPECT_FALSE(kernel->restores("z"));
  EXPECT_TRUE(kernel->resets("z"));
  EXPECT_THAT(kernel->environment, ElementsAre("OMP_NUM_THREADS"));
  EXPECT_EQ(kernel->space.parameters.at(0).name, "block");
  EXPECT_THAT(kernel->space.parameters.at(0).values, ElementsAre(64, 32));
  EXPECT_THAT(kernel->cpu->options, ElementsAre("-ffast-math", "-DX=1"));
  EXPECT_EQ(kernel->tolerance.common.relative, 1e-5);
  EXPECT_EQ(kernel->bytes, "8 * rows * cols");
  EXPECT_EQ(kernel->flops, "");
}

TEST_F(Kernel, a_source_for_gpus_may_say_why_it_is_not_deterministic) {
  const auto kernel = read_kernel(folder(
      replaced(std::string(good), "reference.cpp\n",
               "reference.cpp\n  gpu { source cpu.cpp  grid rows  threads block  nondeterministic "
               "\"atomic additions\" }\n")));
  ASSERT_TRUE(kernel) << kernel.error().text();
  EXPECT_EQ(kernel->gpu->nondeterministic, "atomic additions");
  EXPECT_EQ(kernel->nondeterministic, "");
}

TEST_F(Kernel, shapes_and_default_follow_the_sizes) {
  const KernelDefinition kernel = read_kernel(folder(std::string(good))).value();
  EXPECT_THAT(kernel.shape_of(kernel.tensors[0], kernel.sizes.at("full")).value(),
              ElementsAre(8, 256));
  EXPECT_THAT(kernel.shape_of(kernel.tensors[2], kernel.sizes.at("smoke")).value(), ElementsAre(2));
  EXPECT_EQ(to_string(kernel.default_for(kernel.sizes.at("smoke")).value()), "block=32,vec=2");
  EXPECT_EQ(to_string(kernel.default_for(kernel.sizes.at("full")).value()), "block=64,vec=2");
  EXPECT_FALSE(kernel.shape_of(kernel.tensors[2], {{"rows", 3}}));
  EXPECT_EQ(kernel.tensor("nothing"), nullptr);
}

struct Mistake {
  const char* name;
  std::string part;      // of the good file
  std::string by;        // what it becomes
  std::string expected;  // "line: key: message"; "FOLDER" stands for the kernel's folder
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}

class KernelMistake : public Kernel, public testing::WithParamInterface<Mistake> {};

TEST_P(KernelMistake, is_reported_with_file_line_and_key) {
  const Mistake& mistake = GetParam();
  const fs::path path = folder(replaced(std::string(good), mistake.part, mistake.by));
  const auto kernel = read_kernel(path);
  ASSERT_FALSE(kernel) << "the mistake went unnoticed";
  std::string expected = mistake.expected;
  if (const std::size_t at = expected.find("FOLDER"); at != expected.npos)
    expected.replace(at, 6, path.string());
  EXPECT_EQ(kernel.error().text(), (path / "kernel.info").string() + ":" + expected);
}

TEST_F(Kernel, the_range_of_a_scalar_may_follow_the_sizes) {
  const auto kernel =
      read_kernel(folder(replaced(std::string(good), "key yes }", "range \"0 rows-1\" }")));
  ASSERT_TRUE(kernel) << kernel.error().text();
  ASSERT_TRUE(kernel->scalars.at(0).has_range());
  const auto at = [&](std::int64_t rows) {
    return kernel->range_of(kernel->scalars.at(0), {{"cols", 1}, {"rows", rows}}).value();
  };
  EXPECT_EQ(at(4).low, 0);
  EXPECT_EQ(at(4).high, 3);
  EXPECT_EQ(at(0).high, -1);  // no value at all
}

const std::string known_keys =
    "bytes, cpu, default, environment, flops, gpu, limited_by, name, nondeterministic, reference, "
    "reset_to_zero, restore_value, scalars, sim, sizes, space, summary, tensors, tolerance, "
    "twice_is_once, versions";

INSTANTIATE_TEST_SUITE_P(
    Text, KernelMistake,
    testing::Values(
        Mistake{"empty", std::string(good), "", "1: kernel: expected \"kernel\" in this file"},
        Mistake{"unknown_key", "summary ", "sumary ",
                "4: sumary: unknown key \"sumary\"; did you mean \"summary\"? Expected one of: " +
                    known_keys},
        Mistake{"missing_key", "  name     scaled_add\n", "",
                "1: name: expected \"name\" in \"kernel\""},
        Mistake{"sim_without_cost", "  tolerance  {", "  sim { noise 0.1 }\n  tolerance  {",
                "20: cost: expected \"cost\" in \"sim\""},
        Mistake{"sim_unknown_key", "  tolerance  {", "  sim { cost 5  nois 0.1 }\n  tolerance  {",
                "20: nois: unknown key \"nois\"; did you mean \"noise\"? Expected one of: bursts, "
                "cost, drift, first_launch, interruptions, launches, loads, noise, process, "
                "refuses, ruggedness, wrong"},
        Mistake{"sim_cost_of_nothing", "  tolerance  {",
                "  sim { cost \"block - 64\" }\n  tolerance  {",
                "20: cost: at size full: config block=64,vec=1: \"block - 64\" is 0; expected "
                "nanoseconds above 0 and at most 3600000000000"},
        Mistake{
            "sim_noise", "  tolerance  {", "  sim { cost 5  noise 2 }\n  tolerance  {",
            "20: noise: at size full: noise is 2; expected a number of at least 0 and at most 1"},
        Mistake{
            "sim_bursts", "  tolerance  {",
            "  sim { cost 5  bursts { share 0.6 length_us 9 factor 2 } }\n  tolerance  {",
            "20: share: at size full: share of bursts is 0.6; expected a number of at least 0 and "
            "at most 0.5"},
        Mistake{"sim_key_lines_below", "  tolerance  {",
                "  sim\n  {\n    cost 5\n    launches\n    {\n      rate 0.1\n      pessimistic "
                "0.5\n    }\n  }\n  tolerance  {",
                "26: pessimistic: at size full: pessimistic of launches is 0.5; expected a number "
                "of at least 1 and at most 1000"},
        Mistake{"sim_bursts_for_ever", "  tolerance  {",
                "  sim { cost 5  bursts { share 0.1 length_us 1e300 factor 2 } }\n  tolerance  {",
                "20: length_us: at size full: length_us of bursts is 1e+300; expected a number of "
                "at least 1 and at most 3600000000"},
        Mistake{"sim_bursts_of_standstill", "  tolerance  {",
                "  sim { cost 5  bursts { share 0.1 length_us 1 factor 1e300 } }\n  tolerance  {",
                "20: factor: at size full: factor of bursts is 1e+300; expected a number of at "
                "least 1 and at most 1000"},
        Mistake{"sim_outliers", "  tolerance  {",
                "  sim { cost 5  launches { rate 0.1 } }\n  tolerance  {",
                "20: launches: expected optimistic, pessimistic or both: the outliers' factors"},
        Mistake{"twice", "  reset_to_zero  z\n", "  name other\n",
                "14: name: given twice; expected it once"},
        Mistake{"unclosed", "\"8 * rows * cols\"\n}\n", "\"8 * rows * cols\"\n",
                "21: expected a '}' for every '{'; the file ends inside braces"},
        Mistake{"directive", "  scalars", "#include \"x\"\n  scalars",
                "12: #: directives are not supported; expected a key"},
        Mistake{"name", "scaled_add", "Scaled-Add",
                "3: name: expected lower-case letters, digits and '_'"},
        Mistake{"number", "relative 1e-5", "relative small",
                "20: relative: expected a number, found \"small\""},
        Mistake{"negative_tolerance", "relative 1e-5", "relative -1",
                "20: relative: expected a finite number of at least 0"},
        Mistake{"infinite_tolerance", "absolute 0", "absolute inf",
                "20: absolute: expected a number, found \"inf\""},
        Mistake{"no_number", "value 0.5", "value nan",
                "12: value: expected a number, found \"nan\""},
        Mistake{"overflowing_scalar", "value 0.5", "value 1e39",
                "12: value: expected a value of f32"},
        Mistake{"broken_scalar", "factor { dtype f32  value 0.5", "factor { dtype i32  value 0.5",
                "12: value: expected a value of i32"},
        Mistake{"yes_or_no", "key yes", "key true", "12: key: expected yes or no, found \"true\""}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Arguments, KernelMistake,
    testing::Values(
        Mistake{"no_full_size", "full { rows 8 cols 256 }", "",
                "5: full: expected \"full\" in \"sizes\""},
        Mistake{"other_size", "full { rows 8 cols 256 }", "full { rows 8 }",
                "5: sizes: expected the same names in smoke and full"},
        Mistake{"empty_size", "full { rows 8 cols 256 }", "full { rows 8 cols 256 } none { }",
                "5: sizes: expected the same names in smoke and none"},
        Mistake{"filled_output", "access write", "access write  fill ones",
                "10: fill: a tensor that is only written starts as poison; expected no fill, or "
                "access in_place if the kernel reads it"},
        Mistake{"alias_of_itself", "access write", "access write  may_alias z",
                "10: may_alias: expected another tensor, found \"z\""},
        Mistake{"alias_of_another_shape", "access write", "access write  may_alias x",
                "10: may_alias: \"x\" has another shape or other dtypes; expected the same"},
        Mistake{"other_number_of_dtypes", "dtype f32  shape", "dtype \"f32 f64 f16\"  shape",
                "8: x: has 2 dtypes and another tensor 3; expected one, or as many as the others: "
                "the first ones go together, then the second ones, and so on"},
        Mistake{"size_of_text", "rows 4", "rows four",
                "5: rows: expected an integer, found \"four\""},
        Mistake{"dtype", "dtype f32  shape", "dtype float  shape",
                "9: dtype: expected f64, f32, bf16, f16, i32, i64 or u8, found \"float\""},
        Mistake{"access", "access in_place", "access inplace",
                "9: access: expected read, write, in_place or scratch, found \"inplace\""},
        Mistake{"fill", "fill ones", "fill one",
                "9: fill: expected normal, uniform, zeros, ones, index, poison or \"integers LOW "
                "HIGH\", found \"one\""},
        Mistake{"rank", "\"rows/2\"", "\"1 1 1 1 1 1 1 1 1\"",
                "10: z: expected at most 8 dimensions"},
        Mistake{"tensor_twice", "    z {", "    y {", "10: y: given twice; expected it once"},
        Mistake{"tensor_key", "fill ones", "file ones",
                "9: file: unknown key \"file\"; did you mean \"fill\"? Expected one of: access, "
                "dtype, fill, may_alias, shape"},
        Mistake{"tensor_name", "    z {", "    2z {",
                "10: 2z: expected lower-case letters, digits and '_'"},
        Mistake{"shape_name", "shape \"rows/2\"", "shape \"row\"",
                "10: z: at size full: \"row\": Unexpected token \"row\" found at position 0; known "
                "names: cols, "
                "rows"},
        Mistake{"shape_fraction", "shape \"rows/2\"", "shape \"rows/3\"",
                "10: z: at size full: \"rows/3\" is 2.6666666666666665; expected a whole number of "
                "at least 0"},
        Mistake{"scalar_dtype", "factor { dtype f32", "factor { dtype f16",
                "12: factor: expected f64, f32, i32 or i64 for a scalar"},
        Mistake{"scalar_value", "value 0.5", "", "12: value: expected \"value\" in \"factor\""},
        Mistake{"range_of_one", "key yes }", "range 1 }",
                "12: range: expected two expressions: the lowest value and the highest"},
        Mistake{"range_name", "key yes }", "range \"0 row\" }",
                "12: range: at size full: \"row\": Unexpected token \"row\" found at position 0; "
                "known names: cols, rows"},
        Mistake{"value_outside_its_range", "key yes }", "range \"1 rows\" }",
                "12: range: at size smoke: from 1 to 4; expected the value 0.5 in it"},
        Mistake{"scalar_twice", "key yes }", "key yes } factor { dtype f32 value 1 }",
                "12: factor: given twice; expected it once"},
        Mistake{"scalar_like_tensor", "factor {", "x {",
                "12: x: is also the name of a tensor; expected different names"},
        Mistake{"restored_nothing", "restore_value  \"y\"", "restore_value  \"y w\"",
                "13: restore_value: expected names of tensors; there is no tensor \"w\""},
        Mistake{"restored_input", "restore_value  \"y\"", "restore_value  \"y x\"",
                "13: restore_value: tensor \"x\" is only read; expected one that is written: "
                "take it out of restore_value, or give it access in_place if the kernel writes it"},
        Mistake{"not_restored", "  restore_value  \"y\"\n", "",
                "9: y: is written in place; expected it in restore_value (the kernel overwrites "
                "its own input) or in reset_to_zero (the kernel adds to what is there)"}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Space, KernelMistake,
    testing::Values(
        Mistake{"value", "\"64 32\"", "\"64 wide\"",
                "16: block: expected integers, found \"wide\""},
        Mistake{
            "value_twice", "\"64 32\"", "\"64 64\"",
            "16: block: 64 is given twice; expected different values: each config is tried once"},
        Mistake{"no_value", "\"64 32\"", "\"\"", "16: block: expected at least one value"},
        Mistake{"parameter_twice", "vec \"1 2\"", "block \"1 2\"",
                "16: block: given twice; expected it once"},
        Mistake{"parameter_like_size", "vec \"1 2\"", "rows \"1 2\"",
                "16: rows: is also the name of a size; expected different names"},
        Mistake{"no_condition", "\"block * vec <= cols\"", "\"\"",
                "16: where: expected a condition, found none"},
        Mistake{"empty", "block \"64 32\"  vec \"1 2\"  where \"block * vec <= cols\"", "",
                "17: block: unknown key \"block\"; expected none"},
        Mistake{"all_excluded", "block * vec <= cols", "block > 64",
                "16: space: at size full: \"block > 64\" excludes all 4 configs; expected at least "
                "one that remains"},
        Mistake{"condition_name", "block * vec <= cols", "blok <= cols",
                "16: space: at size full: \"blok <= cols\": Unexpected token \"blok\" found at "
                "position 0; known names: block, cols, rows, vec"},
        Mistake{"default_missing", "  vec 2 }", " }", "17: default: expected a value for \"vec\""},
        Mistake{"default_unknown", "  vec 2 }", "  vec 2  warps 4 }",
                "17: warps: unknown key \"warps\". Expected one of: block, vec"},
        Mistake{"default_excluded", "  vec 2 }", "  vec 3 }",
                "17: default: block=64,vec=3 is not in the space at size full"},
        Mistake{"default_expression", "  vec 2 }", "  vec \"col\" }",
                "17: default: at size full: \"col\": Unexpected token \"col\" found at position 0; "
                "known names: "
                "cols, rows"},
        Mistake{
            "bytes", "8 * rows * cols", "8 * row",
            "21: bytes: at size full: \"8 * row\": Unexpected token \"row\" found at position 4; "
            "known names: cols, rows, x_bytes, y_bytes, z_bytes"},
        Mistake{"single_config", "block \"64 32\"  vec \"1 2\"", "block \"32\"  vec \"2\"",
                "16: space: holds a single config, so there is nothing to tune; expected at least "
                "two: give a parameter further values"},
        Mistake{"limited_by", "  reference.cpp\n", "  reference.cpp\n  limited_by luck\n",
                "20: limited_by: expected memory or compute, found \"luck\""},
        Mistake{"no_reason", "  reference.cpp\n", "  reference.cpp\n  twice_is_once \"\"\n",
                "20: twice_is_once: expected a value, found none"}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Sources, KernelMistake,
    testing::Values(
        Mistake{"no_cpu", "  cpu      { source cpu.cpp  options \"-ffast-math -DX=1\" }\n", "",
                "1: cpu: expected \"cpu\", \"gpu\" or \"versions\" in \"kernel\": a source of the "
                "kernel"},
        Mistake{"cpu_source", "source cpu.cpp", "source cpp.cpp",
                "18: source: expected a source file; there is no FOLDER/cpp.cpp"},
        Mistake{"reference", "  reference.cpp", "  .",
                "19: reference: expected a source file; FOLDER/. is none"},
        Mistake{"cpu_key", "options", "flags",
                "18: flags: unknown key \"flags\". Expected one of: options, source"},
        Mistake{"version", "  reference.cpp\n", "  reference.cpp\n  versions \"no.py\"\n",
                "20: versions: expected files in the kernel's folder; there is no FOLDER/no.py"},
        Mistake{"version_elsewhere", "  reference.cpp\n",
                "  reference.cpp\n  versions \"../kernel.info\"\n",
                "20: versions: expected the names of files in the kernel's folder itself, without "
                "a folder; found \"../kernel.info\""},
        Mistake{"version_twice", "  reference.cpp\n",
                "  reference.cpp\n  versions \"cpu.cpp cpu.cpp\"\n",
                "20: versions: cpu.cpp is given twice; expected it once"},
        Mistake{"naive_source", "source cpu.cpp", "source cpu.cpp  naive no.cpp",
                "18: naive: expected a source file; there is no FOLDER/no.cpp"},
        Mistake{"gpu_without_threads", "  reference.cpp\n",
                "  reference.cpp\n  gpu { source cpu.cpp  grid rows }\n",
                "20: threads: expected \"threads\" in \"gpu\""},
        Mistake{"gpu_dimensions", "  reference.cpp\n",
                "  reference.cpp\n  gpu { source cpu.cpp  grid \"1 1 1 1\"  threads 1 }\n",
                "20: grid: expected one to three expressions"},
        Mistake{"gpu_threads", "  reference.cpp\n",
                "  reference.cpp\n  gpu { source cpu.cpp  grid rows  threads \"block*32\" "
                "}\n",
                "20: gpu: config block=64,vec=1 at size full: 2048 threads per block; "
                "expected 1 to 1024: exclude the config in where, or let each thread do "
                "more"},
        Mistake{"gpu_divides_by_zero", "  reference.cpp\n",
                "  reference.cpp\n  gpu { source cpu.cpp  grid \"ceil_div(cols,block-32)\""
                "  threads block }\n",
                "20: gpu: config block=32,vec=1 at size full: \"ceil_div(cols,block-32)\" is "
                "inf with block = 32, cols = 256; expected a finite number: is something "
                "divided by 0? max(1,...) keeps a divisor above 0"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(Kernel, an_argument_in_place_may_be_zeroed_instead_of_restored) {
  const auto kernel =
      read_kernel(folder(replaced(replaced(std::string(good), "  restore_value  \"y\"\n", ""),
                                  "reset_to_zero  z", "reset_to_zero  \"y z\"")));
  ASSERT_TRUE(kernel) << kernel.error().text();
  EXPECT_TRUE(kernel->resets("y"));
}

TEST_F(Kernel, a_second_kernel_in_one_file_is_refused) {
  const auto kernel = read_kernel(folder(std::string(good) + "kernel\n{\n}\n"));
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().text(), HasSubstr("kernel.info:23: kernel: given twice"));
}

TEST_F(Kernel, a_folder_without_the_file_is_an_error) {
  EXPECT_EQ(read_kernel(root()).error().text(),
            (root() / "kernel.info").string() + ": cannot read: No such file or directory");
}

TEST_F(Kernel, all_kernels_below_a_folder_are_read_by_name) {
  folder(std::string(good), "b");
  folder(replaced(std::string(good), "scaled_add", "other"), "a");
  ASSERT_TRUE(create_folders(root() / "no_kernel"));
  ASSERT_TRUE(write_file(root() / "README", ""));
  const auto kernels = read_kernels({root()});
  ASSERT_TRUE(kernels) << kernels.error().text();
  ASSERT_EQ(kernels->size(), 2U);
  EXPECT_EQ(kernels->at("other").folder, root() / "a");
}

TEST_F(Kernel, two_folders_that_claim_one_name_are_refused) {
  folder(std::string(good), "a");
  folder(std::string(good), "b");
  EXPECT_EQ(read_kernels({root()}).error().text(),
            (root() / "b/kernel.info").string() +
                ": name: \"scaled_add\" is also the name of the "
                "kernel in " +
                (root() / "a").string() + "; expected different names");
}

TEST_F(Kernel, a_folder_without_any_kernel_is_refused) {
  EXPECT_EQ(read_kernels({root()}).error().text(),
            root().string() + ": expected at least one NAME/kernel.info in it");
  EXPECT_THAT(read_kernels({root() / "none"}).error().text(),
              HasSubstr("expected a folder of kernels: "));
}

}  // namespace
}  // namespace tunecheck
