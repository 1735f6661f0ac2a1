/// Must-fail mutants of the trace ring. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_TRACE_RING_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_TRACE_RING_MUTANTS_HPP

#include <array>

#include "programs/list.hpp"
#include "programs/mutant.hpp"
#include "programs/trace_ring/copy_trusted.hpp"

namespace licit::models {

inline constexpr std::array trace_ring_mutants{
    mutant{"record.time relaxed", {"record.time", change::weaken}, {}},
    mutant{"record.what relaxed", {"record.what", change::weaken}, {}},
    mutant{"record.end relaxed", {"record.end", change::weaken}, {}},
    mutant{"read.end relaxed", {"read.end", change::weaken}, {}},
    mutant{"read.time relaxed", {"read.time", change::weaken}, {}},
    mutant{"read.what relaxed", {"read.what", change::weaken}, {}},
    mutant{"record does not say that it begins", {"record.begin", change::drop}, {}},
    mutant{"record does not say that it has ended", {"record.end", change::drop}, {}},
};

/// Mutants of the algorithm: each program is wrong by itself.
using trace_ring_broken_programs = program_list<on_trace_ring::copy_trusted>;

}  // namespace licit::models

#endif
