// licit_echo_bench: an echo server on the loopback address, by licit::asio, by Asio's thread_pool and by Tokio. Each
// has two workers and 64 connections; the same client, one thread, sends a message on each and waits for all of them to
// come back.
//
//   idle: the same with 1,000 connections on which nothing is sent, and as many timers an hour away.
#include <licit/asio.hpp>

#if LICIT_ASIO_BOOST
#include <boost/asio.hpp>
#else
#include <asio.hpp>
#endif

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "scheduler/measured.hpp"
#include "scheduler/sleeping.hpp"

// bench/tokio/lib.rs; not there without Tokio.
extern "C" {
struct tokio_runtime;
[[gnu::weak]] tokio_runtime* tokio_make_with_net(std::size_t workers);
[[gnu::weak]] std::uint16_t tokio_echo(const tokio_runtime* runtime);
[[gnu::weak]] void tokio_free(tokio_runtime* runtime);
}

namespace licit_bench {

namespace {

namespace net = licit::net;
using net::ip::tcp;

constexpr std::size_t connections = 64;
constexpr std::size_t message = 64;
const tcp::endpoint anywhere{net::ip::address_v4::loopback(), 0};

/// A server in operation: its address, and what it consists of.
struct server {
  virtual ~server() = default;
  std::uint16_t port = 0;
};

// --- licit

template <class Socket>
licit::task<> echo(Socket with) {
  std::array<char, 4096> place;
  for (;;) {
    const auto [error, n] = co_await with.async_read_some(net::buffer(place), licit::use_task_with_error);
    if (error) co_return;
    const auto [lost, sent] = co_await net::async_write(with, net::buffer(place, n), licit::use_task_with_error);
    if (lost) co_return;
  }
}

template <class Acceptor>
licit::task<> accept_all(Acceptor& from) {
  for (;;) licit::spawn(echo(co_await from.async_accept(licit::use_task))).detach();
}

struct licit_server : server {
  explicit licit_server(bool own_thread, std::size_t threads = workers)
      : thread{own_thread ? std::make_unique<licit::reactor_thread>(outside) : nullptr},
        all{{.workers = threads, .reactor = own_thread ? nullptr : &outside}},
        from{outside.on(all), anywhere} {
    port = from.local_endpoint().port();
    accepts = all.spawn(accept_all(from));
  }
  ~licit_server() override { all.shutdown(licit::shutdown_kind::cancel); }

  using socket = net::basic_stream_socket<tcp, licit::asio_executor>;
  licit::asio_context outside;
  std::unique_ptr<licit::reactor_thread> thread;
  licit::scheduler all;
  net::basic_socket_acceptor<tcp, licit::asio_executor> from;
  licit::join_handle<> accepts;
};

// --- Asio's own

struct pool_session : std::enable_shared_from_this<pool_session> {
  explicit pool_session(net::basic_stream_socket<tcp, net::thread_pool::executor_type> s) : with{std::move(s)} {}
  void read() {
    with.async_read_some(net::buffer(place), [self = shared_from_this()](auto error, std::size_t n) {
      if (!error) self->write(n);
    });
  }
  void write(std::size_t n) {
    net::async_write(with, net::buffer(place, n), [self = shared_from_this()](auto error, std::size_t) {
      if (!error) self->read();
    });
  }
  net::basic_stream_socket<tcp, net::thread_pool::executor_type> with;
  std::array<char, 4096> place;
};

struct pool_server : server {
  pool_server() {
    port = from.local_endpoint().port();
    accept();
  }
  ~pool_server() override {
    pool.stop();
    pool.join();
  }
  void accept() {
    from.async_accept([this](auto error, auto with) {
      if (error) return;
      std::make_shared<pool_session>(std::move(with))->read();
      accept();
    });
  }
  net::thread_pool pool{workers};
  net::basic_socket_acceptor<tcp, net::thread_pool::executor_type> from{pool.get_executor(), anywhere};
};

// --- Tokio

struct tokio_server : server {
  tokio_server() : all{tokio_make_with_net(workers)} { port = tokio_echo(all); }
  ~tokio_server() override { tokio_free(all); }
  tokio_runtime* all;
};

// --- the client

class client {
 public:
  client(std::uint16_t port, std::size_t number) {
    for (std::size_t i = 0; i != number; ++i) {
      sockets_.emplace_back(context_);
      sockets_.back().connect({net::ip::address_v4::loopback(), port});
      sockets_.back().set_option(tcp::no_delay(true));
    }
    got_.resize(number);
  }
  /// A message on each connection, and back. Whether all came back as they were sent.
  bool round() {
    sent_.fill(++value_);
    for (std::size_t i = 0; i != sockets_.size(); ++i) {
      (void)net::write(sockets_[i], net::buffer(sent_));
      net::async_read(sockets_[i], net::buffer(got_[i]), [this, i](auto error, std::size_t) {
        if (!error && got_[i] == sent_) ++back_;
      });
    }
    back_ = 0;
    context_.restart();
    context_.run();
    return back_ == sockets_.size();
  }

 private:
  net::io_context context_{1};
  std::vector<tcp::socket> sockets_;
  std::array<char, message> sent_{};
  std::vector<std::array<char, message>> got_;
  char value_ = 0;
  std::size_t back_ = 0;
};

void echoes(benchmark::State& state, const std::function<std::unique_ptr<server>()>& make) {
  const std::unique_ptr<server> its = make();
  client with(its->port, connections);
  for (int i = 0; i != 3; ++i) (void)with.round();  // all are accepted then
  for (auto _ : state) {
    if (!with.round()) state.SkipWithError("a message was lost or changed");
  }
  state.counters["requests"] =
      benchmark::Counter(static_cast<double>(connections * state.iterations()), benchmark::Counter::kIsRate);
}

void idle_connections(benchmark::State& state) {
  constexpr std::size_t many = 1000;
  rlimit files{};
  (void)getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &files);
  licit_server its(true);
  client with(its.port, many);
  if (!with.round()) state.SkipWithError("a message was lost or changed");
  std::vector<std::unique_ptr<net::steady_timer>> timers;
  for (std::size_t i = 0; i != many; ++i) {
    timers.push_back(std::make_unique<net::steady_timer>(its.from.get_executor(), std::chrono::hours(1)));
    its.all.spawn([&timer = *timers.back()]() -> licit::task<> { co_await timer.async_wait(licit::use_task); })
        .detach();
  }
  const std::string name = "licit-";
  std::this_thread::sleep_for(std::chrono::milliseconds{200});
  thread_counters sum;
  for (auto _ : state) {
    const thread_counters before = thread_counters::of_threads_named(name);
    std::this_thread::sleep_for(std::chrono::seconds{5});
    const thread_counters after = thread_counters::of_threads_named(name);
    if (after.threads != workers) state.SkipWithError("/proc/self/task does not show the workers");
    sum += after - before;
  }
  report_switches(state, sum);
  its.all.shutdown(licit::shutdown_kind::cancel);
}

void add(const std::string& name, std::function<std::unique_ptr<server>()> make) {
  benchmark::RegisterBenchmark(("echo/" + name).c_str(),
                               [make = std::move(make)](benchmark::State& state) { echoes(state, make); })
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

[[maybe_unused]] const bool added = [] {
  add("licit", [] { return std::make_unique<licit_server>(true); });
  add("licit_by_workers", [] { return std::make_unique<licit_server>(false); });
  add("asio", [] { return std::make_unique<pool_server>(); });
  if (tokio_echo != nullptr) add("tokio", [] { return std::make_unique<tokio_server>(); });
  benchmark::RegisterBenchmark("idle/licit", idle_connections)->UseRealTime()->Iterations(1);
  return true;
}();

}  // namespace

}  // namespace licit_bench

BENCHMARK_MAIN();
