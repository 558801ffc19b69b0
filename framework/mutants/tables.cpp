// Bugs in what is launched without a search: configs of an offline table, and the caller's own.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "core/digest.hpp"
#include "mutants/decorators.hpp"
#include "mutants/families.hpp"
#include "tuner/table_tier.hpp"

namespace tunecheck::mutants {
namespace {

using table::OfflineTable;
using table::Question;

// The table is looked up as it is after `change`, which sees each entry with the question.
template <class Change>
void change_entries(ReferenceAdapterSetup& setup, Change change) {
  setup.parts.look_up = [change, inner = setup.parts.look_up](OfflineTable table,
                                                              const Question& question) {
    for (table::Entry& entry : table.entries)
      change(entry, question);
    return inner(table, question);
  };
}

void plant_first_entry(ReferenceAdapterSetup& setup) {
  setup.parts.look_up = [inner = setup.parts.look_up](OfflineTable table,
                                                      const Question& question) {
    if (table.entries.size() > 1) table.entries.resize(1);
    for (table::Entry& entry : table.entries)
      entry.sizes = question.sizes;
    return inner(table, question);
  };
}

void plant_any_config(ReferenceAdapterSetup& setup) {
  setup.parts.look_up = [inner = setup.parts.look_up](const OfflineTable& table,
                                                      Question question) {
    std::vector<Config> all;
    for (const table::Entry& entry : table.entries)
      all.push_back(entry.config);
    question.allowed = all;
    return inner(table, question);
  };
}

void plant_exact_only(ReferenceAdapterSetup& setup) {
  setup.parts.look_up = [inner = setup.parts.look_up](const OfflineTable& table,
                                                      const Question& question) {
    table::Choice choice = inner(table, question);
    if (choice.use == table::Use::nearest)
      choice = {table::Use::absent, {}, {}, "it has no entry for these sizes"};
    return choice;
  };
}

TunerOptions without_store(TunerOptions options) {
  options.cache_folder.clear();
  return options;
}

// What the store asks of the table: whatever the options name, read anew.
table::Choice choice_for(const TunerOptions& options, const KeyContext& context) {
  if (options.table_file.empty()) return {};
  const detail::TunerState state(context.backend, without_store(options), TunerParts::standard());
  return detail::ask_table(state, context.request, context.facts, *context.call);
}

class TableFirst : public StoreDecorator {
 public:
  TableFirst(std::unique_ptr<WinnerStore> inner, const TunerOptions& options)
      : StoreDecorator(std::move(inner)), m_options(options) {}
  Found find(const Key& key, const KeyContext& context) override {
    const table::Choice choice = choice_for(m_options, context);
    if (choice.use == table::Use::exact || choice.use == table::Use::nearest) return {};
    return StoreDecorator::find(key, context);
  }

 private:
  TunerOptions m_options;
};

// Puts the table's config into the cache as if it had won.
class StoresTheTables : public StoreDecorator {
 public:
  StoresTheTables(std::unique_ptr<WinnerStore> inner, const TunerOptions& options)
      : StoreDecorator(std::move(inner)), m_options(options) {}
  Found find(const Key& key, const KeyContext& context) override {
    Found found = StoreDecorator::find(key, context);
    if (found.state == Found::State::hit) return found;
    const table::Choice choice = choice_for(m_options, context);
    if (choice.use != table::Use::exact && choice.use != table::Use::nearest) return found;
    const auto artifact = compile_config(context, choice.config);
    if (!artifact) return found;
    (void)StoreDecorator::put(
        {key, choice.config, artifact_digest(artifact->bytes), artifact->bytes.size(), {}, 1, "0"},
        *artifact);
    return StoreDecorator::find(key, context);
  }

 private:
  TunerOptions m_options;
};

template <class Store>
void use_table_store(ReferenceAdapterSetup& setup) {
  setup.parts.make_store = [inner = std::move(setup.parts.make_store)](
                               const TunerOptions& options) -> std::unique_ptr<WinnerStore> {
    return std::make_unique<Store>(inner(options), options);
  };
}

// Neither the caller nor the log hears why the table was not used.
class SilentTable : public ObserverDecorator {
 public:
  using ObserverDecorator::ObserverDecorator;
  void on_report(CallReport& report) override {
    if (report.table == table::Use::refused || report.table == table::Use::absent)
      report.table = table::Use::none;
    ObserverDecorator::on_report(report);
  }
};

void plant_trouble_fails_the_call(ReferenceAdapterSetup& setup) {
  setup.before_answer = [](const protocol::CallRequest&, protocol::CallAnswer& answer) {
    if (answer.table == "refused") answer.done = false;
  };
}

// Whoever may not search must not do so because something stored is damaged, either.
class SearchesWhenStale : public StoreDecorator {
 public:
  SearchesWhenStale(std::unique_ptr<WinnerStore> inner, std::shared_ptr<std::atomic<bool>> stale)
      : StoreDecorator(std::move(inner)), m_stale(std::move(stale)) {}
  Found find(const Key& key, const KeyContext& context) override {
    Found found = StoreDecorator::find(key, context);
    *m_stale = found.state == Found::State::stale;
    return found;
  }

 private:
  std::shared_ptr<std::atomic<bool>> m_stale;
};

void plant_searches_when_stale(ReferenceAdapterSetup& setup) {
  const auto stale = std::make_shared<std::atomic<bool>>(false);
  decorate_store<SearchesWhenStale>(setup, stale);
  setup.parts.may_search = [stale](const TunerOptions& options) {
    return options.may_search || *stale;
  };
}

class RemembersFailure : public RemoteCache {
 public:
  RemembersFailure(std::unique_ptr<RemoteStore> store, RemoteOptions options,
                   std::shared_ptr<std::atomic<bool>> failed)
      : RemoteCache(std::move(store), std::move(options)), m_failed(std::move(failed)) {}
  RemoteFound find(const Key& key) override {
    RemoteFound found = RemoteCache::find(key);
    *m_failed = found.use == RemoteUse::failed;
    return found;
  }

 private:
  std::shared_ptr<std::atomic<bool>> m_failed;
};

void plant_searches_when_remote_fails(ReferenceAdapterSetup& setup) {
  const auto failed = std::make_shared<std::atomic<bool>>(false);
  setup.parts.make_remote = [failed](const RemoteOptions& options) {
    return std::make_unique<RemembersFailure>(open_remote_store(options), options, failed);
  };
  setup.parts.may_search = [failed](const TunerOptions& options) {
    return options.may_search || *failed;
  };
}

void plant_searches_despite_table(ReferenceAdapterSetup& setup) {
  setup.parts.look_up = [](const OfflineTable&, const Question&) {
    return table::Choice{table::Use::absent, {}, {}, "it is not asked"};
  };
}

}  // namespace

std::vector<Mutant> table_mutants() {
  return {
      {"default_goes_last", "searches although a default config is to go before a search",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.must_search_last = [](const TunerOptions&) { return false; };
       }},
      {"explicit_config_ignored", "looks for a winner although the caller names a config",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.choose_explicit = [](const TuneRequest&) { return std::optional<Config>(); };
       }},
      {"searches_when_remote_fails",
       "searches although searching is switched off, if the remote cache does not answer",
       plant_searches_when_remote_fails},
      {"searches_when_stale",
       "searches although searching is switched off, if its stored winner is damaged",
       plant_searches_when_stale},
      {"table_before_cache",
       "launches what an offline table says although a winner that was found here is stored",
       use_table_store<TableFirst>},
      {"table_never_asked", "never asks the offline table", plant_searches_despite_table},
      {"table_never_told", "writes no winner into the offline table",
       [](ReferenceAdapterSetup& setup) {
         setup.parts.tell_table = [](const std::filesystem::path&, const table::Entry&) {
           return Result<void>();
         };
       }},
      {"table_of_any_code", "uses entries of a table that were made for other code of the kernel",
       [](ReferenceAdapterSetup& setup) {
         change_entries(setup, [](table::Entry& entry, const Question&) { entry.code.clear(); });
       }},
      {"table_of_any_device", "uses entries of a table that were made for another device",
       [](ReferenceAdapterSetup& setup) {
         change_entries(setup, [](table::Entry& entry, const Question& question) {
           entry.device = question.device;
         });
       }},
      {"table_of_any_dtype", "uses entries of a table that were made for other dtypes",
       [](ReferenceAdapterSetup& setup) {
         change_entries(setup, [](table::Entry& entry, const Question& question) {
           entry.dtypes = question.dtypes;
         });
       }},
      {"table_outside_space",
       "launches a config of a table that the kernel does not allow for this call",
       plant_any_config},
      {"table_takes_first", "uses the first entry of a table, whatever sizes it is for",
       plant_first_entry},
      {"table_takes_no_neighbour",
       "uses a table for sizes that it has, and not for those near them", plant_exact_only},
      {"table_trouble_fails_the_call", "fails a call if the offline table cannot be used",
       plant_trouble_fails_the_call},
      {"table_trouble_is_silent", "says nothing of an offline table that cannot be used",
       [](ReferenceAdapterSetup& setup) { decorate_observer<SilentTable>(setup); }},
      {"table_winner_stored",
       "stores what an offline table says as the winner, so that nobody ever searches",
       use_table_store<StoresTheTables>},
  };
}

}  // namespace tunecheck::mutants
