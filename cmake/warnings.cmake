# licit::warnings: what every target of this project is compiled with; not installed.
add_library(licit_warnings INTERFACE)
add_library(licit::warnings ALIAS licit_warnings)
target_compile_options(licit_warnings INTERFACE -Wall -Wextra -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees an overlapping copy in `"text" + std::string` at -O3, which is not there (GCC bug 105651).
  target_compile_options(licit_warnings INTERFACE -Wno-restrict)
endif()

if(LICIT_SANITIZE)
  add_compile_options(-fsanitize=${LICIT_SANITIZE} -fno-omit-frame-pointer -g1)  # lines for the reports, no more
  add_link_options(-fsanitize=${LICIT_SANITIZE})
  if(LICIT_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
# libstdc++ 12's stable_sort calls a function that it deprecates, and clang 19 reports that where the template is used.
target_compile_options(licit_warnings INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
