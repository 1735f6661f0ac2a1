#ifndef LICIT_MODELS_PROGRAMS_PARKER_GONE_HPP
#define LICIT_MODELS_PROGRAMS_PARKER_GONE_HPP

#include <memory_resource>
#include <new>

#include <licit/scheduler/idle/parker.hpp>

#include "program.hpp"

namespace licit::models::on_parker {

/// A block that is waited for lives on the stack of who waits.
template <class Model>
class gone {
 public:
  static constexpr program_info about{"gone", "who has its token may end the parker, though unpark still wakes", 2,
                                      reach::none, true};

  void thread(unsigned i) {
    if (i == 0) {
      parker_->park();
      parker_->~parker<Model>();
      Model::memory()->deallocate(parker_, sizeof(parker<Model>), alignof(parker<Model>));
    } else {
      parker_->unpark();
    }
  }

  void finish() {}

 private:
  static parker<Model>* make() {
    return ::new (Model::memory()->allocate(sizeof(parker<Model>), alignof(parker<Model>))) parker<Model>();
  }

  parker<Model>* parker_ = make();  // written before the threads start
};

}  // namespace licit::models::on_parker

#endif
