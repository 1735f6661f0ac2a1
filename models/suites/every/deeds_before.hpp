/// What threads do before their calls, so that there is something to be seen.
#ifndef LICIT_SUITES_EVERY_DEEDS_BEFORE_HPP
#define LICIT_SUITES_EVERY_DEEDS_BEFORE_HPP

#include <cstddef>

#include "suites/account.hpp"
#include "suites/line.hpp"

namespace licit::suites {

/// A cell of each thread, which it writes before a call.
template <class Model>
class deeds_before {
 public:
  deeds_before() : done_{line::most_threads} {}
  void add(unsigned thread) { done_[thread].write(1); }

 private:
  cells<typename Model::template plain<int>, line::most_threads> done_;
};

}  // namespace licit::suites

#endif
