# licit_add_check(NAME SOURCES... [LIBRARIES...] [EXECUTIONS n] [SEQUENCES c++11|c++20] [OPTIONS...] [AUDIT])
#
# A program, and a test of its name: all its executions are explored, as `licit check` does. EXECUTIONS: stop after so
# many. SEQUENCES: the standard whose release sequences hold. OPTIONS: what else is asked of it, such as "seconds=10" or
# "mode=pct" (models/unmodified/README.md lists them). AUDIT, or ORDER audit: is each order needed, too.
function(licit_add_check name)
  cmake_parse_arguments(PARSE_ARGV 1 check "AUDIT" "ORDER;EXECUTIONS;SEQUENCES" "SOURCES;LIBRARIES;OPTIONS")
  if(check_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "licit_add_check(${name}): unknown: ${check_UNPARSED_ARGUMENTS}")
  elseif(NOT check_SOURCES)
    message(FATAL_ERROR "licit_add_check(${name}): no SOURCES")
  elseif(DEFINED check_ORDER AND NOT check_ORDER STREQUAL "audit")
    message(FATAL_ERROR "licit_add_check(${name}): ORDER is audit, not ${check_ORDER}")
  endif()
  if(NOT TARGET licit::unmodified)
    message(FATAL_ERROR "licit_add_check: this licit has no runtime for programs as they are: it is for x86-64 Linux, and "
                        "`make install` builds it")
  endif()
  add_executable(${name} ${check_SOURCES})
  set(calls memcpy memmove memset memcmp mempcpy strcpy stpcpy strncpy strcat strncat strcmp strncmp bcopy bzero bcmp
            sprintf snprintf)
  list(TRANSFORM calls PREPEND -fno-builtin-)
  # The compiler's calls for the thread sanitizer; not its library. g++ would expand some calls on bytes and texts to code
  # that no one sees. Before C++20 std::string would be taken from the C++ library, which is not compiled with the
  # instrumentation, but for the assertions. addr2line does not read the lines of clang++'s DWARF 5.
  # clang++ calls nothing for parts of an object on the stack of the function that has it, inlined members included.
  target_compile_options(${name} PRIVATE
    -fsanitize=thread -O1 -g -UNDEBUG -fno-lto
    $<$<NOT:$<VERSION_GREATER_EQUAL:0$<TARGET_PROPERTY:CXX_STANDARD>,20>>:-D_GLIBCXX_ASSERTIONS>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan ${calls}
    -D__builtin_memcpy=memcpy -D__builtin_memmove=memmove -D__builtin_memset=memset -D__builtin_memcmp=memcmp>
    "$<$<CXX_COMPILER_ID:GNU>:SHELL:-include string.h>"
    $<$<CXX_COMPILER_ID:Clang>:-fno-inline -gdwarf-4 -fno-integrated-as>
    -B${CMAKE_CURRENT_FUNCTION_LIST_DIR}/assembler)  # lists where inline assembly is
  target_link_libraries(${name} PRIVATE licit::unmodified ${check_LIBRARIES})
  target_link_options(${name} PRIVATE -Wl,-z,now)
  add_test(NAME ${name} COMMAND ${name})
  if(check_EXECUTIONS)
    list(APPEND check_OPTIONS executions=${check_EXECUTIONS})
  endif()
  if(check_SEQUENCES)
    list(APPEND check_OPTIONS sequences=${check_SEQUENCES})
  endif()
  if(check_AUDIT OR check_ORDER)
    list(APPEND check_OPTIONS audit)
  endif()
  # The report of a violation ends with how to run it again.
  if(NOT "${check_OPTIONS}" MATCHES "(^|[; ])(trace|replay)=")
    string(REGEX REPLACE "([ \\])" "\\\\\\1" trace "${CMAKE_CURRENT_BINARY_DIR}/${name}.trace")
    list(APPEND check_OPTIONS "trace=${trace}")
  endif()
  list(JOIN check_OPTIONS " " options)
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "LICIT_CHECK=${options}")
endfunction()
