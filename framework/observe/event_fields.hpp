#pragma once
// The fields of each event's line, listed once: event_lines writes them in this order, and evidence
// reads them. docs/evidence.md says what they mean.
#include <concepts>
#include <string_view>
#include <type_traits>

#include "observe/evidence.hpp"

namespace tunecheck::event_fields {

/// An event that is written (const) or read.
template <class T, class Event>
concept Is = std::same_as<std::remove_const_t<T>, Event>;

/// What the field "event" says. A launch has three kinds of lines, and no entry here.
template <class Event>
inline constexpr std::string_view kind_of{};
template <>
inline constexpr std::string_view kind_of<CompileEvent> = "compile";
template <>
inline constexpr std::string_view kind_of<ModuleEvent> = "module";
template <>
inline constexpr std::string_view kind_of<GraphLaunchEvent> = "graph_launch";
template <>
inline constexpr std::string_view kind_of<TroubleEvent> = "probe_trouble";
template <>
inline constexpr std::string_view kind_of<FaultEvent> = "fault";
template <>
inline constexpr std::string_view kind_of<FileEvent> = "file";
template <>
inline constexpr std::string_view kind_of<ProgramEvent> = "program";
template <>
inline constexpr std::string_view kind_of<UnseenCodeEvent> = "unseen_code";

inline constexpr std::string_view launch_begin = "launch";
inline constexpr std::string_view launch_end = "launch_end";
inline constexpr std::string_view gpu_launch = "gpu_launch";

/// All of them call `visit(name, member)` for each field behind "event".
template <class Event, class Visit>
void visit_moment(Event& event, Visit& visit) {
  visit("time_ns", event.time_ns);
  visit("pid", event.pid);
}

template <Is<CompileEvent> Event, class Visit>
void visit_fields(Event& event, Visit&& visit) {
  visit_moment(event, visit);
  visit("tool", event.tool);
  visit("arguments", event.arguments);
  visit("query", event.query);
  visit("links", event.links);
  visit("mode", event.mode);
  visit("exit_status", event.exit_status);
  visit("output_digest", event.output_digest);
  visit("from_store", event.from_store);
  visit("wall_ns", event.wall_ns);
  visit("environment", event.environment);
}

/// Of the first line of a launch on the CPU, or of the only one of a launch on a GPU.
template <bool on_gpu, Is<LaunchEvent> Event, class Visit>
void visit_launch(Event& event, Visit&& visit) {
  visit_moment(event, visit);
  visit("launch", event.launch);
  visit("kernel", event.kernel);
  visit("config", event.config);
  visit("module", event.module);
  if constexpr (on_gpu) visit("code", event.code);
  visit("digests", event.digests);
  visit("places", event.places);
  if constexpr (on_gpu) visit("digested", event.digested);
  visit("stored", event.stored);
  visit("cost_ns", event.cost_ns);
  if constexpr (on_gpu) {
    visit("device", event.device);
    visit("stream", event.stream);
    visit("context", event.context);
    visit("captured", event.captured);
    visit("graph", event.graph);
    visit("status", event.status);
  }
}

template <Is<LaunchEvent> Event, class Visit>
void visit_launch_end(Event& event, Visit&& visit) {
  visit("pid", event.pid);
  visit("launch", event.launch);
  visit("status", event.status);
  visit("elapsed_ns", event.elapsed_ns);
  visit("left", event.left);
}

template <Is<ModuleEvent> Event, class Visit>
void visit_fields(Event& event, Visit&& visit) {
  visit_moment(event, visit);
  visit("module", event.module);
  visit("code", event.code);
  visit("kind", event.kind);
  visit("size", event.size);
  visit("config", event.config);
  visit("status", event.status);
}

template <Is<GraphLaunchEvent> Event, class Visit>
void visit_fields(Event& event, Visit&& visit) {
  visit_moment(event, visit);
  visit("stream", event.stream);
  visit("context", event.context);
  visit("kernels", event.kernels);
  visit("status", event.status);
}

template <Is<TroubleEvent> Event, class Visit>
void visit_fields(Event& event, Visit&& visit) {
  visit_moment(event, visit);
  visit("what", event.what);
}

template <Is<FaultEvent> Event, class Visit>
void visit_fields(Event& event, Visit&& visit) {
  visit_moment(event, visit);
  visit("point", event.point);
  visit("error", event.error);
  visit("path", event.path);
}

template <Is<FileEvent> Event, class Visit>
void visit_fields(Event& event, Visit&& visit) {
  visit_moment(event, visit);
  visit("operation", event.operation);
  visit("path", event.path);
  visit("from", event.from);
  visit("error", event.error);
}

template <Is<ProgramEvent> Event, class Visit>
void visit_fields(Event& event, Visit&& visit) {
  visit_moment(event, visit);
  visit("program", event.program);
  visit("arguments", event.arguments);
}

template <Is<UnseenCodeEvent> Event, class Visit>
void visit_fields(Event& event, Visit&& visit) {
  visit_moment(event, visit);
  visit("program", event.program);
  visit("file", event.file);
}

}  // namespace tunecheck::event_fields
