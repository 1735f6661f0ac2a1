/// The outside world by Asio, the standalone library or Boost's: its sockets, timers and signals in licit's tasks.
///
///     licit::asio_context outside;
///     licit::reactor_thread driver(outside);
///     licit::scheduler all{{.workers = 2}};
///     all.spawn([&]() -> licit::task<> {
///       asio::steady_timer timer(outside.on(all), std::chrono::seconds(1));
///       co_await timer.async_wait(licit::use_task);
///     }).get();
///
/// Optional: CMake's component `asio`, target licit::asio. scheduler/asio.md states the guarantees.
#ifndef LICIT_ASIO_HPP
#define LICIT_ASIO_HPP

#include <licit/asio/asio_context.hpp>
#include <licit/asio/asio_executor.hpp>
#include <licit/asio/use_task.hpp>

#endif
