#include "hand_made_record.hpp"

namespace tunecheck::test {
namespace {

const std::vector<std::string> tensor_names = {"in", "io", "sum", "out"};

std::vector<TensorRecord> good_tensors() {
  std::vector<TensorRecord> tensors;
  for (const std::string& name : tensor_names) {
    TensorRecord& tensor = tensors.emplace_back();
    tensor.digest_before = "caller's " + name;
    tensor.digest_zero = "zeros of " + name;
    tensor.digest_after = (name == "in" ? "caller's " : "new ") + name;
    tensor.unchanged = name == "in";
    if (name != "in") tensor.comparison = comparison_with(0);
  }
  return tensors;
}

FileRecord file_of(const std::string& config) {
  return {config + ".so", 100, 0644, "artifact of " + config};
}

protocol::CallAnswer answer_of(protocol::CacheState cache) {
  protocol::CallAnswer answer;
  answer.done = true;
  answer.winner = Config{{"step", 2}};
  answer.cache = cache;
  return answer;
}

CallRecord tuned_call() {
  CallRecord call;
  call.number = 1;
  call.answer = answer_of(protocol::CacheState::miss);
  call.answer->compiles = 2;
  for (const int step : {1, 2}) {
    const std::string config = fmt::format("step={}", step);
    call.compiles.push_back(compile_of(config));
    call.launches.push_back(launch_of(config));
    call.launches.push_back(launch_of(config));
    call.answer->trials.push_back({{{"step", step}}, "", 1000, 2});
  }
  call.launches.push_back(launch_of("step=2"));
  call.cache_after.files = {file_of("step=2"), {"step=2.json", 10, 0644, "entry"}};
  call.cache_listing_after = "complete";
  call.tensors = good_tensors();
  return call;
}

CallRecord hit() {
  CallRecord call;
  call.number = 1;
  call.answer = answer_of(protocol::CacheState::hit);
  call.launches.push_back(launch_of("step=2"));
  call.cache_before.files = {file_of("step=2"), {"step=2.json", 10, 0644, "entry"}};
  call.cache_after = call.cache_before;
  call.cache_listing_after = "complete";
  call.tensors = good_tensors();
  return call;
}

KernelDefinition kernel_with_every_access() {
  KernelDefinition kernel;
  kernel.name = "toy";
  const std::vector<Access> accesses = {Access::read, Access::in_place, Access::in_place,
                                        Access::write};
  for (std::size_t i = 0; i < tensor_names.size(); ++i) {
    TensorParameter& tensor = kernel.tensors.emplace_back();
    tensor.name = tensor_names[i];
    tensor.access = accesses[i];
  }
  kernel.restore_value = {"io"};
  kernel.reset_to_zero = {"sum"};
  return kernel;
}

}  // namespace

HandMadeRecord::HandMadeRecord() : kernel(kernel_with_every_access()) {
  scenario.name = "test.toy";
  record.scenario = &scenario;
  record.kernel = &kernel;
  record.adapter = &adapter;
  for (const char* const name : {"cold", "warm"}) {
    const bool cold = record.processes.empty();
    ProcessStep& step = processes.emplace_back();
    step.name = name;
    step.line = cold ? 10 : 20;
    calls.emplace_back().line = cold ? 11 : 21;
    ProcessRecord& process = record.processes.emplace_back();
    process.step = &step;
    process.evidence_file = step.name + "/evidence.jsonl";
    process.log_file = step.name + "/adapter.log";
    process.calls.push_back(cold ? tuned_call() : hit());
    process.calls.back().step = &calls.back();
    process.calls.back().request.facts.default_config = {{"step", 2}};
    for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
      process.calls.back().tensors.at(i).is_read_only = kernel.tensors[i].access == Access::read;
  }
}

Answer HandMadeRecord::ask(const std::string& check, const std::string& process,
                           const std::string& parameter) {
  const ProcessRecord& asked = *record.process(process);
  return find_check(check)->judge({record, asked, asked.calls.at(0), parameter});
}

LaunchEvent launch_of(const std::string& config) {
  LaunchEvent launch;
  launch.kernel = "toy";
  launch.config = config;
  launch.module = "artifact of " + config;
  launch.digests = {"caller's in", "caller's io", "zeros of sum", "poison"};
  launch.left = {"caller's in", "new io", "new sum", "new out"};
  launch.places.assign(launch.digests.size(), {16, {8, 4}, {6, 1}});
  launch.stored = "complete";
  launch.ended = true;
  launch.elapsed_ns = 1000;
  return launch;
}

CompileEvent compile_of(const std::string& config) {
  CompileEvent compile;
  compile.tool = "c++";
  compile.arguments = {"-O3", "-DTUNECHECK_CONFIG=" + config};
  compile.output_digest = "artifact of " + config;
  return compile;
}

void configs_unknown(HandMadeRecord& record) {
  for (CallRecord* const call : {&record.cold(), &record.warm()})
    for (LaunchEvent& launch : call->launches)
      launch.config.clear();
}

Comparison comparison_with(std::int64_t wrong) {
  Comparison comparison;
  comparison.elements = 4;
  comparison.wrong = wrong;
  if (wrong > 0) comparison.first_wrong = {3};
  comparison.expected = 1;
  comparison.actual = 2;
  return comparison;
}

}  // namespace tunecheck::test
