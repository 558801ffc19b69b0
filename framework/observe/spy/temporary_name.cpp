#include "observe/spy/temporary_name.hpp"

#include <filesystem>

namespace tunecheck::spy {

namespace {

constexpr std::size_t least_characters = 10;  // "tmp" or "temp", and six or more at random

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

}  // namespace

TemporaryName TemporaryName::of(const std::string& path, std::string_view content) {
  TemporaryName name;
  const std::filesystem::path file(path);
  std::string stem = file.stem().string();
  if (stem.size() < least_characters || !(stem.starts_with("tmp") || stem.starts_with("temp")) ||
      content.find(stem) != content.npos)
    return name;
  // Nothing that a compiler writes by itself.
  name.m_neutral = "temporary~name~";
  name.m_neutral.resize(stem.size(), '~');
  name.m_file = file.filename().string();
  name.m_stem = std::move(stem);
  return name;
}

std::string TemporaryName::neutral(std::string text) const {
  if (is_one()) replace_all(text, m_stem, m_neutral);
  return text;
}

std::string TemporaryName::restored(std::string text) const {
  if (is_one()) replace_all(text, m_neutral, m_stem);
  return text;
}

}  // namespace tunecheck::spy
