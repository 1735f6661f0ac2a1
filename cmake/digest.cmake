# Digests of sources. Comments, and how much white space there is, do not count.
#
#   link        what the library ships: algorithms, policies, ordering tables. Headers and archive carry it as a
#               symbol, so that headers of other sources do not link.
#   audit       that, the suites (clients, mutants, specifications), and what of the checker decides a verdict.
#   structures  the same for each structure alone: the files that its suite includes. An audit of a structure holds
#               while this digest is the same.
#
# Text, drawings, progress and the tool are in none of them. Included, this file generates the headers that carry the
# digests. As a script it prints them: cmake -DLICIT_ROOT=<folder> -P cmake/digest.cmake

cmake_minimum_required(VERSION 3.25)

set(licit_shipped deque/*.hpp deque/*.h deque/*.cpp scheduler/*.hpp scheduler/*.cpp)
set(licit_shipped_text deque/library.cpp deque/include/licit/deque/version.hpp
    "scheduler/(include/licit/scheduler/)?metrics/(metrics_text|trace)[.][ch]pp")
set(licit_suites models/suites/*.hpp models/suites/*.cpp)
set(licit_judges models/checker/*.hpp models/checker/*.cpp models/audit/*.hpp models/audit/*.cpp)
# An audit explores exhaustively, so that walks decide none of its verdicts.
set(licit_judges_text models/checker/show/.* models/checker/litmus/.* models/checker/walk/.*
    models/checker/parallel/process_pool[.]cpp models/checker/standard/.* models/audit/source_sites[.]cpp
    models/audit/include/licit/audit/source_sites[.]hpp "models/checker/include/licit/checker/std([.]hpp|/.*)"
    "models/checker/include/licit/checker/(drawing|execution|process_pool|shrink)[.]hpp")
# Where `#include` finds a header of the project.
set(licit_include_folders
    deque/include scheduler/include models/checker/include models/audit/include models/checker models)

# Text as the compiler divides it. Lines that a backslash joins are one, and a comment is white space. How much white space
# there is does not count, nor any beside brackets, commas and semicolons. A directive keeps its line, and what stands behind a
# macro's name. Strings and characters stay as they are.
function(licit_file_digest root file out)
  get_property(sum GLOBAL PROPERTY "licit_digest ${root}/${file}")
  if(NOT sum)
    file(READ ${root}/${file} text)
    set(string "\"[^\"\\\n]*([\\].[^\"\\\n]*)*\"")
    set(character "'([\\].|[^'\\])'")
    set(comment "//[^\n]*|/[*][^*]*[*]+([^/*][^*]*[*]+)*/")
    string(ASCII 1 gap)  # of white space, and behind each string, character and `/`: no string has it
    string(REGEX REPLACE "[\\][ \t]*\r?\n" "" text "\n${text}\n")
    string(REGEX REPLACE "(${string}|${character}|[^/\"' \t\r\n]+|.)(${comment}|[ \t\r])*" "\\1${gap}" text "${text}")
    string(REGEX REPLACE "\n[${gap}\n]*" "\n" text "${text}")
    string(REGEX REPLACE "\n(#[^\n]*)" "\r\\1\r" text "${text}")
    string(REGEX REPLACE "${gap}*\n" "${gap}" text "${text}")
    string(REGEX REPLACE "${gap}*\r[${gap}\r]*" "\n" text "${text}")
    string(REGEX REPLACE "(\n#${gap}?define${gap}[A-Za-z0-9_]+)${gap}" "\\1 " text "${text}")
    string(REGEX REPLACE "${gap}?([][(){},;])${gap}?" "\\1" text "${text}")
    string(SHA256 sum "${text}")
    string(SUBSTRING ${sum} 0 16 sum)
    set_property(GLOBAL PROPERTY "licit_digest ${root}/${file}" ${sum})
  endif()
  set(${out} ${sum} PARENT_SCOPE)
endfunction()

# The files below root that match the patterns, sorted, without those that match an expression of the list `without`.
function(licit_files root without out)
  list(TRANSFORM ARGN PREPEND ${root}/)
  if(CMAKE_SCRIPT_MODE_FILE)
    file(GLOB_RECURSE files RELATIVE ${root} ${ARGN})
  else()
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${root} ${ARGN})
  endif()
  foreach(expression IN LISTS ${without})
    list(FILTER files EXCLUDE REGEX "^${expression}$")
  endforeach()
  list(SORT files)
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# Of the files of the list.
function(licit_digest_of root files out)
  set(all "")
  foreach(file IN LISTS ${files})
    licit_file_digest(${root} ${file} sum)
    string(APPEND all "${file} ${sum}\n")
  endforeach()
  string(SHA256 sum "${all}")
  string(SUBSTRING ${sum} 0 32 sum)
  set(${out} ${sum} PARENT_SCOPE)
endfunction()

# What a file of the project includes of the project.
function(licit_includes_of root file out)
  get_property(known GLOBAL PROPERTY "licit_includes ${root}/${file}" SET)
  if(NOT known)
    file(STRINGS ${root}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    cmake_path(GET file PARENT_PATH own)
    set(found "")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]+)[>\"].*" "\\1" name "${line}")
      foreach(folder IN LISTS own licit_include_folders)
        if(EXISTS ${root}/${folder}/${name})
          cmake_path(SET path NORMALIZE ${folder}/${name})
          list(APPEND found ${path})
          break()
        endif()
      endforeach()
    endforeach()
    set_property(GLOBAL PROPERTY "licit_includes ${root}/${file}" "${found}")
  endif()
  get_property(found GLOBAL PROPERTY "licit_includes ${root}/${file}")
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# The files of the list `among` that the file includes, directly or not; and with a header the source beside it. (No audit
# runs the sources of include/licit: they are native code, such as membarrier.cpp.)
function(licit_reached root file among out)
  set(reached ${file})
  set(left ${file})
  while(left)
    list(POP_FRONT left next)
    licit_includes_of(${root} ${next} more)
    string(REGEX REPLACE "[.]hpp$" ".cpp" beside ${next})
    foreach(found IN LISTS more beside)
      if(found IN_LIST ${among} AND NOT found IN_LIST reached)
        list(APPEND reached ${found})
        list(APPEND left ${found})
      endif()
    endforeach()
  endwhile()
  list(SORT reached)
  set(${out} ${reached} PARENT_SCOPE)
endfunction()

# Sets licit_digest, licit_digested (its files), licit_audit_digest, and licit_structures: "name digest" of each.
macro(licit_all_digests root)
  licit_files(${root} licit_shipped_text licit_digested ${licit_shipped})
  if(NOT licit_digested)
    message(FATAL_ERROR "licit: there are no sources in ${root}, and so no digest of them")
  endif()
  licit_files(${root} licit_none licit_suite_files ${licit_suites})
  licit_files(${root} licit_judges_text licit_judge_files ${licit_judges})
  licit_digest_of(${root} licit_digested licit_digest)
  licit_digest_of(${root} licit_judge_files licit_judges_digest)
  set(licit_audited ${licit_digested} ${licit_suite_files} ${licit_judge_files})
  licit_digest_of(${root} licit_audited licit_audit_digest)

  # A suite is a struct NAME_suite in a file of models/suites; its structure is called NAME, with dashes.
  set(licit_structures "")
  set(licit_of_structures ${licit_digested} ${licit_suite_files})
  foreach(licit_suite_file IN LISTS licit_suite_files)
    file(STRINGS ${root}/${licit_suite_file} licit_names REGEX "^struct [a-z_]+_suite [{]")
    foreach(licit_name IN LISTS licit_names)
      string(REGEX REPLACE "struct ([a-z_]+)_suite.*" "\\1" licit_name "${licit_name}")
      string(REPLACE _ - licit_name ${licit_name})
      licit_reached(${root} ${licit_suite_file} licit_of_structures licit_reached_files)
      licit_digest_of(${root} licit_reached_files licit_sum)
      string(SHA256 licit_sum "${licit_judges_digest} ${licit_sum}")
      string(SUBSTRING ${licit_sum} 0 16 licit_sum)
      list(APPEND licit_structures "${licit_name} ${licit_sum}")
    endforeach()
  endforeach()
endmacro()

if(CMAKE_SCRIPT_MODE_FILE)
  if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    get_filename_component(LICIT_ROOT "${LICIT_ROOT}" ABSOLUTE)
    licit_all_digests(${LICIT_ROOT})
    list(JOIN licit_structures "\n" licit_structures)
    message("link ${licit_digest}\naudit ${licit_audit_digest}\n${licit_structures}")
  endif()
  return()
endif()

licit_all_digests(${PROJECT_SOURCE_DIR})
list(TRANSFORM licit_audited PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE licit_watched)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${licit_watched})
set(licit_marked_files "")
foreach(file IN LISTS licit_digested)
  licit_file_digest(${PROJECT_SOURCE_DIR} ${file} sum)
  string(APPEND licit_marked_files "    \"licit-file ${file} ${sum}\",\n")
endforeach()
list(TRANSFORM licit_structures REPLACE "(.+) (.+)" "    {\"\\1\", \"\\2\"}")
list(JOIN licit_structures ",\n" licit_structures)
file(CONFIGURE OUTPUT ${licit_include}/licit/digest.hpp CONTENT [=[
#ifndef LICIT_DIGEST_HPP
#define LICIT_DIGEST_HPP

#if defined(LICIT_DEQUE_HPP)
#error "licit: licit_deque.hpp and the library's headers are in one file: their names would be ambiguous"
#endif

#include <string_view>

/// Only the library that was built from the same sources defines it, so that these headers link with no other.
extern "C" const char licit_digest_@licit_digest@;

namespace licit::inline v0 {

/// Of these headers: a digest of the shipped algorithms, policies and ordering tables.
inline constexpr std::string_view header_digest = "@licit_digest@";

namespace detail {
/// The copy of the library that this binary uses: its own archive's, or the shared library's.
inline constexpr const char* this_copy = &licit_digest_@licit_digest@;
[[gnu::used]] inline const char* const linked_with = &licit_digest_@licit_digest@;
}  // namespace detail

}  // namespace licit::inline v0

#endif
]=] @ONLY)
# The digest of the archive, and of each file in it.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/marked_files.hpp CONTENT [[
#ifndef LICIT_MARKED_FILES_HPP
#define LICIT_MARKED_FILES_HPP

#define LICIT_DIGEST_SYMBOL licit_digest_@licit_digest@
#define LICIT_DIGEST "@licit_digest@"

namespace licit::inline v0::detail {

inline constexpr const char* marked_files[] = {
@licit_marked_files@};

}  // namespace licit::inline v0::detail

#endif
]] @ONLY)
file(CONFIGURE OUTPUT ${licit_include}/licit/audit_digest.hpp CONTENT [[
#ifndef LICIT_AUDIT_DIGEST_HPP
#define LICIT_AUDIT_DIGEST_HPP

#include <string_view>

namespace licit::audit {

/// Of all that a recorded audit rests on: algorithms, tables, suites, and what of the checker decides a verdict.
inline constexpr std::string_view digest = "@licit_audit_digest@";

/// The same for one structure alone.
struct structure_digest {
  std::string_view suite;  ///< its file, in the words of structure names
  std::string_view digest;
};
inline constexpr structure_digest structure_digests[] = {
@licit_structures@};

}  // namespace licit::audit

#endif
]] @ONLY)
