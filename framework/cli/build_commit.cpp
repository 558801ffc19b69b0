#include "cli/build_commit.hpp"

#include "result/verdict.hpp"

namespace tunecheck::cli {

void add_build_commit(std::map<std::string, std::string>& environment) {
  if (!build_commit().empty()) environment[tunecheck_commit_fact] = build_commit();
}

}  // namespace tunecheck::cli
