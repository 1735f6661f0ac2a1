/// Threads of a guest that take part in executions under the plugin.
#ifndef LICIT_MODELS_QEMU_GUESTS_WORKERS_HPP
#define LICIT_MODELS_QEMU_GUESTS_WORKERS_HPP

#include <functional>
#include <thread>
#include <vector>

#include "../guest.hpp"

namespace licit::qemu::guest {

/// Made once, before the first execution; each runs `body(i)` in every execution that it takes part in.
class workers {
 public:
  workers(unsigned count, std::function<void(unsigned)> body) : body_{std::move(body)} {
    for (unsigned i = 0; i != count; ++i) {
      threads_.emplace_back([this, i] {
        while (next(i)) body_(i);
      });
    }
  }
  ~workers() { leave(); }  // the threads are joined after it

  workers(const workers&) = delete;
  workers& operator=(const workers&) = delete;

 private:
  std::function<void(unsigned)> body_;
  std::vector<std::jthread> threads_;
};

}  // namespace licit::qemu::guest

#endif
