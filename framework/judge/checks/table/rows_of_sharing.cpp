#include "judge/checks/table/rows_of_sharing.hpp"

#include <array>

#include "judge/checks/table/questions.hpp"

namespace tunecheck {
namespace {

constexpr auto sharing_rows = std::to_array<Check>({
    {.name = "remote.asked",
     .family = "remote",
     .question = "Is a remote cache asked for what is not on disk?",
     .summary = "a call that finds no winner in its cache folder asks the remote cache",
     .capability = "remote",
     .judge = checks::remote_asked},
    {.name = "remote.left_alone",
     .family = "remote",
     .question = "Is a winner from a remote cache kept on disk?",
     .summary = "a call that finds its winner in its cache folder asks no remote cache",
     .capability = "remote",
     .judge = checks::remote_left_alone},
    {.name = "remote.within_limit",
     .family = "remote",
     .question = "Does a remote cache that hangs cost a call no more than a stated time?",
     .summary = "no request to a remote cache is waited for longer than so many seconds",
     .parameter = CheckParameter::seconds,
     .capability = "remote",
     .judge = checks::remote_within_limit},
    {.name = "remote.told",
     .family = "remote",
     .question = "Does the tuner say that a remote cache failed or lied?",
     .summary = "the answer says that the remote cache failed, or what of it must not be used",
     .capability = "remote_report",
     .judge = checks::remote_told},
    {.name = "table.told",
     .family = "table",
     .question = "Does the tuner say why its offline table is not used?",
     .summary =
         "the answer says that an offline table has nothing for the call, or what of it must "
         "not be used",
     .capability = "table_report",
     .judge = checks::table_told},
    {.name = "bundle.told",
     .family = "bundle",
     .question = "Does the tuner say that a bundle must not be used?",
     .summary = "the answer says that a bundle must not be used, and why",
     .capability = "bundle_report",
     .judge = checks::bundle_told},
    {.name = "bundle.written",
     .family = "bundle",
     .question = "Does a program leave a bundle of what it used?",
     .summary = "there is a bundle when the process has ended",
     .capability = "bundle",
     .judge = checks::bundle_written},
    {.name = "bundle.unwritten",
     .family = "bundle",
     .question = "Does a program that used nothing leave no bundle?",
     .summary = "there is no bundle when the process has ended",
     .capability = "bundle",
     .judge = checks::bundle_unwritten},
    {.name = "pending.answered_first",
     .family = "pending",
     .question = "Is a call that may not wait answered at once, before its winner is searched for?",
     .summary = "a call that does not wait launches the default config or a stored winner, and is "
                "answered before the search ends",
     .capability = "pending",
     .judge = checks::pending_answered_first},
    {.name = "pending.delivered",
     .family = "pending",
     .question = "Do later calls get the winner that was searched for meanwhile?",
     .summary =
         "the winner of the search that earlier calls did not wait for is stored and launched",
     .capability = "pending",
     .judge = checks::pending_delivered},
    {.name = "pending.counted",
     .family = "pending",
     .question = "Does the tuner say how many calls got another config meanwhile?",
     .summary =
         "the answer counts the calls that got another config while the winner was searched for",
     .capability = "pending_report",
     .judge = checks::pending_counted},
    {.name = "pending.trouble_told",
     .family = "pending",
     .question = "If a search in the background fails, is a later caller told?",
     .summary =
         "a later call says that the search has failed, and why, and launches another config",
     .capability = "pending_report",
     .judge = checks::pending_trouble_told},
    {.name = "archive.told",
     .family = "archive",
     .question = "Does the tuner refuse exported entries that must not be used, and say why?",
     .summary = "an import of what must not be used fails with a message, and the process goes on",
     .capability = "archive",
     .judge = checks::archive_told},
    {.name = "archive.keeps_newer",
     .family = "archive",
     .question = "Does an import leave newer entries of the cache folder alone?",
     .summary =
         "after an import of older entries, the files that the named process left are as they were",
     .parameter = CheckParameter::process,
     .capability = "archive",
     .judge = checks::archive_keeps_newer},
});

}  // namespace

std::span<const Check> rows_of_sharing() {
  return sharing_rows;
}

}  // namespace tunecheck
