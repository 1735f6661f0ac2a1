# The sources of a catalogue, which are made from a list of structures. Included by ./CMakeLists.txt and by fuzz/.

# licit_entry_source(structure folder): folder/<structure>.cpp, the entry of the structure.
function(licit_entry_source structure folder)
  file(CONFIGURE OUTPUT ${folder}/${structure}.cpp CONTENT [[
#include "suites/@structure@.hpp"
#include "suites/structure.hpp"

namespace licit::suites {

// Declared by the catalogue, not by a header: `extern` says that this is meant.
extern structure entry_of_@structure@() { return structure_of<@structure@_suite>(); }

}  // namespace licit::suites
]] @ONLY)
endfunction()

# licit_relacy_source(structure folder): folder/relacy_<structure>.cpp, its programs under Relacy.
function(licit_relacy_source structure folder)
  file(CONFIGURE OUTPUT ${folder}/relacy_${structure}.cpp CONTENT [[
#include "relacy/suite.hpp"
#include "suites/@structure@.hpp"

namespace licit::suites {

void add_relacy_to_@structure@(structure& to) {
  models::relacy::program_list all(to);
  @structure@_suite::programs(all);
}

}  // namespace licit::suites
]] @ONLY)
endfunction()

# licit_catalogue_source(file relacy structures...): all entries. Those of the list `relacy` have programs under Relacy.
function(licit_catalogue_source file relacy)
  set(declarations "")
  set(entries "")
  foreach(structure IN LISTS ARGN)
    string(APPEND declarations "structure entry_of_${structure}();\n")
    string(APPEND entries "    made.push_back(entry_of_${structure}());\n")
    if(structure IN_LIST ${relacy})
      string(APPEND declarations "void add_relacy_to_${structure}(structure& to);\n")
      string(APPEND entries "    add_relacy_to_${structure}(made.back());\n")
    else()
      string(APPEND entries "    without_relacy(made.back());\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT [=[
#include "suites/structure.hpp"

#include <vector>

namespace licit::suites {

@declarations@
namespace {

[[maybe_unused]] void without_relacy(structure& s) {
  if (s.no_relacy.empty()) s.no_relacy = "Relacy runs the suites of the deques only";
}

}  // namespace

std::span<const structure> structures() {
  static const std::vector<structure> all = [] {
    std::vector<structure> made;
@entries@    return made;
  }();
  return all;
}

}  // namespace licit::suites
]=] @ONLY)
endfunction()
