/// The words for threads, locations, values and operations.
#ifndef LICIT_CHECKER_SHOW_WORDS_HPP
#define LICIT_CHECKER_SHOW_WORDS_HPP

#include <string>
#include <string_view>

#include "core/graph.hpp"
#include "core/memory.hpp"

namespace licit::checker::detail {

std::string thread_name(unsigned thread);

/// In a sentence: by its name, or its kind and who made it.
std::string location_name(const memory& m, location_id l);

/// In a picture: "top", "cell[2]", "B0.slot[1]" (of the main thread's first block), "atomic 3" (the main thread's
/// fourth), "cell 1.0" (thread 1's first).
std::string short_name(const memory& m, location_id l);

/// "B0", "B1.0": the first of the main thread, and of thread 1.
std::string block_name(const block& b);

/// A value as its location's type has it; addresses by what is there. Empty for what does not fit into a word.
std::string value_text(const memory& m, const look& as, word value);

/// "read", "write", "update", "fence", …
std::string action_of(const operation& op);

/// An operation, by its site where it has one.
std::string describe(const operation& op, const memory& m);

/// A function's name in C++ without the arguments of templates and the parameters.
std::string outside_brackets(std::string_view function);

}  // namespace licit::checker::detail

#endif
