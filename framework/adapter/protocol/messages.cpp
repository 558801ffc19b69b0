#include "adapter/protocol/messages.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "core/parse_json.hpp"

namespace tunecheck::protocol {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 6> cache_names = {"hit",      "miss",    "stale",
                                                         "disabled", "pending", "unchecked"};

// Compact, and never throws for a string that is not UTF-8.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

DeviceKind backend_from(const Json& json) {
  const auto kind = parse_device_kind(json.get<std::string>());
  if (!kind) throw std::runtime_error(kind.error().message);
  return *kind;
}

Json to_json(const Tensor& tensor) {
  return {{"name", tensor.name},
          {"file", tensor.file.string()},
          {"byte_offset", tensor.byte_offset},
          {"dtype", name_of(tensor.dtype)},
          {"shape", tensor.layout.dimensions()},
          {"strides", tensor.layout.steps()}};
}

Tensor tensor_from(const Json& json) {
  const auto dtype = parse_dtype(json.at("dtype").get<std::string>());
  const auto shape = json.at("shape").get<std::vector<std::int64_t>>();
  const auto strides = json.at("strides").get<std::vector<std::int64_t>>();
  if (!dtype || shape.size() != strides.size() || shape.size() > std::size_t{max_rank})
    throw std::runtime_error("expected a dtype, and a shape and strides of the same rank");
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; }) ||
      json.at("byte_offset").get<std::int64_t>() < 0)
    throw std::runtime_error("expected a shape and a byte_offset that are not negative");
  return {json.at("name").get<std::string>(), json.at("file").get<std::string>(),
          json.at("byte_offset").get<std::uint64_t>(), *dtype, Layout::strided(shape, strides)};
}

Json to_json(const SpaceDefinition& space) {
  Json parameters = Json::array();
  for (const auto& parameter : space.parameters)
    parameters.push_back({{"name", parameter.name}, {"values", parameter.values}});
  return {{"parameters", parameters}, {"where", space.where}};
}

SpaceDefinition space_from(const Json& json) {
  SpaceDefinition space;
  for (const Json& parameter : json.at("parameters"))
    space.parameters.push_back({parameter.at("name").get<std::string>(),
                                parameter.at("values").get<std::vector<std::int64_t>>()});
  space.where = json.at("where").get<std::string>();
  return space;
}

Burst burst_from(const Json& json, const CallRequest& call) {
  Burst burst{json.at("calls").get<std::int64_t>(), json.at("keys").get<std::int64_t>(),
              json.at("scalar").get<std::string>()};
  if (burst.calls < 1 || burst.keys < 1 || !call.scalars.contains(burst.scalar))
    throw std::runtime_error("expected a burst of calls and keys, and a scalar of the call");
  return burst;
}

Json to_json(const Search& search) {
  return {{"strategy", search.strategy},
          {"trials", search.trials},
          {"time_ms", search.time_ms},
          {"seed", search.seed}};
}

Search search_from(const Json& json) {
  const Search search{json.at("strategy").get<std::string>(), json.value("trials", std::int64_t{0}),
                      json.value("time_ms", 0.0), json.value("seed", std::uint64_t{1})};
  const auto& known = search_strategies();
  if (std::find(known.begin(), known.end(), search.strategy) == known.end())
    throw std::runtime_error("expected a known search strategy, found \"" + search.strategy + "\"");
  if (search.trials < 0 || !(search.time_ms >= 0))
    throw std::runtime_error("expected a search budget that is not negative");
  return search;
}

// Only what is not as usual.
Json to_json(const GpuCall& call) {
  const GpuCall usual;
  Json json = Json::object();
  if (call.busy_stream) json["stream"] = "busy";
  if (call.capture) json["capture"] = true;
  if (call.context != usual.context) json["context"] = call.context;
  if (call.device != usual.device) json["device"] = call.device;
  return json;
}

GpuCall gpu_call_from(const Json& json) {
  const GpuCall usual;
  GpuCall call;
  const std::string stream = json.value("stream", std::string());
  call.busy_stream = stream == "busy";
  call.capture = json.value("capture", usual.capture);
  call.context = json.value("context", usual.context);
  call.device = json.value("device", usual.device);
  if (!stream.empty() && !call.busy_stream)
    throw std::runtime_error("expected the stream \"busy\", found \"" + stream + "\"");
  if (call.context < 1 || call.device < 0)
    throw std::runtime_error("expected a context from 1 on, and a device from 0 on");
  return call;
}

// JSON has no infinity: a time that is not finite travels as null.
double time_from(const Json& trial) {
  const auto found = trial.find("median_ns");
  if (found == trial.end()) return 0;
  return found->is_null() ? std::numeric_limits<double>::infinity() : found->get<double>();
}

Json to_json(const ListedConfig& config) {
  Json json = {{"values", config.values}, {"options", config.options}};
  if (config.launch) {
    json["grid"] = config.launch->grid;
    json["threads"] = config.launch->threads;
    json["shared_bytes"] = config.launch->shared_bytes;
  }
  return json;
}

void add_facts(const KernelFacts& facts, Json& json) {
  json["arguments"] = {{"tensors", facts.tensors}, {"scalars", facts.scalars}};
  json["restore_value"] = facts.restore_value;
  json["reset_to_zero"] = facts.reset_to_zero;
  json["key_scalars"] = facts.key_scalars;
  json["variables"] = facts.variables;
  json["source"] = facts.source.string();
  json["build_options"] = facts.build_options;
  Json& configs = json["configs"] = Json::array();
  for (const ListedConfig& config : facts.configs)
    configs.push_back(to_json(config));
  json["default"] = facts.default_config;
}

KernelFacts facts_from(const Json& json) {
  using Names = std::vector<std::string>;
  const Json& arguments = json.at("arguments");
  KernelFacts facts;
  facts.tensors = arguments.at("tensors").get<Names>();
  facts.scalars = arguments.at("scalars").get<Names>();
  facts.restore_value = json.at("restore_value").get<Names>();
  facts.reset_to_zero = json.at("reset_to_zero").get<Names>();
  facts.key_scalars = json.at("key_scalars").get<Names>();
  facts.variables = json.at("variables").get<Names>();
  facts.source = json.at("source").get<std::string>();
  facts.build_options = json.at("build_options").get<Names>();
  for (const Json& each : json.at("configs")) {
    ListedConfig& config = facts.configs.emplace_back();
    config.values = each.at("values").get<Config>();
    config.options = each.at("options").get<Names>();
    if (!each.contains("grid")) continue;
    config.launch = {each.at("grid").get<std::array<std::int64_t, 3>>(),
                     each.at("threads").get<std::array<std::int64_t, 3>>(),
                     each.at("shared_bytes").get<std::int64_t>()};
  }
  if (const auto chosen = json.find("default"); chosen != json.end())
    facts.default_config = chosen->get<Config>();
  return facts;
}

Json to_json(const CallRequest& request) {
  Json tensors = Json::array();
  for (const Tensor& tensor : request.tensors)
    tensors.push_back(to_json(tensor));
  Json json = {{"request", "call"},
               {"kernel_folder", request.kernel_folder.string()},
               {"kernel", request.kernel},
               {"tensors", tensors},
               {"scalars", request.scalars},
               {"sizes", request.sizes},
               {"space", to_json(request.space)},
               {"arch", request.arch},
               {"compile_options", request.compile_options},
               {"compile_jobs", request.compile_jobs},
               {"hook_zeroes", request.hook_zeroes}};
  if (request.burst)
    json["burst"] = {{"calls", request.burst->calls},
                     {"keys", request.burst->keys},
                     {"scalar", request.burst->scalar}};
  if (request.search) json["search"] = to_json(*request.search);
  if (request.config) json["config"] = *request.config;
  if (!request.wait) json["wait"] = false;
  if (request.gpu != GpuCall()) json["gpu"] = to_json(request.gpu);
  for (const auto& [name, value] : request.environment)
    json["environment"][name] = value ? Json(*value) : Json();
  add_facts(request.facts, json);
  return json;
}

CallRequest request_from(const Json& json) {
  CallRequest call;
  call.kernel_folder = json.at("kernel_folder").get<std::string>();
  call.kernel = json.at("kernel").get<std::string>();
  for (const Json& tensor : json.at("tensors"))
    call.tensors.push_back(tensor_from(tensor));
  call.scalars = json.at("scalars").get<std::map<std::string, double>>();
  call.sizes = json.at("sizes").get<Sizes>();
  call.space = space_from(json.at("space"));
  call.arch = json.value("arch", std::string());
  call.compile_options = json.value("compile_options", std::vector<std::string>());
  call.compile_jobs = json.value("compile_jobs", 1);
  call.hook_zeroes = json.value("hook_zeroes", std::vector<std::string>());
  if (json.contains("burst")) call.burst = burst_from(json.at("burst"), call);
  if (json.contains("search")) call.search = search_from(json.at("search"));
  if (json.contains("config")) call.config = json.at("config").get<Config>();
  call.wait = json.value("wait", true);
  if (json.contains("gpu")) call.gpu = gpu_call_from(json.at("gpu"));
  if (json.contains("environment"))
    for (const auto& [name, value] : json.at("environment").items())
      call.environment[name] =
          value.is_null() ? std::nullopt : std::optional(value.get<std::string>());
  call.facts = facts_from(json);
  return call;
}

void refuse_error_answer(const Json& json) {
  if (json.at("answer") == "error")
    throw std::runtime_error("the adapter did not understand the request: " +
                             json.at("message").get<std::string>());
}

Json to_json(const CallAnswer& answer) {
  Json trials = Json::array();
  for (const Trial& trial : answer.trials)
    trials.push_back({{"config", trial.config},
                      {"failure", trial.failure},
                      {"median_ns", trial.median_ns},
                      {"reps", trial.reps}});
  Json json = {{"answer", "call"},
               {"outcome", answer.done ? "done" : "failed"},
               {"message", answer.message},
               {"winner", answer.winner ? Json(*answer.winner) : Json()},
               {"cache", name_of(answer.cache)},
               {"missed_axes", answer.missed_axes},
               {"trials", trials}};
  if (answer.compiles) json["compiles"] = *answer.compiles;
  if (answer.capture_valid) json["capture_valid"] = *answer.capture_valid;
  if (answer.snapshot_bytes) json["snapshot_bytes"] = *answer.snapshot_bytes;
  if (!answer.remote.empty()) json["remote"] = answer.remote;
  if (!answer.table.empty()) json["table"] = answer.table;
  if (!answer.bundle.empty()) json["bundle"] = answer.bundle;
  if (answer.given_meanwhile) json["given_meanwhile"] = *answer.given_meanwhile;
  if (!answer.search_failure.empty()) json["search_failure"] = answer.search_failure;
  return json;
}

// What an adapter answers is looked at field by field: what is no whole number is not made one.
[[noreturn]] void wrong(const std::string& name, const std::string& expected, const Json& found) {
  constexpr std::size_t quoted = 60;
  const std::string text = found.dump(-1, ' ', false, Json::error_handler_t::replace);
  throw std::runtime_error("\"" + name + "\": expected " + expected + ", found " +
                           text.substr(0, quoted) + (text.size() > quoted ? "..." : ""));
}

const Json& member(const Json& json, const std::string& name) {
  if (!json.is_object()) wrong("the answer", "an object", json);
  const auto found = json.find(name);
  if (found == json.end()) throw std::runtime_error("\"" + name + "\" is missing");
  return *found;
}

std::string text_in(const Json& json, const std::string& name) {
  const Json& value = member(json, name);
  if (!value.is_string()) wrong(name, "a text", value);
  return value.get<std::string>();
}

std::vector<std::string> texts_in(const Json& json, const std::string& name) {
  const Json& value = member(json, name);
  const bool are_texts =
      value.is_array() &&
      std::all_of(value.begin(), value.end(), [](const Json& each) { return each.is_string(); });
  if (!are_texts) wrong(name, "a list of texts", value);
  return value.get<std::vector<std::string>>();
}

template <class Integer>
Integer whole_from(const Json& value, const std::string& name, Integer least) {
  constexpr Integer most = std::numeric_limits<Integer>::max();
  if (value.is_number_unsigned() && std::cmp_less_equal(value.get<std::uint64_t>(), most) &&
      std::cmp_greater_equal(value.get<std::uint64_t>(), least))
    return static_cast<Integer>(value.get<std::uint64_t>());
  if (value.is_number_integer() && !value.is_number_unsigned() &&
      std::cmp_greater_equal(value.get<std::int64_t>(), least) &&
      std::cmp_less_equal(value.get<std::int64_t>(), most))
    return static_cast<Integer>(value.get<std::int64_t>());
  wrong(name, "a whole number from " + std::to_string(least) + " to " + std::to_string(most),
        value);
}

Config config_in(const Json& json, const std::string& name) {
  const Json& value = member(json, name);
  if (!value.is_object()) wrong(name, "an object of whole numbers", value);
  Config config;
  for (const auto& [parameter, number] : value.items())
    config[parameter] =
        whole_from(number, name + "." + parameter, std::numeric_limits<std::int64_t>::min());
  return config;
}

Trial trial_in(const Json& json) {
  Trial trial;
  trial.config = config_in(json, "config");
  if (json.contains("failure")) trial.failure = text_in(json, "failure");
  if (const auto found = json.find("median_ns");
      found != json.end() && !found->is_null() && !found->is_number())
    wrong("median_ns", "a number or null", *found);
  trial.median_ns = time_from(json);
  if (json.contains("reps")) trial.reps = whole_from(json.at("reps"), "reps", 0);
  return trial;
}

// One of these words; "" where the answer does not say.
std::string word_in(const Json& json, const std::string& name,
                    const std::vector<std::string>& known) {
  if (!json.contains(name)) return {};
  std::string word = text_in(json, name);
  if (std::find(known.begin(), known.end(), word) != known.end()) return word;
  std::string expected;
  for (std::size_t i = 0; i < known.size(); ++i)
    expected += (i == 0 ? "\"" : i + 1 == known.size() ? " or \"" : ", \"") + known[i] + "\"";
  wrong(name, expected, json.at(name));
}

CallAnswer answer_from(const Json& json) {
  if (text_in(json, "answer") != "call") wrong("answer", "\"call\"", json.at("answer"));
  CallAnswer answer;
  const std::string outcome = text_in(json, "outcome");
  answer.done = outcome == "done";
  if (!answer.done && outcome != "failed")
    wrong("outcome", "\"done\" or \"failed\"", json.at("outcome"));
  answer.message = text_in(json, "message");
  if (!member(json, "winner").is_null()) answer.winner = config_in(json, "winner");
  const auto cache = std::find(cache_names.begin(), cache_names.end(), text_in(json, "cache"));
  if (cache == cache_names.end())
    wrong("cache", "\"hit\", \"miss\", \"stale\", \"disabled\", \"pending\" or \"unchecked\"",
          json.at("cache"));
  answer.cache = static_cast<CacheState>(cache - cache_names.begin());
  if (json.contains("missed_axes")) answer.missed_axes = texts_in(json, "missed_axes");
  if (json.contains("compiles"))
    answer.compiles = whole_from(json.at("compiles"), "compiles", std::int64_t{0});
  if (json.contains("trials")) {
    if (!json.at("trials").is_array()) wrong("trials", "a list", json.at("trials"));
    for (const Json& trial : json.at("trials"))
      answer.trials.push_back(trial_in(trial));
  }
  if (json.contains("capture_valid")) {
    if (!json.at("capture_valid").is_boolean())
      wrong("capture_valid", "true or false", json.at("capture_valid"));
    answer.capture_valid = json.at("capture_valid").get<bool>();
  }
  if (json.contains("snapshot_bytes"))
    answer.snapshot_bytes =
        whole_from(json.at("snapshot_bytes"), "snapshot_bytes", std::int64_t{0});
  answer.remote = word_in(json, "remote", remote_uses());
  answer.table = word_in(json, "table", table_uses());
  answer.bundle = word_in(json, "bundle", bundle_uses());
  if (json.contains("given_meanwhile"))
    answer.given_meanwhile =
        whole_from(json.at("given_meanwhile"), "given_meanwhile", std::int64_t{0});
  if (json.contains("search_failure")) answer.search_failure = text_in(json, "search_failure");
  return answer;
}

Hello hello_from(const Json& json) {
  if (text_in(json, "answer") != "hello") wrong("answer", "\"hello\"", json.at("answer"));
  Hello hello;
  hello.protocol = whole_from(member(json, "protocol"), "protocol", 0);
  hello.tuner = text_in(json, "tuner");
  hello.tuner_version = text_in(json, "version");
  hello.backend = backend_from(member(json, "backend"));
  hello.device = text_in(json, "device");
  hello.arch = text_in(json, "arch");
  hello.capabilities = texts_in(json, "capabilities");
  const Json policies = member(json, "policies");
  if (!policies.is_object()) wrong("policies", "an object of texts", policies);
  for (const auto& [name, value] : policies.items())
    hello.policies[name] = text_in(policies, name);
  if (json.contains("devices")) hello.devices = whole_from(json.at("devices"), "devices", 1);
  return hello;
}

// Parses a line and reads it with `read`, turning every kind of nonsense into one error.
template <class Read>
auto read_line(const std::string& line, std::string_view expected, Read&& read)
    -> Result<decltype(read(Json()))> {
  constexpr std::size_t quoted = 200;
  try {
    const auto json = parse_json<Json>(line);
    if (!json.is_object()) throw std::invalid_argument("expected an object");
    return read(json);
  } catch (const std::exception& error) {
    return failure("expected {} as one line of JSON; {}; found: {}{}", expected,
                   json_problem(error), line.substr(0, quoted), line.size() > quoted ? "..." : "");
  }
}

}  // namespace

const std::vector<std::string>& table_uses() {
  static const std::vector<std::string> words = {"exact", "nearest", "absent", "refused"};
  return words;
}

const std::vector<std::string>& bundle_uses() {
  static const std::vector<std::string> words = {"loaded", "absent", "refused"};
  return words;
}

const std::vector<std::string>& remote_uses() {
  static const std::vector<std::string> words = {"hit", "config", "miss", "refused", "failed"};
  return words;
}

const std::vector<std::string>& search_strategies() {
  static const std::vector<std::string> names = {"exhaustive", "random", "coordinate_descent",
                                                 "successive_halving"};
  return names;
}

std::string_view name_of(CacheState state) {
  return cache_names.at(static_cast<std::size_t>(state));
}

std::string hello_request(DeviceKind backend) {
  return dump({{"request", "hello"}, {"protocol", version}, {"backend", name_of(backend)}});
}
std::string version_mismatch(int theirs) {
  return "speaks protocol version " + std::to_string(theirs) + "; this tunecheck speaks " +
         std::to_string(version) + ": " + std::string(version_help);
}
std::string quit_request() {
  return dump({{"request", "quit"}});
}
bool is_quit_answer(const std::string& line) {
  const Json json = parse_json_or_discard<Json>(line);
  return json.is_object() && json.contains("answer") && json["answer"] == "quit";
}

std::string quit_answer() {
  return dump({{"answer", "quit"}});
}
std::string error_answer(const std::string& message) {
  return dump({{"answer", "error"}, {"message", message}});
}

std::string to_line(const CallRequest& request) {
  return dump(to_json(request));
}

std::string to_line(const std::vector<CallRequest>& requests) {
  Json calls = Json::array();
  for (const CallRequest& request : requests)
    calls.push_back(to_json(request));
  return dump({{"request", "calls"}, {"calls", calls}});
}

std::string to_line(const Hello& hello) {
  Json json = {{"answer", "hello"},
               {"protocol", hello.protocol},
               {"tuner", hello.tuner},
               {"version", hello.tuner_version},
               {"backend", name_of(hello.backend)},
               {"device", hello.device},
               {"arch", hello.arch},
               {"capabilities", hello.capabilities},
               {"policies", hello.policies}};
  if (hello.devices != 1) json["devices"] = hello.devices;
  return dump(json);
}

std::string to_line(const CallAnswer& answer) {
  return dump(to_json(answer));
}

std::string to_line(const std::vector<CallAnswer>& answers) {
  Json calls = Json::array();
  for (const CallAnswer& answer : answers)
    calls.push_back(to_json(answer));
  return dump({{"answer", "calls"}, {"calls", calls}});
}

std::optional<std::string> error_in(const std::string& line) {
  const Json json = parse_json_or_discard<Json>(line);
  if (!json.is_object() || json.value("answer", Json()) != "error") return std::nullopt;
  const Json message = json.value("message", Json());
  return message.is_string() ? message.get<std::string>() : "no reason given";
}

Result<Hello> parse_hello(const std::string& line) {
  return read_line(line, "the answer to hello", hello_from);
}

Result<CallAnswer> parse_call_answer(const std::string& line) {
  return read_line(line, "the answer to a call", [](const Json& json) {
    refuse_error_answer(json);
    return answer_from(json);
  });
}

Result<std::vector<CallAnswer>> parse_call_answers(const std::string& line, std::size_t count) {
  return read_line(line, "the answer to calls", [count](const Json& json) {
    refuse_error_answer(json);
    if (text_in(json, "answer") != "calls") wrong("answer", "\"calls\"", json.at("answer"));
    if (!member(json, "calls").is_array()) wrong("calls", "a list", json.at("calls"));
    std::vector<CallAnswer> answers;
    for (const Json& each : json.at("calls"))
      answers.push_back(answer_from(each));
    if (answers.size() != count)
      throw std::runtime_error("expected " + std::to_string(count) + " answers");
    return answers;
  });
}

Result<Request> parse_request(const std::string& line) {
  return read_line(line, "a request", [&line](const Json& json) {
    Request request;
    const auto kind = json.at("request").get<std::string>();
    if (kind == "hello") {
      request.kind = RequestKind::hello;
      const int theirs = json.value("protocol", version);
      if (theirs != version)
        throw std::runtime_error("expected protocol version " + std::to_string(version) +
                                 ", found " + std::to_string(theirs) + ": " +
                                 std::string(version_help));
      if (const auto named = json.find("backend"); named != json.end())
        request.backend = backend_from(*named);
    } else if (kind == "call") {
      request.kind = RequestKind::call;
      request.calls.push_back(request_from(json));
    } else if (kind == "calls") {
      request.kind = RequestKind::calls;
      for (const Json& each : json.at("calls"))
        request.calls.push_back(request_from(each));
    } else if (kind == "export" || kind == "import") {
      request.kind = RequestKind::archive;
      auto archive = parse_archive_request(line);
      if (!archive) throw std::runtime_error(archive.error().message);
      request.archive = std::move(*archive);
    } else if (kind != "quit") {
      throw std::runtime_error("expected hello, call, calls, export, import or quit, found \"" +
                               kind + "\"");
    }
    return request;
  });
}

}  // namespace tunecheck::protocol
