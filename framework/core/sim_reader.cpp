#include "core/sim_reader.hpp"

#include <fmt/format.h>

namespace tunecheck {
namespace {

SimModel::Outliers read_outliers(InfoReader& reader, const std::string& key) {
  SimModel::Outliers outliers;
  const InfoNode* const node = reader.section(key, false);
  if (node == nullptr) return outliers;
  InfoReader own(*node, reader.errors());
  outliers.rate = own.text("rate");
  outliers.optimistic = own.text_or("optimistic", outliers.optimistic);
  outliers.pessimistic = own.text_or("pessimistic", outliers.pessimistic);
  own.finish();
  if (node->child("optimistic") == nullptr && node->child("pessimistic") == nullptr)
    reader.errors().add(*node, "expected optimistic, pessimistic or both: the outliers' factors");
  return outliers;
}

SimModel::Bursts read_bursts(InfoReader& reader) {
  SimModel::Bursts bursts;
  const InfoNode* const node = reader.section("bursts", false);
  if (node == nullptr) return bursts;
  InfoReader own(*node, reader.errors());
  bursts = {own.text("share"), own.text("length_us"), own.text("factor")};
  own.finish();
  return bursts;
}

SimModel::Interruptions read_interruptions(InfoReader& reader) {
  SimModel::Interruptions interruptions;
  const InfoNode* const node = reader.section("interruptions", false);
  if (node == nullptr) return interruptions;
  InfoReader own(*node, reader.errors());
  interruptions = {own.text("rate"), own.text("length_us")};
  own.finish();
  return interruptions;
}

}  // namespace

SimModel read_sim(const InfoNode& node, InfoErrors& errors) {
  InfoReader reader(node, errors);
  SimModel model;
  for (const InfoNode& key : node.children) {
    model.lines[key.key] = key.line;
    for (const InfoNode& below : key.children)
      model.lines[key.key + "." + below.key] = below.line;
  }
  model.cost = reader.text("cost");
  model.ruggedness = reader.text_or("ruggedness", model.ruggedness);
  model.noise = reader.text_or("noise", model.noise);
  model.drift = reader.text_or("drift", model.drift);
  model.first_launch = reader.text_or("first_launch", model.first_launch);
  model.process = reader.text_or("process", model.process);
  model.launches = read_outliers(reader, "launches");
  model.loads = read_outliers(reader, "loads");
  model.bursts = read_bursts(reader);
  model.interruptions = read_interruptions(reader);
  model.refuses = reader.text_or("refuses", "");
  model.wrong = reader.text_or("wrong", "");
  reader.finish();
  return model;
}

std::optional<SimTrouble> sim_trouble(const SimModel& model, const Sizes& sizes,
                                      const std::vector<Config>& configs) {
  if (configs.empty()) return std::nullopt;
  const auto trouble = [&](const Error& error, const std::string& config) {
    const auto line = model.lines.find(error.key);
    return SimTrouble{line == model.lines.end() ? 0 : line->second,
                      error.key.substr(error.key.find('.') + 1), config + error.message};
  };
  auto landscape = SimLandscape::create(model, to_variables(sizes), names_of(configs.front()));
  if (!landscape) return trouble(landscape.error(), "");
  for (const Config& config : configs)
    if (const auto point = landscape->at(values_of(config)); !point)
      return trouble(point.error(), fmt::format("config {}: ", to_string(config)));
  return std::nullopt;
}

}  // namespace tunecheck
