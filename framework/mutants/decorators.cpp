#include "mutants/decorators.hpp"

namespace tunecheck::mutants {
namespace {

class AddCompiles : public ObserverDecorator {
 public:
  AddCompiles(std::shared_ptr<TunerObserver> inner, CompileCount compiles)
      : ObserverDecorator(std::move(inner)), m_compiles(std::move(compiles)) {}
  void on_report(CallReport& report) override {
    report.compiles += m_compiles->exchange(0);
    ObserverDecorator::on_report(report);
  }

 private:
  CompileCount m_compiles;
};

}  // namespace

CompileCount count_compiles(ReferenceAdapterSetup& setup) {
  auto compiles = std::make_shared<std::atomic<std::int64_t>>(0);
  decorate_observer<AddCompiles>(setup, compiles);
  return compiles;
}

Result<Artifact> compile_config(const KeyContext& context, const Config& config) {
  CompileRequest request{.kernel = &context.request.kernel,
                         .dtypes = {},
                         .config = config,
                         .arch = context.facts.arch,
                         .options = context.request.compile_options,
                         .sizes = context.request.sizes};
  for (const TensorView& tensor : context.call->launch.tensors)
    request.dtypes.push_back(tensor.dtype);
  return context.backend.compile(request);
}

}  // namespace tunecheck::mutants
