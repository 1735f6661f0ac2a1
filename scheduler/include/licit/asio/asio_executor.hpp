/// An executor as Asio requires it, on a scheduler's workers.
#ifndef LICIT_ASIO_EXECUTOR_HPP
#define LICIT_ASIO_EXECUTOR_HPP

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <type_traits>
#include <utility>

#include <licit/asio/asio_context.hpp>

namespace licit::inline v0 {

/// For Asio's objects, and wherever Asio takes an executor: `asio::ip::tcp::socket s(context.on(all))`. Made by
/// `asio_context::on`, and valid as long as the context. Each function becomes a task of the scheduler, of its own;
/// what it throws goes to `scheduler_options::on_unobserved`. Two functions may run at the same time: `asio::strand`
/// makes them take turns. Copying costs nothing, or one read-modify-write for an executor that counts work.
///
/// Properties: `blocking` never (a new task) or possibly (the default: at once, if the thread is in a task of the
/// scheduler); `outstanding_work` (counted in `asio_context::outstanding`); `relationship`, which changes nothing;
/// `context`; `mapping` and `allocator` (the scheduler's memory) can only be asked for.
class asio_executor {
  using blocking_t = net::execution::blocking_t;
  using relationship_t = net::execution::relationship_t;
  using outstanding_work_t = net::execution::outstanding_work_t;

 public:
  explicit asio_executor(detail::asio_binding& to) noexcept : to_{&to} {}
  asio_executor(const asio_executor& o) noexcept : to_{o.to_}, how_{o.how_} { begin_work(); }
  asio_executor(asio_executor&& o) noexcept : to_{o.to_}, how_{o.how_} { o.how_.counts = false; }
  asio_executor& operator=(asio_executor o) noexcept {
    std::swap(to_, o.to_);
    std::swap(how_, o.how_);
    return *this;
  }
  ~asio_executor() { end_work(); }

  friend bool operator==(const asio_executor& a, const asio_executor& b) noexcept {
    return a.to_ == b.to_ && a.how_ == b.how_;
  }

  /// Any thread. Calls a copy of the function once: as a new task, or at once. If the scheduler has been shut down, the
  /// copy is destroyed and counted (`asio_context::refused`). Throws std::bad_alloc, what copying it throws, and, of a
  /// function that runs at once, what that throws. In the driver it throws nothing: there is nobody to catch it, so the
  /// function is destroyed and counted too.
  template <class F>
  void execute(F&& function) const {
    if (how_.may_block && to_->runs_here()) {
      std::decay_t<F> call(std::forward<F>(function));
      call();
      return;
    }
    try {
      licit::spawn(to_->to(), [call = std::decay_t<F>(std::forward<F>(function))]() mutable { call(); }).detach();
    } catch (const executor_closed&) {
      to_->context().refused_.fetch_add(1);
    } catch (...) {
      if (!to_->context().drives_here()) throw;
      to_->context().refused_.fetch_add(1);
    }
  }

  [[nodiscard]] net::io_context& query(net::execution::context_t /*what*/) const noexcept {
    return to_->context().context();
  }
  [[nodiscard]] blocking_t query(blocking_t /*what*/) const noexcept {
    return how_.may_block ? blocking_t(net::execution::blocking.possibly) : blocking_t(net::execution::blocking.never);
  }
  [[nodiscard]] outstanding_work_t query(outstanding_work_t /*what*/) const noexcept {
    return how_.counts ? outstanding_work_t(net::execution::outstanding_work.tracked)
                       : outstanding_work_t(net::execution::outstanding_work.untracked);
  }
  [[nodiscard]] relationship_t query(relationship_t /*what*/) const noexcept {
    return how_.continues ? relationship_t(net::execution::relationship.continuation)
                          : relationship_t(net::execution::relationship.fork);
  }
  [[nodiscard]] static constexpr net::execution::mapping_t query(net::execution::mapping_t /*what*/) noexcept {
    return net::execution::mapping.thread;
  }
  [[nodiscard]] std::pmr::polymorphic_allocator<> query(net::execution::allocator_t<void> /*what*/) const noexcept {
    return &to_->to().memory();
  }

  [[nodiscard]] asio_executor require(blocking_t::possibly_t /*what*/) const noexcept {
    return with([](traits& how) { how.may_block = true; });
  }
  [[nodiscard]] asio_executor require(blocking_t::never_t /*what*/) const noexcept {
    return with([](traits& how) { how.may_block = false; });
  }
  [[nodiscard]] asio_executor require(outstanding_work_t::tracked_t /*what*/) const noexcept {
    return with([](traits& how) { how.counts = true; });
  }
  [[nodiscard]] asio_executor require(outstanding_work_t::untracked_t /*what*/) const noexcept {
    return with([](traits& how) { how.counts = false; });
  }
  [[nodiscard]] asio_executor require(relationship_t::fork_t /*what*/) const noexcept {
    return with([](traits& how) { how.continues = false; });
  }
  [[nodiscard]] asio_executor require(relationship_t::continuation_t /*what*/) const noexcept {
    return with([](traits& how) { how.continues = true; });
  }

  /// The scheduler whose workers run the functions.
  [[nodiscard]] executor& target() const noexcept { return to_->to(); }

 private:
  struct traits {
    bool may_block = true;
    bool counts = false;
    bool continues = false;
    friend bool operator==(const traits&, const traits&) = default;
  };

  asio_executor(detail::asio_binding& to, traits how) noexcept : to_{&to}, how_{how} { begin_work(); }

  template <class Change>
  [[nodiscard]] asio_executor with(Change change) const noexcept {
    traits how = how_;
    change(how);
    return asio_executor(*to_, how);
  }

  void begin_work() const noexcept {
    if (how_.counts) to_->context().outstanding_.fetch_add(1);
  }
  void end_work() const noexcept {
    if (how_.counts) to_->context().outstanding_.fetch_sub(1);
  }

  detail::asio_binding* to_;
  traits how_;
};

asio_executor asio_context::on(executor& to) {
  const std::lock_guard lock(binds_);
  for (detail::asio_binding& each : bindings_) {
    if (&each.to() == &to) return asio_executor(each);
  }
  return asio_executor(bindings_.emplace_back(*this, to));
}
asio_executor asio_context::on(scheduler& to) { return on(to.as_executor()); }

static_assert(net::execution::is_executor<asio_executor>::value);
static_assert(std::is_convertible_v<asio_executor, net::any_io_executor>);

}  // namespace licit::inline v0

#endif
