/// Every client program of the inject queue. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_PROGRAMS_HPP

#include "programs/inject_queue/batch.hpp"
#include "programs/inject_queue/batch_at_the_end.hpp"
#include "programs/inject_queue/batch_overtaken.hpp"
#include "programs/inject_queue/closed.hpp"
#include "programs/inject_queue/destruction.hpp"
#include "programs/inject_queue/given_back.hpp"
#include "programs/inject_queue/kept.hpp"
#include "programs/inject_queue/kept_by_two.hpp"
#include "programs/inject_queue/lives.hpp"
#include "programs/inject_queue/next_segment.hpp"
#include "programs/inject_queue/no_false_empty.hpp"
#include "programs/inject_queue/one_segment.hpp"
#include "programs/inject_queue/pushers_and_taker.hpp"
#include "programs/inject_queue/pushers_at_the_end.hpp"
#include "programs/inject_queue/recycled.hpp"
#include "programs/inject_queue/takers_at_the_end.hpp"
#include "programs/inject_queue/two_pushers.hpp"
#include "programs/inject_queue/two_takers.hpp"
#include "programs/inject_queue/without_memory.hpp"
#include "programs/list.hpp"

namespace licit::models {

using inject_queue_programs =
    program_list<on_inject_queue::one_segment, on_inject_queue::next_segment, on_inject_queue::pushers_at_the_end,
                 on_inject_queue::pushers_and_taker, on_inject_queue::takers_at_the_end, on_inject_queue::two_takers,
                 on_inject_queue::batch, on_inject_queue::batch_at_the_end, on_inject_queue::batch_overtaken,
                 on_inject_queue::destruction, on_inject_queue::recycled, on_inject_queue::lives,
                 on_inject_queue::no_false_empty, on_inject_queue::without_memory, on_inject_queue::given_back,
                 on_inject_queue::kept, on_inject_queue::kept_by_two, on_inject_queue::closed,
                 on_inject_queue::two_pushers>;

}  // namespace licit::models

#endif
