// Asio's objects on a scheduler's workers: executor, token, cancellation, shutdown, faults. Over the standalone
// library, and over Boost's.
#include <licit/asio.hpp>

#if LICIT_ASIO_BOOST
#include <boost/asio.hpp>
#else
#include <asio.hpp>
#endif

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

#include <licit/sync.hpp>

#include <gtest/gtest.h>

#include "support/scale.hpp"
#include "support/schedulers.hpp"

namespace {

namespace net = licit::net;
using licit::asio_context;
using licit::asio_error;
using licit::asio_executor;
using licit::asio_system_error;
using licit::scheduler;
using licit::shutdown_kind;
using licit::task;
using licit::use_task;
using licit::use_task_with_error;
using licit_test::await;
using net::ip::tcp;
using namespace std::chrono_literals;

/// Who drives the context.
enum class driver : std::uint8_t { thread, workers };

struct world {
  explicit world(driver by, std::size_t workers = 2)
      : thread{by == driver::thread ? std::make_unique<licit::reactor_thread>(outside) : nullptr},
        all{{.workers = workers, .reactor = by == driver::workers ? &outside : nullptr}} {}
  asio_executor on() { return outside.on(all); }
  tcp::endpoint here() { return {net::ip::address_v4::loopback(), 0}; }

  asio_context outside;
  std::unique_ptr<licit::reactor_thread> thread;
  scheduler all;
};

class Asio : public testing::TestWithParam<driver> {
 protected:
  /// What completes an operation is done with it a moment after the task.
  void none_outstanding() {
    await([this] { return its.outside.outstanding() == 0; });
  }
  world its{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(DrivenBy, Asio, testing::Values(driver::thread, driver::workers), [](const auto& of) {
  return of.param == driver::thread ? std::string("thread") : std::string("workers");
});

/// Two ends of a connection.
struct ends {
  tcp::socket client, server;
};
template <class Context>
ends connected(Context&& on) {
  tcp::acceptor from(on, {net::ip::address_v4::loopback(), 0});
  ends both{tcp::socket(on), tcp::socket(on)};
  both.client.connect(from.local_endpoint());
  from.accept(both.server);
  return both;
}

task<std::size_t> echo(tcp::socket& with) {
  std::array<char, 4096> place;
  for (std::size_t sum = 0;;) {
    const auto [error, n] = co_await with.async_read_some(net::buffer(place), use_task_with_error);
    if (error) co_return sum;
    sum += co_await net::async_write(with, net::buffer(place, n), use_task);
  }
}

// --- the executor

TEST_P(Asio, PropertiesOfTheExecutor) {
  const asio_executor plain = its.on();
  EXPECT_EQ(&net::query(plain, net::execution::context), &its.outside.context());
  EXPECT_EQ(net::query(plain, net::execution::blocking), net::execution::blocking.possibly);
  const auto never = net::require(plain, net::execution::blocking.never);
  EXPECT_EQ(net::query(never, net::execution::blocking), net::execution::blocking.never);
  EXPECT_NE(plain, never);
  EXPECT_EQ(plain, net::require(never, net::execution::blocking.possibly));
  const auto continues = net::prefer(plain, net::execution::relationship.continuation);
  EXPECT_EQ(net::query(continues, net::execution::relationship), net::execution::relationship.continuation);
  EXPECT_EQ(its.outside.outstanding(), 0U);
  {
    const auto counts = net::prefer(plain, net::execution::outstanding_work.tracked);
    const auto copy = counts;
    EXPECT_EQ(its.outside.outstanding(), 2U);
  }
  EXPECT_EQ(its.outside.outstanding(), 0U);
  const net::any_io_executor erased = plain;
  EXPECT_EQ(erased, net::any_io_executor(its.on()));
  scheduler other{{.workers = 1}};
  EXPECT_NE(its.on(), its.outside.on(other));
}

TEST_P(Asio, PostedFunctionsRunOnWorkers) {
  std::atomic<int> inside = 0, count = 0;
  for (int i = 0; i != 1000; ++i) {
    net::post(its.on(), [&] {
      inside += licit::this_context().worker_of == &its.all.as_executor() ? 1 : 0;
      ++count;
    });
  }
  await([&] { return count == 1000; });
  EXPECT_EQ(inside, 1000);
}

TEST_P(Asio, DispatchRunsAtOnceInATask) {
  its.all
      .spawn([&] {
        bool ran = false;
        net::dispatch(its.on(), [&] { ran = true; });
        EXPECT_TRUE(ran);
        EXPECT_THROW(net::dispatch(its.on(), [] { throw std::runtime_error("at once"); }), std::runtime_error);
      })
      .get();
}

TEST_P(Asio, CallbacksRunOnWorkersAndNotInTheDriver) {
  net::steady_timer timer(its.on(), 1ms);
  std::atomic<int> told = -1;
  timer.async_wait([&](const asio_error& error) {
    const licit::run_context& here = licit::this_context();
    EXPECT_FALSE(error);
    told = here.task != nullptr && here.worker_of == &its.all.as_executor() ? 1 : 0;
  });
  await([&] { return told != -1; });
  EXPECT_EQ(told, 1);
}

#if defined(__linux__)
/// The threads of this program. One that was joined may be there a moment longer.
std::set<std::string> threads_now() {
  std::set<std::string> all;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/task")) all.insert(each.path().filename());
  return all;
}
std::size_t started_since(const std::set<std::string>& before) {
  std::set<std::string> started = threads_now();
  for (const std::string& each : before) started.erase(each);
  return started.size();
}

/// Asio's objects would have a hidden thread on a context that is no io_context. Its resolver has one on any.
TEST_P(Asio, TimersAndSocketsStartNoThreadAndAResolverStartsOne) {
  const auto before = threads_now();
  its.all
      .spawn([&]() -> task<> {
        net::steady_timer timer(its.on(), 1ms);
        co_await timer.async_wait(use_task);
        tcp::acceptor from(its.on(), its.here());
        tcp::socket client(its.on());
        auto connecting = licit::spawn(client.async_connect(from.local_endpoint(), use_task).as_task());
        tcp::socket server = co_await from.async_accept(use_task);
        co_await connecting;
        auto echoing = licit::spawn(echo(server));
        std::array<char, 3> place{'a', 'b', 'c'};
        co_await net::async_write(client, net::buffer(place), use_task);
        EXPECT_EQ(co_await net::async_read(client, net::buffer(place), use_task), 3U);
        EXPECT_EQ(started_since(before), 0U);
        client.close();
        EXPECT_EQ(co_await echoing, 3U);
        tcp::resolver names(its.on());
        (void)co_await names.async_resolve("127.0.0.1", "80", use_task);
        EXPECT_EQ(started_since(before), 1U);
      })
      .get();
}
#endif

TEST_P(Asio, StrandsTakeTurns) {
  auto strand = net::make_strand(its.on());
  int sum = 0;  // not atomic
  std::atomic<int> count = 0;
  for (int i = 0; i != 1000; ++i) {
    net::post(strand, [&] {
      ++sum;
      ++count;
    });
  }
  await([&] { return count == 1000; });
  EXPECT_EQ(sum, 1000);
}

#if defined(BOOST_ASIO_HAS_CO_AWAIT) || defined(ASIO_HAS_CO_AWAIT)
net::awaitable<int> asios_own(world& its) {
  ends both = connected(its.on());
  std::array<char, 5> place;
  co_await net::async_write(both.client, net::buffer("hello", 5), net::use_awaitable);
  co_await net::async_read(both.server, net::buffer(place), net::use_awaitable);
  EXPECT_EQ(licit::this_context().worker_of, &its.all.as_executor());
  co_return place[4] == 'o' ? 7 : 0;
}

TEST_P(Asio, CoroutinesOfAsio) {
  EXPECT_EQ(its.all.block_on(net::co_spawn(its.on(), asios_own(its), use_task).as_task()), 7);
}
#endif

// --- the token

TEST_P(Asio, TimersSocketsAndComposedOperations) {
  ends both = connected(its.on());
  // A socket object is for one task at a time: this one writes to the same connection.
  tcp::socket other(its.on(), tcp::v4(), ::dup(both.client.native_handle()));
  auto server = its.all.spawn(echo(both.server));
  its.all
      .spawn([&]() -> task<> {
        const std::string sent(100'000, 'x');
        std::string got;
        auto writes = licit::spawn(
            [&]() -> task<std::size_t> { co_return co_await net::async_write(other, net::buffer(sent), use_task); });
        const std::size_t n = co_await net::async_read(both.client, net::dynamic_buffer(got, sent.size()),
                                                       net::transfer_exactly(sent.size()), use_task);
        EXPECT_EQ(co_await writes, sent.size());
        EXPECT_EQ(n, sent.size());
        EXPECT_EQ(got, sent);
        both.client.shutdown(tcp::socket::shutdown_send);
        net::steady_timer timer(its.on(), 1ms);
        co_await timer.async_wait(use_task);
        const asio_error error = co_await timer.async_wait(use_task_with_error);
        EXPECT_FALSE(error);
      })
      .get();
  EXPECT_EQ(server.get(), 100'000U);
  none_outstanding();
}

TEST_P(Asio, ErrorsAreThrownOrReturned) {
  its.all
      .spawn([&]() -> task<> {
        // Bound and not listening: no other program gets the port meanwhile.
        tcp::acceptor silent(its.on(), tcp::v4());
        silent.bind(its.here());
        const tcp::endpoint nobody = silent.local_endpoint();
        tcp::socket to(its.on());
        try {
          co_await to.async_connect(nobody, use_task);
          ADD_FAILURE();
        } catch (const asio_system_error& e) {
          EXPECT_EQ(e.code(), net::error::connection_refused);
        }
        tcp::socket again(its.on());
        EXPECT_EQ(co_await again.async_connect(nobody, use_task_with_error), net::error::connection_refused);
      })
      .get();
}

/// Throws when it is moved or copied for the n-th time.
struct brittle {
  explicit brittle(int n) : left{n} {}
  brittle(brittle&& other) : left{other.left - 1} {  // NOLINT(performance-noexcept-move-constructor): it throws
    if (left < 0) throw std::runtime_error("moved once too often");
  }
  brittle(const brittle& other) : left{other.left - 1} {
    if (left < 0) throw std::runtime_error("copied once too often");
  }
  brittle& operator=(brittle&&) = delete;
  int left;
};

template <class Token>
auto completes_with(asio_executor on, brittle argument, Token&& token) {
  return net::async_initiate<Token, void(asio_error)>(
      [on](auto handler, brittle /*taken*/) { net::post(on, [h = std::move(handler)]() mutable { h(asio_error()); }); },
      token, std::move(argument));
}
template <class Token>
auto brings(asio_executor on, int lives, Token&& token) {
  return net::async_initiate<Token, void(asio_error, brittle)>(
      [on, lives](auto handler) {
        net::post(on, [h = std::move(handler), lives]() mutable { h(asio_error(), brittle(lives)); });
      },
      token);
}

/// Wherever an argument throws as it is moved to where the operation begins, the await ends.
TEST_P(Asio, WhatAnArgumentThrowsEndsTheAwait) {
  int thrown = 0;
  for (int n = 1; n != 12; ++n) {
    its.all
        .spawn([&]() -> task<> {
          try {
            co_await completes_with(its.on(), brittle(n), use_task);
          } catch (const std::runtime_error&) {
            ++thrown;
          }
        })
        .get();
  }
  EXPECT_GE(thrown, 2);
  EXPECT_LT(thrown, 11) << "it begins in the end";
}

TEST_P(Asio, WhatAResultThrowsIsThrownByTheAwait) {
  int thrown = 0;
  for (int n = 0; n != 12; ++n) {
    its.all
        .spawn([&]() -> task<> {
          try {
            (void)co_await brings(its.on(), n, use_task);
          } catch (const std::runtime_error&) {
            ++thrown;
          }
        })
        .get();
  }
  EXPECT_GE(thrown, 1);
  EXPECT_LT(thrown, 12);
}

template <class Token>
auto forgotten(asio_executor /*on*/, Token&& token) {
  return net::async_initiate<Token, void(asio_error, int)>([](auto handler) { const auto gone = std::move(handler); },
                                                           token);
}

TEST_P(Asio, AnOperationThatIsDroppedIsThrownOrReturned) {
  its.all
      .spawn([&]() -> task<> {
        try {
          (void)co_await forgotten(its.on(), use_task);
          ADD_FAILURE();
        } catch (const asio_system_error& e) {
          EXPECT_EQ(e.code(), net::error::operation_aborted);
        }
        const auto [error, number] = co_await forgotten(its.on(), use_task_with_error);
        EXPECT_EQ(error, net::error::operation_aborted);
        EXPECT_EQ(number, 0);
      })
      .get();
}

/// The driver goes on where a callback's task gets no memory.
TEST(AsioMemory, ACallbackForWhichThereIsNoneIsCountedAndDestroyed) {
  struct failing : std::pmr::memory_resource {
    std::atomic<bool> fails = false;
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
      if (fails) throw std::bad_alloc();
      return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
      std::pmr::new_delete_resource()->deallocate(place, bytes, alignment);
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
  } memory;
  for (const driver by : {driver::thread, driver::workers}) {
    asio_context outside;
    const auto thread = by == driver::thread ? std::make_unique<licit::reactor_thread>(outside) : nullptr;
    scheduler all({.workers = 1, .memory = &memory, .reactor = thread ? nullptr : &outside});
    net::steady_timer lost(outside.on(all), 1h);
    lost.async_wait([](const asio_error&) { ADD_FAILURE() << "called without memory"; });
    memory.fails = true;
    EXPECT_EQ(lost.cancel(), 1U);
    await([&] { return outside.refused() == 1; });
    memory.fails = false;
    std::atomic<bool> called = false;
    net::steady_timer good(outside.on(all), 5ms);
    good.async_wait([&](const asio_error&) { called = true; });
    await([&] { return called.load(); });
    memory.fails = true;
    EXPECT_THROW(net::post(outside.on(all), [] {}), std::bad_alloc) << "who posts is told";
    memory.fails = false;
  }
}

TEST_P(Asio, ObjectsOfThePlainContext) {
  ends both = connected(its.outside.context());
  auto server = its.all.spawn(echo(both.server));
  its.all
      .spawn([&]() -> task<> {
        std::array<char, 5> place{};
        co_await net::async_write(both.client, net::buffer("hello", 5), use_task);
        EXPECT_EQ(co_await net::async_read(both.client, net::buffer(place), use_task), 5U);
        EXPECT_EQ(place[4], 'o');
        both.client.close();
      })
      .get();
  EXPECT_EQ(server.get(), 5U);
}

TEST_P(Asio, ObjectsOnAStrand) {
  net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>,
                            net::strand<asio_executor>>
      timer(net::make_strand(its.on()), 1ms);
  its.all.spawn([&]() -> task<> { co_await timer.async_wait(use_task); }).get();
  net::steady_timer erased(net::make_strand(its.on()), 1ms);
  its.all.spawn([&]() -> task<> { co_await erased.async_wait(use_task); }).get();
}

TEST_P(Asio, AnotherKindOfContextIsRefused) {
  net::thread_pool others(1);
  net::steady_timer timer(net::any_io_executor(others.get_executor()), 1ms);
  auto waits = its.all.spawn([&]() -> task<> { co_await timer.async_wait(use_task); });
  EXPECT_THROW(waits.get(), std::logic_error);
}

TEST_P(Asio, BlockOnWaitsToo) {
  net::steady_timer timer(its.on(), 1ms);
  its.all.block_on([&]() -> task<> { co_await timer.async_wait(use_task); });
}

TEST_P(Asio, ManyEchoes) {
  constexpr std::size_t connections = 32;
  const int rounds = static_cast<int>(3 * licit_test::scale);
  std::vector<ends> all;
  for (std::size_t i = 0; i != connections; ++i) all.push_back(connected(its.on()));
  std::vector<licit::join_handle<std::size_t>> servers;
  std::vector<licit::join_handle<>> clients;
  for (ends& each : all) {
    servers.push_back(its.all.spawn(echo(each.server)));
    clients.push_back(its.all.spawn([&each]() -> task<> {
      std::array<char, 64> sent{}, got{};
      for (int i = 0; i != rounds; ++i) {
        sent[0] = static_cast<char>(i);
        co_await net::async_write(each.client, net::buffer(sent), use_task);
        co_await net::async_read(each.client, net::buffer(got), use_task);
        EXPECT_EQ(got, sent);
      }
      each.client.close();
    }));
  }
  for (auto& each : clients) each.get();
  for (auto& each : servers) EXPECT_EQ(each.get(), 64U * static_cast<unsigned>(rounds));
}

// --- cancellation

class AsioCancels : public Asio {
  void SetUp() override {
    if (!licit::detail::asio_cancels) GTEST_SKIP() << "this Asio cannot cancel an operation by itself";
  }
};
INSTANTIATE_TEST_SUITE_P(DrivenBy, AsioCancels, testing::Values(driver::thread, driver::workers), [](const auto& of) {
  return of.param == driver::thread ? std::string("thread") : std::string("workers");
});

template <class T>
void expect_cancelled(licit::join_handle<T>& of) {
  EXPECT_THROW(of.get(), licit::task_cancelled);
}

TEST_P(AsioCancels, EachKindOfOperation) {
  ends both = connected(its.on());
  tcp::acceptor from(its.on(), its.here());
  const auto frames = std::make_shared<int>();
  auto reads = its.all.spawn([&, frames]() -> task<> { co_await echo(both.server); });
  auto accepts = its.all.spawn([&, frames]() -> task<> { (void)co_await from.async_accept(use_task); });
  auto waits = its.all.spawn([&, frames]() -> task<> {
    net::steady_timer timer(its.on(), 1h);
    co_await timer.async_wait(use_task);
  });
  auto writes = its.all.spawn([&, frames]() -> task<> {
    const std::string much(1U << 26, 'x');  // nobody reads
    co_await net::async_write(both.client, net::buffer(much), use_task);
  });
  std::this_thread::sleep_for(20ms);
  reads.request_stop();
  accepts.request_stop();
  waits.request_stop();
  writes.request_stop();
  expect_cancelled(reads);
  expect_cancelled(accepts);
  expect_cancelled(waits);
  expect_cancelled(writes);
  EXPECT_EQ(frames.use_count(), 1);
  none_outstanding();
}

TEST_P(AsioCancels, ReadWithATimeLimit) {
  ends both = connected(its.on());
  its.all
      .spawn([&]() -> task<> {
        std::array<char, 1> place;
        net::steady_timer timer(its.on(), 1ms);
        const auto first = co_await licit::when_any(both.server.async_read_some(net::buffer(place), use_task).as_task(),
                                                    timer.async_wait(use_task).as_task());
        EXPECT_EQ(first.index(), 1U);
        // The connection is as it was.
        (void)both.client.write_some(net::buffer("a", 1));
        EXPECT_EQ(co_await both.server.async_read_some(net::buffer(place), use_task), 1U);
      })
      .get();
}

/// A cancellation beside the completion, in all orders that happen: either result, and what is received is not lost
/// with the frame of a composed operation that has it already.
TEST_P(AsioCancels, BesideTheCompletion) {
  ends both = connected(its.on());
  const int trials = static_cast<int>(6 * licit_test::scale);
  for (int i = 0; i != trials; ++i) {
    net::steady_timer timer(its.on(), std::chrono::microseconds(i % 200));
    auto waits = its.all.spawn([&]() -> task<> { co_await timer.async_wait(use_task); });
    std::array<char, 4> place;
    auto reads =
        its.all.spawn([&]() -> task<> { co_await net::async_read(both.server, net::buffer(place), use_task); });
    for (int byte = 0; byte != 4; ++byte) (void)both.client.write_some(net::buffer("x", 1));
    if (i % 3 != 0) std::this_thread::sleep_for(std::chrono::microseconds(i % 150));
    waits.request_stop();
    reads.request_stop();
    try {
      waits.get();
    } catch (const licit::task_cancelled&) {
    }
    try {
      reads.get();
    } catch (const licit::task_cancelled&) {
    }
    // What is left in the socket.
    both.server.non_blocking(true);
    asio_error none;
    (void)both.server.read_some(net::buffer(place), none);
    both.server.non_blocking(false);
  }
  none_outstanding();
}

// --- shutdown

TEST_P(AsioCancels, ShutdownBesideOpenConnections) {
  std::vector<ends> open;
  for (int i = 0; i != 50; ++i) open.push_back(connected(its.on()));
  for (ends& each : open) its.all.spawn(echo(each.server)).detach();
  for (ends& each : open) {  // each is being served
    (void)each.client.write_some(net::buffer("x", 1));
    char c = 0;
    (void)each.client.read_some(net::buffer(&c, 1));
  }
  const licit::shutdown_report report = its.all.shutdown(shutdown_kind::cancel);
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.cancelled, 50U);
  none_outstanding();
}

TEST_P(Asio, DrainingWaitsForOperations) {
  net::steady_timer timer(its.on(), 50ms);
  std::atomic<bool> done = false;
  its.all
      .spawn([&]() -> task<> {
        co_await timer.async_wait(use_task);
        done = true;
      })
      .detach();
  const licit::shutdown_report report = its.all.shutdown(shutdown_kind::drain);
  EXPECT_TRUE(done);
  EXPECT_EQ(report.finished, 1U);
}

TEST_P(Asio, HandlersAfterTheShutdownAreCountedAndDestroyed) {
  const auto held = std::make_shared<int>();
  net::steady_timer soon(its.on(), 1h), late(its.on(), 1h);
  soon.async_wait([held](const asio_error&) { ADD_FAILURE() << "called after the shutdown"; });
  late.async_wait([held](const asio_error&) { ADD_FAILURE() << "called after the shutdown"; });
  EXPECT_EQ(its.outside.outstanding(), 2U);
  (void)its.all.shutdown(shutdown_kind::cancel);
  (void)soon.cancel();
  await([&] {
    (void)its.outside.poll();
    return its.outside.refused() == 1 && held.use_count() == 2;  // the driver has its copy for a moment longer
  });
  await([&] { return its.outside.outstanding() == 1; });
}

TEST(AsioLifetime, TheContextDropsWhatIsOutstanding) {
  const auto held = std::make_shared<int>();
  {
    asio_context outside;
    std::optional<net::steady_timer> timer;
    {
      scheduler all{{.workers = 1}};
      timer.emplace(outside.on(all), 1h);
      timer->async_wait([held](const asio_error&) { ADD_FAILURE(); });
    }
    timer.reset();  // completes it: refused, when somebody drives
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1);
}

/// A strand needs memory before the executor has the handler.
TEST(AsioMemory, AHandlerThatGetsNoneIsCountedAlsoOnAStrand) {
  licit_test::shared_memory memory;
  const auto held = std::make_shared<int>();
  {
    asio_context outside;
    licit::scheduler_options options{.workers = 1};
    options.memory = &memory;
    options.reactor = &outside;
    scheduler all(options);
    net::steady_timer plain(outside.on(all), 1h);
    net::steady_timer on_strand(net::make_strand(outside.on(all)), 1h);
    for (auto* each : {&plain, &on_strand}) {
      each->async_wait([held](const asio_error&) { ADD_FAILURE() << "called without memory"; });
    }
    memory.failing = true;
    EXPECT_EQ(plain.cancel(), 1U);
    EXPECT_EQ(on_strand.cancel(), 1U);
    await([&] { return outside.refused() == 2; });
    memory.failing = false;
    await([&] { return held.use_count() == 1; });
  }
  EXPECT_EQ(memory.live(), 0);
}

// --- the reactor

TEST(AsioReactor, InterruptEndsTheNextWaitAndAPollDoesNotTakeIt) {
  asio_context outside;
  outside.interrupt();
  EXPECT_EQ(outside.poll(), 0U);
  outside.wait(std::nullopt);  // returns
  std::atomic<bool> interrupts = false;
  std::thread other([&] {
    std::this_thread::sleep_for(10ms);
    interrupts = true;
    outside.interrupt();
  });
  outside.wait(std::nullopt);
  EXPECT_TRUE(interrupts);  // also with nothing outstanding it waits
  other.join();
}

TEST(AsioReactor, WaitsUntilTheDeadlineAndNotLonger) {
  asio_context outside;
  for (const auto most : {0ms, 5ms, 20ms}) {
    const auto until = std::chrono::steady_clock::now() + most;
    while (std::chrono::steady_clock::now() < until) outside.wait(until);
  }
  outside.wait(std::chrono::steady_clock::time_point::min());
  outside.interrupt();
  outside.wait(std::chrono::steady_clock::time_point::max());
  // The nearer one holds, whatever was set before.
  const auto now = std::chrono::steady_clock::now();
  outside.interrupt();
  outside.wait(now + 1h);
  while (std::chrono::steady_clock::now() < now + 5ms) outside.wait(now + 5ms);
  EXPECT_LT(std::chrono::steady_clock::now(), now + 10s);
}

TEST(AsioReactor, APollHandsOverWhatIsReady) {
  asio_context outside;
  int ran = 0;
  for (int i = 0; i != 10; ++i) net::post(outside.context(), [&] { ++ran; });
  EXPECT_EQ(outside.poll(), 10U);
  EXPECT_EQ(ran, 10);
  EXPECT_EQ(outside.poll(), 0U);
}

// --- faults

TEST_P(Asio, ConnectionsThatAreResetInTheMiddle) {
  ends both = connected(its.on());
  auto reads = its.all.spawn([&]() -> task<asio_error> {
    std::array<char, 100> place;
    const auto [error, n] = co_await net::async_read(both.server, net::buffer(place), use_task_with_error);
    EXPECT_EQ(n, 3U);
    co_return error;
  });
  (void)both.client.write_some(net::buffer("abc", 3));
  std::this_thread::sleep_for(10ms);
  both.client.set_option(net::socket_base::linger(true, 0));
  both.client.close();
  EXPECT_EQ(reads.get(), net::error::connection_reset);
  // Who writes learns it too.
  auto writes = its.all.spawn([&]() -> task<> {
    const std::string much(1U << 20, 'x');
    co_await net::async_write(both.server, net::buffer(much), use_task);
  });
  EXPECT_THROW(writes.get(), asio_system_error);
}

/// While it lives, the process can open no further file.
class no_descriptors {
 public:
  no_descriptors() {
    EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before_), 0);
    const rlimit none{0, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  }
  ~no_descriptors() { EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before_), 0); }

 private:
  rlimit before_{};
};

TEST_P(Asio, NoDescriptorsAreLeft) {
#if defined(__has_feature)
#if __has_feature(undefined_behavior_sanitizer)
  GTEST_SKIP() << "without a descriptor, the sanitizer takes any object for none: it reads one through a pipe";
#endif
#endif
  tcp::acceptor from(its.on(), its.here());
  tcp::socket client(its.on());
  client.connect(from.local_endpoint());
  {
    const no_descriptors now;
    auto accepts = its.all.spawn([&]() -> task<asio_error> {
      const auto [error, socket] = co_await from.async_accept(use_task_with_error);
      EXPECT_FALSE(socket.is_open());
      co_return error;
    });
    EXPECT_EQ(accepts.get(), net::error::no_descriptors);
    EXPECT_THROW(asio_context{}, asio_system_error);
  }
  // The connection waits, and the acceptor goes on.
  auto accepts = its.all.spawn([&]() -> task<bool> { co_return (co_await from.async_accept(use_task)).is_open(); });
  EXPECT_TRUE(accepts.get());
}

TEST_P(Asio, AReceiverThatIsDroppedEndsTheConnection) {
  ends both = connected(its.on());
  auto [to, from] = licit::make_channel<std::string>(2);
  std::atomic<int> sent = 0;
  auto forwards = its.all.spawn([&, to = std::move(to)]() mutable -> task<std::uint64_t> {
    std::array<char, 16> place;
    for (;;) {
      const std::size_t n = co_await both.server.async_read_some(net::buffer(place), use_task);
      if (!co_await to.send(std::string(place.data(), n))) break;
      ++sent;
    }
    both.server.close();
    co_return to.dropped();
  });
  (void)both.client.write_some(net::buffer("one", 3));
  await([&] { return sent == 1; });
  {
    const auto gone = std::move(from);
  }
  (void)both.client.write_some(net::buffer("two", 3));
  EXPECT_EQ(forwards.get(), 1U);
  char c = 0;
  asio_error end;
  (void)both.client.read_some(net::buffer(&c, 1), end);
  EXPECT_TRUE(end);
}

// --- idleness

/// Of the threads of this process but the calling one: how often they have gone to sleep so far, and whether all sleep.
struct other_threads {
  std::uint64_t sleeps = 0;
  bool asleep = true;
  friend bool operator==(const other_threads&, const other_threads&) = default;
};
/// Nothing where the system does not say.
std::optional<other_threads> looked_at() {
#if defined(__SANITIZE_THREAD__)
  return std::nullopt;  // its own thread wakes up
#endif
  other_threads all;
  std::size_t threads = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    if (entry.path().filename() == std::to_string(gettid())) continue;
    std::ifstream status(entry.path() / "status");
    for (std::string word; status >> word;) {
      if (word == "State:") all.asleep = status >> word && word == "S" && all.asleep;
      if (word != "voluntary_ctxt_switches:") continue;
      std::uint64_t number = 0;
      status >> number;
      all.sleeps += number;
      ++threads;
    }
  }
  return threads == 0 ? std::nullopt : std::optional(all);
}

/// So many open connections, on each of which a task waits, and as many timers: nobody wakes up meanwhile.
TEST_P(Asio, NobodyWakesUpBesideOpenConnectionsAndTimers) {
  constexpr std::size_t many = 1000;
  rlimit files{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = files.rlim_max;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &files), 0);
  if (files.rlim_max < 2 * many + 100) GTEST_SKIP() << "the system allows " << files.rlim_max << " open files";
  if (!looked_at()) GTEST_SKIP() << "/proc/self/task does not say how often threads sleep";

  std::vector<ends> open;
  std::vector<licit::join_handle<std::size_t>> serves;
  std::vector<licit::join_handle<>> waits;
  std::vector<net::steady_timer> timers;
  for (std::size_t i = 0; i != many; ++i) open.push_back(connected(its.on()));
  for (std::size_t i = 0; i != many; ++i) timers.emplace_back(its.on(), 1h);
  for (ends& each : open) serves.push_back(its.all.spawn(echo(each.server)));
  for (net::steady_timer& each : timers) {
    waits.push_back(its.all.spawn([&]() -> task<> { (void)co_await each.async_wait(use_task_with_error); }));
  }
  std::optional<other_threads> before;
  do {  // until each task waits, which may take long on a busy machine
    before = looked_at();
    std::this_thread::sleep_for(50ms);
  } while (!before->asleep || looked_at() != before);
  std::this_thread::sleep_for(2s);
  EXPECT_EQ(looked_at(), before);
  // And all of it is alive.
  for (ends& each : open) each.client.close();
  for (auto& each : serves) EXPECT_EQ(each.get(), 0U);
  for (net::steady_timer& each : timers) (void)each.cancel();
  for (auto& each : waits) each.get();
}

}  // namespace
