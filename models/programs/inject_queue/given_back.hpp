#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_GIVEN_BACK_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_GIVEN_BACK_HPP

#include <new>

#include "programs/inject_queue/client.hpp"
#include "programs/inject_queue/failing_memory.hpp"

namespace licit::models::on_inject_queue {

/// There are two segments, of one cell each: the full one, and the spare one. Something is thrown, which Relacy cannot
/// have.
template <class Model>
struct given_back : failing_memory<Model>, client<Model, 3, 1> {
  static constexpr program_info about{
      "given_back", "a segment comes back after a push had looked at it and got no memory for the next", 2,
      reach::none};

  given_back() : failing_memory<Model>(2), client<Model, 3, 1>(static_cast<failing_memory<Model>*>(this)) {
    try_push(1), try_push(2);
    pop_one(), pop_one();
  }

  void thread(unsigned i) {
    if (i == 0) {
      in_[0] = try_push(3);
    } else {
      in_[1] = try_push(4);
      out_ = pop_one();
      in_[1] += try_push(5);
    }
  }

  void finish() {
    while (pop_one() != 0) ++out_;
    const bool stopped = Model::stalled(0) || Model::stalled(1);
    Model::check(stopped || in_[0] + in_[1] == out_, "other items than were pushed");
  }

 private:
  int try_push(std::uint64_t item) {
    if (Model::leaves_out("push")) return 0;
    try {
      return this->shared().push(item) ? 1 : 0;
    } catch (const std::bad_alloc&) {
      return 0;
    }
  }
  int pop_one() {
    std::array<std::uint64_t, 1> one{};
    return static_cast<int>(this->shared().pop(one));
  }

  std::array<int, 2> in_{};  // each entry one thread's
  int out_ = 0;              // thread 1's, then the main thread's
};

}  // namespace licit::models::on_inject_queue

#endif
