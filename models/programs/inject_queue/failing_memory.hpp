/// Memory that runs out: for programs in which there is none.
#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_FAILING_MEMORY_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_FAILING_MEMORY_HPP

#include <cstddef>
#include <memory_resource>
#include <new>

namespace licit::models::on_inject_queue {

/// Gives so many blocks of the model's memory, and then throws; the main thread takes the first, so that the others
/// change nothing here.
template <class Model>
class failing_memory : public std::pmr::memory_resource {
 public:
  explicit failing_memory(int blocks) : blocks_{blocks} {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (blocks_ == 0) throw std::bad_alloc();
    --blocks_;
    return Model::memory()->allocate(bytes, alignment);
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    Model::memory()->deallocate(place, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  int blocks_;
};

}  // namespace licit::models::on_inject_queue

#endif
