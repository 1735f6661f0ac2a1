/// The program over std.hpp that is being explored, as its sites and its memory know it.
#ifndef LICIT_CHECKER_STANDARD_PROGRAM_HPP
#define LICIT_CHECKER_STANDARD_PROGRAM_HPP

#include <cstddef>

#include <licit/checker/std/site.hpp>

namespace licit::checker::detail {

/// Whether there is one.
bool is_standard_program();
/// The calling thread is about to access plain data there.
void note_plain(const source_site& at);

/// Whether `p` is in memory that programs allocate.
bool is_of_program(const void* p);
/// Links the operators new and delete that give such memory to the program.
void link_operators();

}  // namespace licit::checker::detail

#endif
