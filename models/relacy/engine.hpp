/// Relacy itself, without the macros that it puts over the language (new, delete, free, assert, memory_order_…).
#ifndef LICIT_MODELS_RELACY_ENGINE_HPP
#define LICIT_MODELS_RELACY_ENGINE_HPP

#include <relacy/relacy.hpp>

#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

#endif
