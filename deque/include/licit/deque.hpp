/// licit's work-stealing queues. An owner pushes and pops at one end, thieves steal at the other:
///
///     licit::owner<task*> mine;                      // on the worker's thread
///     licit::stealer<task*> thief = mine.stealer();  // copies go to the other workers
///
///     mine.push(t);
///     while (auto t = mine.pop()) run(*t);           // the youngest first
///
///     auto got = thief.steal();                      // the oldest first, on any thread
///     if (got) run(*got);                            // if got.is_lost(), another thread was faster: try again
///
///     auto some = thief.steal_half(mine);            // half of another's items, at most 32: one is returned,
///                                                    // the others are now in `mine`
///
/// Other structures have the same handles; deque/README.md says which to choose:
///
///     licit::owner<task*, licit::asymmetric<licit::native>> a;     // no fence for the owner,
///                                                                  // a kernel call for each theft
///     licit::owner<task*, licit::native, licit::tagged_deque> b;   // half by one compare-exchange
///     licit::owner<task*, licit::native, licit::run_queue> c;      // first in, first out; bounded
///     licit::owner<task*, licit::native, licit::split_deque> d;    // private until a thief asks
///
/// owner.hpp and stealer.hpp state the contract of each member.
#ifndef LICIT_DEQUE_DEQUE_HPP
#define LICIT_DEQUE_DEQUE_HPP

#include <licit/deque/asymmetric.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/options.hpp>
#include <licit/deque/owner.hpp>
#include <licit/deque/payload.hpp>
#include <licit/deque/run_queue.hpp>
#include <licit/deque/split.hpp>
#include <licit/deque/steal_half.hpp>
#include <licit/deque/stealer.hpp>
#include <licit/deque/stolen.hpp>
#include <licit/deque/tagged.hpp>
#include <licit/deque/version.hpp>

#endif
