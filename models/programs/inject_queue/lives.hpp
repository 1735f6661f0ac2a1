#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_LIVES_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_LIVES_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

/// The first segment is the head's before, and the tail's after.
template <class Model>
struct lives : client<Model, 4, 1> {
  static constexpr program_info about{
      "lives", "ends that are in two lives of a segment are not taken for one: not empty", 2, reach::bounded};

  lives() { this->push(0), this->push(0), this->push(0); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop(0), this->pop(0);  // the first segment becomes the spare one
      this->push(0);
    } else {
      Model::check(!this->shared().empty(), "empty, though the third item is there all the time");
      Model::check(this->pop(1) == 1, "no item, though the third was there all the time");
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
