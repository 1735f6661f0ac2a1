# licit_stress_rows(structure folder): writes folder/<structure>.hpp, the rows of one structure as constants, from
# rows.txt; sets LICIT_STRESS_COUNT to how many there are. licit_stress_structures(list): the structures of rows.txt.
set(licit_stress_here ${CMAKE_CURRENT_LIST_DIR})
set(licit_suites_folder ${CMAKE_CURRENT_LIST_DIR}/../../suites)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${licit_stress_here}/rows.txt)

function(licit_stress_structures into)
  file(STRINGS ${licit_stress_here}/rows.txt lines REGEX "^[a-z]")
  list(TRANSFORM lines REPLACE " .*" "")
  list(REMOVE_DUPLICATES lines)
  set(${into} ${lines} PARENT_SCOPE)
endfunction()

# The file of models/suites that has the structure's suite; empty: there is none.
function(licit_suite_file structure into)
  string(REPLACE - _ id ${structure})
  file(GLOB files ${licit_suites_folder}/*.hpp)
  set(${into} "" PARENT_SCOPE)
  foreach(file IN LISTS files)
    file(STRINGS ${file} found REGEX "^struct ${id}_suite ")
    if(found)
      get_filename_component(name ${file} NAME)
      set(${into} ${name} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(licit_stress_rows structure folder)
  string(REPLACE - _ id ${structure})
  licit_suite_file(${structure} suite)
  file(STRINGS ${licit_stress_here}/rows.txt lines REGEX "^${structure} ")
  list(LENGTH lines count)
  set(rows "")
  foreach(line IN LISTS lines)
    string(REPLACE " | " ";" parts "${line}")
    list(GET parts 1 name)
    list(GET parts 2 shown)
    list(GET parts 3 changes)
    list(GET parts 4 programs)
    string(REGEX REPLACE "^-$" "" changes "${changes}")
    string(REGEX REPLACE "([^ ,]+) ([a-z_]+) ([a-z_]+) ([a-z_]+)" "{\"\\1\", change::\\2, order::\\3, order::\\4}" changes
                         "${changes}")
    string(REGEX REPLACE "([^ ]+)" "\"\\1\"" programs "${programs}")
    string(REPLACE " " ", " programs "${programs}")
    string(REPLACE shown true shown ${shown})
    string(REPLACE hidden false shown ${shown})
    string(APPEND rows "      row{\"${name}\", ${shown}, {${changes}}, {${programs}}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/${id}.hpp CONTENT [[
// Generated from rows.txt by rows.cmake.
#include "machine/stress/row.hpp"
#include "suites/@suite@"

namespace licit::stress {

struct compiled {
  using suite = suites::@id@_suite;
  static constexpr const auto& table = suite::orders;
  static constexpr std::array rows{
@rows@  };
};

}  // namespace licit::stress
]] @ONLY)
  set(LICIT_STRESS_COUNT ${count} PARENT_SCOPE)
endfunction()
