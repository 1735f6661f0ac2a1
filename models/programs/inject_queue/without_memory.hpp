#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_WITHOUT_MEMORY_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_WITHOUT_MEMORY_HPP

#include <new>

#include "programs/inject_queue/client.hpp"
#include "programs/inject_queue/failing_memory.hpp"

namespace licit::models::on_inject_queue {

/// There is one segment, of one cell. Something is thrown, which Relacy cannot have.
template <class Model>
struct without_memory : failing_memory<Model>, client<Model, 3, 1> {
  static constexpr program_info about{"without_memory", "a push that gets no memory has pushed nothing", 2,
                                      reach::none};

  without_memory() : failing_memory<Model>(1), client<Model, 3, 1>(static_cast<failing_memory<Model>*>(this)) {}

  void thread(unsigned i) {
    if (i == 0) {
      for (const std::uint64_t item : {1, 2}) {
        try {
          in_ += this->shared().push(item) ? 1 : 0;
        } catch (const std::bad_alloc&) {
        }
      }
    } else {
      std::array<std::uint64_t, 2> into{};
      out_ = static_cast<int>(this->shared().pop(into));
    }
  }

  void finish() {
    std::array<std::uint64_t, 1> one{};
    while (this->shared().pop(one) != 0) ++out_;
    const bool stopped = Model::stalled(0) || Model::stalled(1);
    Model::check(stopped || in_ == out_, "other items than were pushed");
  }

 private:
  int in_ = 0;   // thread 0's
  int out_ = 0;  // thread 1's, then the main thread's
};

}  // namespace licit::models::on_inject_queue

#endif
