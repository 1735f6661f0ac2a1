/// Every client program of the trace ring. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_TRACE_RING_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_TRACE_RING_PROGRAMS_HPP

#include "programs/list.hpp"
#include "programs/trace_ring/comes_round.hpp"
#include "programs/trace_ring/first_event.hpp"
#include "programs/trace_ring/read_again.hpp"
#include "programs/trace_ring/two_readers.hpp"

namespace licit::models {

using trace_ring_programs = program_list<on_trace_ring::first_event, on_trace_ring::comes_round,
                                         on_trace_ring::read_again, on_trace_ring::two_readers>;

}  // namespace licit::models

#endif
