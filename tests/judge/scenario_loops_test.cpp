#include "judge/scenario/scenario_loops.hpp"

#include <gmock/gmock.h>

namespace tunecheck::test {
namespace {

using testing::ElementsAre;

// "key=value" of the nodes below `node`, children in braces.
std::string shape_of(const InfoNode& node) {
  std::string text;
  for (const InfoNode& child : node.children) {
    text += (text.empty() ? "" : " ") + child.key;
    if (!child.value.empty()) text += "=" + child.value;
    if (!child.children.empty()) text += "{" + shape_of(child) + "}";
  }
  return text;
}

const LoopTables tables = {{"keyed_variables",
                            {{{"variable", "A"}, {"from", std::nullopt}, {"to", "1"}},
                             {{"variable", "B"}, {"from", "x"}, {"to", ""}}}}};

std::string unrolled(const std::string& text) {
  auto root = parse_info(text, "file.info");
  InfoErrors errors("file.info");
  unroll_loops(*root, errors, tables);
  return errors.any() ? errors.result().error().text() : shape_of(*root);
}

TEST(ScenarioLoops, for_repeats_its_body_once_a_word) {
  EXPECT_EQ(unrolled("before 1\nfor \"n in 8 16\" { size $n\nalign $n }\nafter 2"),
            "before=1 size=8 align=8 size=16 align=16 after=2");
}

TEST(ScenarioLoops, variables_are_replaced_in_keys_and_values_at_any_depth) {
  EXPECT_EQ(unrolled("for \"d in flip\" { process after_$d { cache { $d \"*.$d\" } } }"),
            "process=after_flip{cache{flip=*.flip}}");
}

TEST(ScenarioLoops, repeat_counts_its_copies_from_1) {
  EXPECT_EQ(unrolled("repeat 3 { process p_$repeat }"), "process=p_1 process=p_2 process=p_3");
}

TEST(ScenarioLoops, nest_and_see_the_variables_around_them) {
  EXPECT_EQ(unrolled("for \"a in x y\" { for \"b in 1 2\" { k $a$b } }"), "k=x1 k=x2 k=y1 k=y2");
  EXPECT_EQ(unrolled("for \"a in 1 2\" { repeat $a { k $a-$repeat } }"), "k=1-1 k=2-1 k=2-2");
  EXPECT_EQ(unrolled("for \"a in 1 2\" { for \"b in $a 9\" { k $b } }"), "k=1 k=9 k=2 k=9");
}

TEST(ScenarioLoops, that_multiply_beyond_measure_are_a_mistake) {
  std::string words;
  for (int i = 0; i < 3000; ++i)
    words += " " + std::to_string(i);
  EXPECT_EQ(unrolled("for \"a in" + words + "\" {\nfor \"b in" + words + "\" { k $a$b }\n}"),
            "file.info:2: for: expected loops that make at most 64 MiB of steps");
  const std::string longer(1 << 20, 'x');
  EXPECT_EQ(unrolled("repeat 1000 { k " + longer + " }"),
            "file.info:1: repeat: expected loops that make at most 64 MiB of steps");
  EXPECT_EQ(unrolled("for \"a in" + words + "\" { k $a }").substr(0, 12), "k=0 k=1 k=2 ");
}

TEST(ScenarioLoops, a_variable_is_replaced_as_a_whole_name_only) {
  EXPECT_EQ(unrolled("for \"n in 8\" { a $name\nb $n_more\nc $n-more\nd $n }"),
            "a=$name b=$n_more c=8-more d=8");
  EXPECT_EQ(unrolled("for \"s in 1\" { for \"start in 7\" { k $start-$s } }"), "k=7-1");
}

TEST(ScenarioLoops, each_goes_through_what_the_adapter_promises) {
  const std::string steps =
      "each keyed_variables { process p_$variable { environment { $variable $from } } }";
  EXPECT_EQ(unrolled("scenario { needs \"cache keyed_variables\"\nsteps { " + steps + " } }"),
            "scenario{needs=cache keyed_variables steps{process=p_A{environment} "
            "process=p_B{environment{B=x}}}}");
  EXPECT_EQ(unrolled("scenario {\nneeds cache\nsteps {\n" + steps + " } }"),
            "file.info:4: each: expected a scenario that needs \"keyed_variables\"");
  EXPECT_EQ(unrolled("scenario { needs cache\neach nothing { a 1 } }"),
            "file.info:2: each: unknown list of the adapter's \"nothing\". Expected one of: "
            "keyed_variables");
}

TEST(ScenarioLoops, a_value_may_hold_a_dollar) {
  EXPECT_EQ(unrolled("for \"n in $n\" { a $n }"), "a=$n");
}

TEST(ScenarioLoops, lines_stay_those_of_the_file) {
  auto root = parse_info("for \"n in 1 2\" {\na $n\nb $n\n}\nc", "file.info");
  InfoErrors errors("file.info");
  unroll_loops(*root, errors, tables);
  std::vector<int> lines;
  for (const InfoNode& node : root->children)
    lines.push_back(node.line);
  EXPECT_THAT(lines, ElementsAre(2, 3, 2, 3, 5));
}

TEST(ScenarioLoops, a_thousand_copies_are_allowed_and_no_more) {
  EXPECT_EQ(unrolled("repeat 1000 { a }").size(), 2 * 1000 - 1U);
  EXPECT_EQ(unrolled("a\nrepeat 1001 { a }"),
            "file.info:2: repeat: expected a number from 1 to 1000, found \"1001\"");
}

}  // namespace
}  // namespace tunecheck::test
