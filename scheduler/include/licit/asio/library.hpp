/// Which Asio: the standalone library, or Boost's. CMake's target licit::asio decides; without it the standalone
/// library is taken where it is installed. `licit::net` is the namespace of the one that was chosen.
#ifndef LICIT_ASIO_LIBRARY_HPP
#define LICIT_ASIO_LIBRARY_HPP

#include <exception>  // Asio counts on it; libc++ in C++23 includes it nowhere

#if !defined(LICIT_ASIO_BOOST) && __has_include(<asio/version.hpp>)
#define LICIT_ASIO_BOOST 0
#elif !defined(LICIT_ASIO_BOOST) && __has_include(<boost/asio/version.hpp>)
#define LICIT_ASIO_BOOST 1
#elif !defined(LICIT_ASIO_BOOST)
#error "licit: <licit/asio.hpp> needs Asio. Debian's packages: libasio-dev, or libboost-dev."
#endif

#if LICIT_ASIO_BOOST
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/version.hpp>
#include <boost/system/system_error.hpp>
#define LICIT_ASIO_VERSION BOOST_ASIO_VERSION
#else
#include <asio/any_io_executor.hpp>
#include <asio/associated_executor.hpp>
#include <asio/async_result.hpp>
#include <asio/error.hpp>
#include <asio/execution.hpp>
#include <asio/execution_context.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/query.hpp>
#include <asio/steady_timer.hpp>
#include <asio/system_error.hpp>
#include <asio/system_executor.hpp>
#include <asio/version.hpp>
#define LICIT_ASIO_VERSION ASIO_VERSION
#endif

static_assert(LICIT_ASIO_VERSION >= 101800, "licit: Asio 1.18 or later is needed; Boost has it from 1.74 on");

#if LICIT_ASIO_VERSION >= 101900
#if LICIT_ASIO_BOOST
#include <boost/asio/cancellation_signal.hpp>
#else
#include <asio/cancellation_signal.hpp>
#endif
#endif

namespace licit::inline v0 {

#if LICIT_ASIO_BOOST
namespace net = boost::asio;
using asio_error = boost::system::error_code;
using asio_system_error = boost::system::system_error;
#else
namespace net = asio;
using asio_error = asio::error_code;
using asio_system_error = asio::system_error;
#endif

namespace detail {

#if LICIT_ASIO_VERSION >= 101900
/// Whether an operation can be cancelled by itself, from Asio 1.19 on.
inline constexpr bool asio_cancels = true;
using cancellation_slot = net::cancellation_slot;
class cancellation_signal {
 public:
  cancellation_slot slot() noexcept { return signal_.slot(); }
  void emit() { signal_.emit(net::cancellation_type::terminal); }

 private:
  net::cancellation_signal signal_;
};
#else
inline constexpr bool asio_cancels = false;
struct cancellation_slot {};
class cancellation_signal {
 public:
  static cancellation_slot slot() noexcept { return {}; }
  static void emit() noexcept {}
};
#endif

}  // namespace detail

}  // namespace licit::inline v0

#endif
