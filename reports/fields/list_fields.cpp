#include "reports/fields/list_fields.hpp"

namespace tunecheck::listed {
namespace {

// A document is its version, the program's, and one list.
template <class T, class Item>
std::vector<Field<T>> document(const char* name, std::vector<Item> T::*items) {
  return {schema_field<T>(list_schema_version),
          {"tunecheck_version", &T::tunecheck_version},
          {name, items}};
}

}  // namespace

const Fields<Scenario>& fields_of(Of<Scenario>) {
  using T = Scenario;
  static const Fields<T> fields = {
      "ListedScenario",
      "",
      {{"name", &T::name},
       {"family", &T::family, {.says = "the name up to its first dot"}},
       {"because", &T::because, {.says = "the bug that it guards against"}},
       {"kernel", &T::kernel},
       {"file", &T::file},
       {"line", &T::line, {.least = 1}},
       {"devices", &T::devices, {.says = "kinds of device, the --backend of a run, that run it"}},
       {"needs", &T::needs, {.says = "capabilities of the adapter"}},
       {"checks", &T::checks, {.says = "that it asks for by name"}},
       {"catches", &T::catches, {.says = "mutants that it must notice"}},
       {"measures", &T::measures, {.says = "it judges times, and so it runs alone"}}}};
  return fields;
}

const Fields<Check>& fields_of(Of<Check>) {
  using T = Check;
  static const Fields<T> fields = {
      "ListedCheck",
      "",
      {{"name", &T::name},
       {"family", &T::family},
       {"question", &T::question, {.says = "yes is the good answer"}},
       {"summary", &T::summary},
       {"capability", &T::capability, {.says = "of the adapter; empty if it needs none"}},
       {"explained_by",
        &T::explained_by,
        {.says = "checks whose failure explains that this one fails as well"}},
       {"is_statistical", &T::is_statistical, {.says = "it judges times"}}}};
  return fields;
}

const Fields<Kernel>& fields_of(Of<Kernel>) {
  using T = Kernel;
  static const Fields<T> fields = {
      "ListedKernel",
      "",
      {{"name", &T::name},
       {"summary", &T::summary},
       {"folder", &T::folder},
       {"devices", &T::devices, {.says = "kinds of device that it has a source for"}},
       {"sizes", &T::sizes},
       {"dtypes", &T::dtypes, {.says = "its variants, as `kernels tune --dtype` takes them"}},
       {"restore_value", &T::restore_value, {.says = "tensors put back before each rep"}},
       {"reset_to_zero", &T::reset_to_zero, {.says = "tensors zeroed before each rep"}}}};
  return fields;
}

const Fields<Adapter>& fields_of(Of<Adapter>) {
  using T = Adapter;
  static const Fields<T> fields = {
      "ListedAdapter",
      "",
      {{"name", &T::name, {.says = "as --adapter takes it"}},
       {"summary", &T::summary},
       {"file", &T::file, {.says = "its adapter.info"}},
       {"devices", &T::devices, {.says = "kinds of device"}},
       {"capabilities", &T::capabilities},
       {"has_mutants", &T::has_mutants, {.says = "`tunecheck mutants list --adapter NAME`"}}}};
  return fields;
}

const Fields<Mutant>& fields_of(Of<Mutant>) {
  using T = Mutant;
  static const Fields<T> fields = {"ListedMutant",
                                   "",
                                   {{"name", &T::name},
                                    {"adapter", &T::adapter, {.says = "as --adapter takes it"}},
                                    {"summary", &T::summary}}};
  return fields;
}

const Fields<Version>& fields_of(Of<Version>) {
  using T = Version;
  static const Fields<T> fields = {
      "VersionDocument",
      "",
      {schema_field<T>(list_schema_version),
       {"tunecheck_version", &T::tunecheck_version},
       {"protocol", &T::protocol, {.says = "of adapters", .least = 1}},
       {"schemas", &T::schemas, {.says = "the version of each kind of file that it writes"}}}};
  return fields;
}

const Fields<Scenarios>& fields_of(Of<Scenarios>) {
  static const Fields<Scenarios> fields = {"ScenarioList", "",
                                           document("scenarios", &Scenarios::scenarios)};
  return fields;
}

const Fields<Checks>& fields_of(Of<Checks>) {
  static const Fields<Checks> fields = {"CheckList", "", document("checks", &Checks::checks)};
  return fields;
}

const Fields<Kernels>& fields_of(Of<Kernels>) {
  static const Fields<Kernels> fields = {"KernelList", "", document("kernels", &Kernels::kernels)};
  return fields;
}

const Fields<Adapters>& fields_of(Of<Adapters>) {
  static const Fields<Adapters> fields = {"AdapterList", "",
                                          document("adapters", &Adapters::adapters)};
  return fields;
}

const Fields<Mutants>& fields_of(Of<Mutants>) {
  static const Fields<Mutants> fields = {"MutantList", "", document("mutants", &Mutants::mutants)};
  return fields;
}

}  // namespace tunecheck::listed
