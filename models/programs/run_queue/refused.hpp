#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_REFUSED_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_REFUSED_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct refused : client<Model, 3> {
  static constexpr program_info about{
      "refused", "a sink that has no room: the item stays with its owner, who pushes it later", 2, reach::full};

  refused() : client<Model, 3>(2) { this->fill(0, 2); }

  void thread(unsigned i) {
    if (i == 0) {
      const int item = this->items().open();
      if (!offered(item)) {
        this->pop();
        Model::check(this->at(0).try_push(item), "no room after a pop");
      }
    } else {
      this->steal(1, 0);
    }
  }

  void finish() { this->settle(); }

 private:
  struct no_room {};
  struct refusing {
    static void reserve(std::size_t /*items*/) { throw no_room{}; }
    static void take(std::span<const int> /*items*/) noexcept { Model::check(false, "a batch that was refused"); }
  };

  bool offered(int item) {
    try {
      refusing sink;
      this->at(0).push(item, sink);
      return true;
    } catch (const no_room&) {
      return false;
    }
  }
};

}  // namespace licit::models::on_run_queue

#endif
