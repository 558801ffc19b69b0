// tunecheck tables, given folders: each file in them is what it is.
#include <gmock/gmock.h>

#include "program.hpp"

namespace tunecheck::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* own_table = R"({
  "schema": "1.0.0",
  "kind": "tunecheck table",
  "entries": [
    { "kernel": "no_such_kernel", "device": { "arch": "x86-64-v3", "kind": "" }, "dtypes": { "x": "f32" },
      "sizes": { "n": 4096 }, "config": { "block": 512 } }
  ]
})";
constexpr const char* row_of_flydsl = R"({
  "version": 1,
  "identity": { "name": "gemm", "key": { "m": 16 },
                "device": { "name": "MI300X", "arch": "gfx942", "compute_units": 304 } },
  "config": { "tile": 128 }
})";

TEST(Tables, a_folder_of_tunechecks_tables_is_read_as_such) {
  const Place place;
  const std::string file = place.write("tables/tuned.json", own_table);
  const Ran ran = place.run({"tables", "check", "tables"});
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("tables/tuned.json:5: no such kernel: "));
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("FlyDSL")));
}

TEST(Tables, a_folder_may_hold_tables_of_several_tuners) {
  const Place place;
  place.write("tables/tuned.json", own_table);
  place.write("tables/gemm.json", row_of_flydsl);
  const Ran ran = place.run({"tables", "list", "tables"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("no_such_kernel"), HasSubstr("gfx942"),
                             HasSubstr("2 entries in tables")));
  const Ran shown = place.run({"tables", "show", "tables", "2"});
  EXPECT_THAT(shown.out, HasSubstr("tile 128")) << shown.err;
}

TEST(Tables, an_output_without_a_name_is_a_mistake_of_its_option) {
  const Place place;
  place.write("gemm.json", row_of_flydsl);
  const Ran ran =
      place.run({"tables", "import", "gemm.json", "--kernel", "axpy_inplace", "--emit", ""});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("--emit: expected a file, found \"\""));
}

constexpr const char* row_for_axpy = R"({
  "version": 1,
  "identity": { "name": "axpy", "key": { "n": 4096 },
                "device": { "name": "MI300X", "arch": "gfx942", "compute_units": 304 } },
  "config": { "block": 512, "unroll": 4 }
})";

TEST(Tables, an_import_that_chooses_the_dtypes_itself_says_so_in_one_line) {
  const Place place;
  place.write("rows/first.json", row_for_axpy);
  place.write("rows/second.json", row_for_axpy);
  std::vector<std::string> importing = {"tables",       "import", "rows",      "--kernel",
                                        "axpy_inplace", "--emit", "tuned.json"};
  const Ran chosen = place.run(importing);
  EXPECT_EQ(chosen.status, 0);
  EXPECT_EQ(chosen.err,
            "rows: warning: no --dtype says which dtypes the rows are for; the entries are for "
            "f32, the first of f32, f64, bf16, f16\n");
  EXPECT_THAT(place.read("tuned.json"), HasSubstr("f32"));
  importing.insert(importing.end(), {"--dtype", "bf16"});
  const Ran said = place.run(importing);
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.err, "");
}

TEST(Tables, an_import_for_a_kernel_of_one_dtype_has_nothing_to_choose) {
  const Place place;
  place.write("dft.json", R"({
    "version": 1,
    "identity": { "name": "dft", "key": { "rows": 1, "cols": 256 },
                  "device": { "name": "MI300X", "arch": "gfx942", "compute_units": 304 } },
    "config": { "radix": 2, "table": 1 }
  })");
  const Ran ran =
      place.run({"tables", "import", "dft.json", "--kernel", "dft", "--emit", "tuned.json"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
}

TEST(Tables, a_folder_without_tables_is_no_matter_of_flydsl) {
  const Place place;
  place.write("notes/readme.txt", "no table");
  const Ran ran = place.run({"tables", "check", "notes"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("notes: expected tables in it, *.json or *.csv"),
                             Not(HasSubstr("FlyDSL"))));
  place.write("notes/package.json", R"({ "name": "something" })");
  const Ran other = place.run({"tables", "check", "notes"});
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, AllOf(HasSubstr("notes/package.json:"), Not(HasSubstr("FlyDSL"))));
}

}  // namespace
}  // namespace tunecheck::test
