// What is made from the lists of fields, and how the lists write and read.
#include <cstdlib>
#include <limits>

#include <gmock/gmock.h>

#include "core/files.hpp"
#include "reports/fields/field.hpp"
#include "reports/fields/schema.hpp"
#include "reports/fields/typescript.hpp"
#include "reports/html/html_pack.hpp"
#include "reports/report_schemas.hpp"

namespace tunecheck::test {

struct Leaf {
  std::string name;
  std::int64_t count = 0;
  std::int64_t grown_ns = 0;
};
enum class Colour { red, green };
struct Tree {
  std::string title;
  Colour colour = Colour::red;
  double height = 0;
  std::vector<Leaf> leaves;
  std::map<std::string, Leaf> by_name;
  std::optional<Leaf> fallen;
  int age = 7;
  int grown() const { return age + 1; }
};

const Words<Colour>& words_of(Of<Colour>) {
  static const Words<Colour> words = {{Colour::red, "red"}, {Colour::green, "green"}};
  return words;
}
const Fields<Leaf>& fields_of(Of<Leaf>) {
  static const Fields<Leaf> fields = {"Leaf",
                                      "",
                                      {{"name", &Leaf::name},
                                       {"count", &Leaf::count, {.says = "of veins"}},
                                       {"grown_ns", &Leaf::grown_ns, {.is_rough = true}}}};
  return fields;
}
const Fields<Tree>& fields_of(Of<Tree>) {
  static const Fields<Tree> fields = {
      "Tree",
      "a tree",
      {{"title", &Tree::title},
       {"colour", &Tree::colour},
       {"height", &Tree::height, {.null_is = std::numeric_limits<double>::infinity()}},
       {"leaves", &Tree::leaves},
       {"by_name", &Tree::by_name},
       {"fallen", &Tree::fallen},
       {"age", &Tree::age, {.is_newer = true}},
       {"grown", &Tree::grown}}};
  return fields;
}

namespace {

using nlohmann::json;
using testing::HasSubstr;

Tree oak() {
  Tree tree;
  tree.title = "oak";
  tree.colour = Colour::green;
  tree.height = std::numeric_limits<double>::infinity();
  tree.leaves = {{"a", 1}, {"b", 2, 123456}};
  tree.by_name = {{"c", {"c", 3}}};
  return tree;
}

Tree read(const std::string& text) {
  const json parsed = json::parse(text);
  return read_as<Tree>(JsonValue(parsed, ""));
}

std::string mistake_in(const std::string& text) {
  try {
    (void)read(text);
  } catch (const JsonMistake& mistake) {
    return mistake.pointer + ": " + mistake.message;
  }
  return {};
}

TEST(Fields, what_is_written_is_read_again) {
  const std::string text = json_of(oak()).dump();
  EXPECT_EQ(
      text,
      R"({"title":"oak","colour":"green","height":null,)"
      R"("leaves":[{"name":"a","count":1,"grown_ns":0},{"name":"b","count":2,"grown_ns":123456}],)"
      R"("by_name":[{"name":"c","count":3,"grown_ns":0}],"age":7,"grown":8})");
  EXPECT_EQ(json_of(read(text)).dump(), text);
}

TEST(Fields, a_field_that_is_newer_may_be_missing_and_no_other) {
  json changed = json::parse(json_of(oak()).dump());
  changed.erase("age");
  EXPECT_EQ(read(changed.dump()).age, 7);
  changed.erase("leaves");
  EXPECT_EQ(mistake_in(changed.dump()), "/leaves: expected a list, found nothing");
}

TEST(Fields, one_that_is_derived_may_be_missing_but_not_of_another_type) {
  json changed = json::parse(json_of(oak()).dump());
  changed["grown"] = 9;
  EXPECT_EQ(json_of(read(changed.dump())), json_of(oak())) << "it is computed anew";
  changed.erase("grown");
  EXPECT_EQ(json_of(read(changed.dump())), json_of(oak()));
  changed["grown"] = "much";
  EXPECT_THAT(mistake_in(changed.dump()), HasSubstr("/grown: expected a whole number"));
}

TEST(Fields, a_mistake_has_the_place) {
  json changed = json::parse(json_of(oak()).dump());
  changed["leaves"][1]["count"] = -1;
  EXPECT_THAT(mistake_in(changed.dump()), HasSubstr("/leaves/1/count: expected a whole number"));
  changed = json::parse(json_of(oak()).dump());
  changed["colour"] = "blue";
  EXPECT_EQ(mistake_in(changed.dump()), "/colour: expected red or green, found \"blue\"");
}

TEST(Fields, the_page_gets_the_same_in_short) {
  HtmlTexts texts;
  Tree tree = oak();
  tree.fallen = {"d", 0};
  EXPECT_EQ(html_packed(tree, texts).dump(), "[1,2,null,[[3,1],[4,2,123.5]],[[5,3]],[6],7,8]");
  EXPECT_EQ(texts.json().dump(), R"(["","oak","green","a","b","c","d"])");
  tree = {};
  tree.age = -1;
  EXPECT_EQ(html_packed(tree, texts).dump(), "[0,7,0,[],[],null,-1]") << "nothing at the end";
}

TEST(Fields, types_are_described) {
  const ObjectDescription& described = fields_of(Of<Tree>{}).description();
  const std::string module = typescript_of({&described});
  EXPECT_THAT(module, HasSubstr("  colour: \"red\" | \"green\";\n  height: number | null;\n"
                                "  leaves: Leaf[];\n  by_name: Leaf[];\n  fallen?: Leaf;\n"));
  EXPECT_THAT(
      module,
      HasSubstr(
          "  Leaf: [[\"name\", \"text\"], [\"count\", \"number\"], [\"grown_ns\", \"rough\"]],\n"));
  EXPECT_THAT(module, HasSubstr("[\"fallen\", { maybe: { object: \"Leaf\" } }]"));
  EXPECT_THAT(module, HasSubstr("{ maybe: Layout }"));
  const auto schema = schema_of(described, "tree.schema.json", "a tree");
  EXPECT_EQ(schema["properties"]["leaves"]["items"]["$ref"], "#/$defs/Leaf");
  EXPECT_EQ(schema["$defs"]["Leaf"]["properties"]["count"]["description"], "of veins");
  EXPECT_EQ(schema["required"].dump(), R"(["title","colour","height","leaves","by_name","grown"])");
}

// With TUNECHECK_APPROVE=1 the files are written instead.
TEST(Fields, the_files_that_are_made_of_them_are_as_committed) {
  for (const MadeFile& file : files_made_of_fields()) {
    const std::filesystem::path path = TUNECHECK_ROOT / file.path;
    if (std::getenv("TUNECHECK_APPROVE") != nullptr) {
      ASSERT_TRUE(write_file_atomically(path, file.text));
      continue;
    }
    const auto committed = read_text_file(path);
    ASSERT_TRUE(committed) << path;
    EXPECT_EQ(*committed, file.text)
        << path << ": run this test with TUNECHECK_APPROVE=1 and look at the difference";
  }
}

}  // namespace
}  // namespace tunecheck::test
