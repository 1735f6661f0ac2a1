# find_package must see the installed package, and refuse it for any version that it is not compatible with.
foreach(asked IN ITEMS 9.9 0.0 ${version}.1)
  unset(licit_DIR CACHE)
  find_package(licit ${asked} QUIET CONFIG PATHS ${prefix} NO_DEFAULT_PATH)
  if(licit_FOUND OR NOT licit_CONSIDERED_VERSIONS STREQUAL ${version})
    message(FATAL_ERROR "asked for ${asked}: found is '${licit_FOUND}', seen '${licit_CONSIDERED_VERSIONS}'")
  endif()
endforeach()
