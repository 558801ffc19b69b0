// The folders in which processes of a scenario hand files to each other.
#include <gmock/gmock.h>

#include "core/files.hpp"
#include "harness/remote/exchange_site.hpp"

namespace tunecheck::test {
namespace {

class Exchange : public testing::Test {
 protected:
  Exchange() {
    m_adapter.table.write["OUT"] = "PLACE/table.json";
    m_adapter.table.read["IN"] = "PLACE/table.json";
    m_adapter.bundle.variables["BUNDLES"] = "PLACE";
    m_adapter.bundle.key_variable = "KEY";
  }

  // What a process with the table leaves there.
  std::filesystem::path write_table(const std::string& text) {
    const Environment variables = m_site.variables_of(m_adapter, TableUse::write).value();
    EXPECT_TRUE(write_file(variables.at("OUT"), text));
    return variables.at("OUT");
  }

  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-exchange-test").value();
  ExchangeSite m_site{m_folder.path()};
  AdapterInfo m_adapter;
};

TEST_F(Exchange, gives_reader_and_writer_the_same_place) {
  EXPECT_TRUE(m_site.variables_of(m_adapter, TableUse::none).value().empty());
  const Environment writer = m_site.variables_of(m_adapter, TableUse::write).value();
  const Environment reader = m_site.variables_of(m_adapter, TableUse::read).value();
  EXPECT_EQ(writer.at("OUT"), reader.at("IN"));
  EXPECT_FALSE(reader.contains("OUT"));
  EXPECT_TRUE(std::filesystem::is_directory(std::filesystem::path(writer.at("OUT")).parent_path()));
}

TEST_F(Exchange, has_a_key_for_who_signs) {
  EXPECT_FALSE(m_site.variables_of(m_adapter, {RemoteKey::none}).value().contains("KEY"));
  const auto key_of = [&](RemoteKey key) {
    return read_text_file(m_site.variables_of(m_adapter, {key}).value().at("KEY")).value();
  };
  EXPECT_NE(key_of(RemoteKey::own), key_of(RemoteKey::other));
}

TEST_F(Exchange, damages_files_where_it_is_told) {
  const std::string text(100, 'x');
  const auto file = write_table(text);
  EXPECT_EQ(m_site.count(ExchangeKind::table), 1u);
  EXPECT_EQ(m_site.count(ExchangeKind::bundle), 0u);
  ASSERT_TRUE(m_site.damage(ExchangeKind::table, ExchangeDamage::truncate, 30));
  EXPECT_EQ(read_text_file(file).value().size(), 30u);
  write_table(text);
  ASSERT_TRUE(m_site.damage(ExchangeKind::table, ExchangeDamage::flip, 30));
  EXPECT_NE(read_text_file(file).value(), text);
  ASSERT_TRUE(m_site.damage(ExchangeKind::table, ExchangeDamage::replace, 50));
  EXPECT_EQ(read_text_file(file).value(), "# written by another program\n");
  ASSERT_TRUE(m_site.damage(ExchangeKind::table, ExchangeDamage::clear, 50));
  EXPECT_EQ(m_site.count(ExchangeKind::table), 0u);
  EXPECT_FALSE(m_site.damage(ExchangeKind::table, ExchangeDamage::clear, 50)) << "nothing is left";
}

}  // namespace
}  // namespace tunecheck::test
