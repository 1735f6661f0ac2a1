/// What reports of violations need: where things are, and how a violation is found again.
#ifndef LICIT_MODELS_UNMODIFIED_REPORTS_HPP
#define LICIT_MODELS_UNMODIFIED_REPORTS_HPP

#include <string>
#include <vector>

#include "runtime.hpp"

namespace licit::unmodified {

// --- sites.cpp

/// Where a thread has called what it has not come back from: the outermost first.
std::vector<address> calls_of(unsigned t);
/// "push, queue.hpp:31": what was inlined at the call and is of that name, or the user's function there.
std::string function_at(address call, const std::string& function, unsigned line);

// --- stacks.cpp

/// Whether the running thread's stack is in use now: not at the end of an execution.
bool runs_thread();
/// The variable on a stack that has the address; else the function whose frame has it. Empty if neither is known.
std::string stack_name(address a, bool in_short);

// --- shadow.cpp

/// The report of threads that sleep shows what they read, and what was written there since.
void show_missed_writes();

// --- replay.cpp

/// A violating execution in a file. Throws std::runtime_error.
void write_trace(const std::string& file, const checker::verdict& v);
/// The same for a file that cannot be read, or is none. The options are those that the file needs.
void read_trace(const std::string& file, request& r);
/// Sites and locations are called as they were.
void prepare_replay();
bool is_replayed();

}  // namespace licit::unmodified

/// For debuggers: called where a violation is found, with the stack as it is there, and before each atomic operation of
/// an execution that is replayed.
LICIT_INTERPOSED void licit_violation();
LICIT_INTERPOSED void licit_step(unsigned thread, unsigned index);

#endif
