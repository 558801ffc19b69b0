// Tables of AITER and FlyDSL, as they lie in their repositories.
#include "table/foreign_table.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck::table {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

// In the columns of aiter/configs/a8w8_bpreshuffle_tuned_gemm.csv.
const std::string gemm_rows =
    "gfx,cu_num,M,N,K,q_dtype_w,libtype,kernelId,splitK,us,kernelName,tflops,bw,errRatio\r\n"
    "gfx942,304,128,1280,8192,torch.int8,asm,3,4,14.75,\"tile_64,128\",181.9,804.0,0.12\r\n"
    "\r\n"
    "gfx942,80,192,1280,1024,torch.int8,ck,1,1,inf,other,74.0,339.0,0.0\r\n";

const std::string artifact = R"({
  "config": {"block": 256, "vec": 4},
  "identity": {
    "device": {"arch": "gfx942", "compute_units": 304, "name": "AMD Instinct MI300X"},
    "key": {"input": [64, 1024], "weight": [1024], "out": [64, 1024], "eps": 1e-06},
    "name": "rmsnorm"
  },
  "version": 1
})";

TEST(AiterTables, have_what_a_row_is_for_and_what_it_says) {
  const auto rows = parse_aiter_table(gemm_rows, "gemm.csv").value();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].arch, "gfx942");
  EXPECT_EQ(rows[0].multiprocessors, 304);
  EXPECT_THAT(rows[0].problem,
              UnorderedElementsAre(Pair("M", "128"), Pair("N", "1280"), Pair("K", "8192"),
                                   Pair("q_dtype_w", "torch.int8")));
  EXPECT_THAT(rows[0].choice,
              UnorderedElementsAre(Pair("libtype", "asm"), Pair("kernelId", "3"),
                                   Pair("splitK", "4"), Pair("kernelName", "tile_64,128")));
  EXPECT_EQ(rows[0].median_us, 14.75);
  EXPECT_EQ(rows[0].line, 2);
  EXPECT_EQ(rows[1].line, 4);
  EXPECT_TRUE(std::isnan(*rows[1].median_us)) << "no time";
}

TEST(AiterTables, of_early_versions_name_no_arch) {
  const auto rows = parse_aiter_table("cu_num,M,us,kernelName\n80,1,3.5,k\n", "old.csv").value();
  EXPECT_EQ(rows.at(0).arch, "");
}

// Spreadsheets write one.
TEST(AiterTables, may_begin_with_a_byte_order_mark) {
  for (const std::string names : {"gfx,cu_num,us", "\"gfx\",cu_num,us", "cu_num,gfx,us"}) {
    const std::string rows = names + "\n" + (names[0] == 'c' ? "304,gfx942,1\n" : "gfx942,304,1\n");
    const auto marked = parse_aiter_table("\xEF\xBB\xBF" + rows, "gemm.csv");
    ASSERT_TRUE(marked) << marked.error().text();
    EXPECT_EQ(marked->at(0).arch, "gfx942");
    EXPECT_EQ(marked->at(0).multiprocessors, 304);
    EXPECT_THAT(marked->at(0).problem, testing::IsEmpty());
  }
}

TEST(AiterTables, that_are_damaged_are_refused_with_line_and_column) {
  const auto error_of = [](const std::string& text) {
    const auto rows = parse_aiter_table(text, "gemm.csv");
    return rows ? "" : rows.error().text();
  };
  EXPECT_EQ(error_of("M,N,K\n1,2,3\n"),
            "gemm.csv:1: cu_num: expected this column in a table of AITER's");
  EXPECT_EQ(error_of("cu_num,us\n80\n"), "gemm.csv:2: expected 2 columns, found 1");
  EXPECT_EQ(error_of("cu_num,us\n80,1\nmany,1\n"),
            "gemm.csv:3: cu_num: expected compute units, found \"many\"");
  EXPECT_NE(error_of(""), "");
}

TEST(FlyDslTables, have_shapes_and_a_config) {
  const auto rows = parse_flydsl_table(artifact, "rmsnorm.json").value();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].name, "rmsnorm");
  EXPECT_EQ(rows[0].device_name, "AMD Instinct MI300X");
  EXPECT_EQ(rows[0].multiprocessors, 304);
  EXPECT_THAT(rows[0].shapes.at("input"), ElementsAre(64, 1024));
  EXPECT_THAT(rows[0].problem, ElementsAre(Pair("eps", "1e-06")));
  EXPECT_THAT(rows[0].choice, UnorderedElementsAre(Pair("block", "256"), Pair("vec", "4")));
}

TEST(FlyDslTables, that_are_damaged_are_refused) {
  for (std::size_t length = 0; length < artifact.size(); ++length)
    EXPECT_FALSE(parse_flydsl_table(artifact.substr(0, length), "a.json").has_value()) << length;
  std::string later = artifact;
  later.replace(later.rfind('1'), 1, "2");
  EXPECT_THAT(parse_flydsl_table(later, "a.json").error().text(),
              HasSubstr("expected a table of FlyDSL's, version 1"));
}

TEST(FlyDslTables, become_entries_for_a_kernel_of_the_same_arguments) {
  const KernelDefinition kernel = read_kernel(find_resources().kernels / "rmsnorm").value();
  ForeignRow row = parse_flydsl_table(artifact, "rmsnorm.json").value().front();
  row.shapes.clear();
  for (const TensorParameter& tensor : kernel.tensors)
    row.shapes[tensor.name] = kernel.shape_of(tensor, {{"rows", 64}, {"cols", 1024}}).value();
  const Entry entry = entry_from(row, kernel, kernel.variant(0)).value();
  EXPECT_EQ(entry.sizes, (Sizes{{"rows", 64}, {"cols", 1024}}));
  EXPECT_EQ(entry.config, (Config{{"block", 256}, {"vec", 4}}));
  EXPECT_EQ(entry.device.kind, "AMD Instinct MI300X, 304 multiprocessors, warps of 64");
  row.choice.erase("vec");
  EXPECT_EQ(entry_from(row, kernel, kernel.variant(0)).error().text(),
            "rmsnorm.json:1: vec: the row has no such parameter");
  row.problem["rows"] = "-32";
  EXPECT_EQ(entry_from(row, kernel, kernel.variant(0)).error().text(),
            "rmsnorm.json:1: rows: expected a size of at least 0, found -32");
}

}  // namespace
}  // namespace tunecheck::table
