// licit_echo_bench: an echo server on the loopback address, by licit::asio, by Asio's thread_pool and by Tokio. Each
// has two workers and 64 connections; the same client, one thread, sends a message on each and waits for all of them to
// come back.
//
//   idle: the same with 1,000 connections on which nothing is sent, and as many timers an hour away. No thread of the
//   server may wake up.
//
//   licit_echo_bench [--planted] [Google Benchmark's options]
//
// --planted: an idle server that does wake up.
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
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
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

/// As many open files as this process may have.
void raise_files() {
  rlimit files{};
  (void)getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &files);
}

constexpr std::size_t idle_connections = 1000;

licit::task<> sleeps_often() {
  for (licit::interval every(std::chrono::milliseconds(500));;) co_await every.tick();
}

/// Every second timer is licit's, the others are Asio's. `restless`: one more sleeps again and again.
void idle(benchmark::State& state, bool own_thread, bool restless) {
  raise_files();
  licit_server its(own_thread);
  client with(its.port, idle_connections);
  if (!with.round()) state.SkipWithError("a message was lost or changed");
  std::deque<net::steady_timer> timers;
  for (std::size_t i = 0; i != idle_connections; i += 2) {
    auto& timer = timers.emplace_back(its.from.get_executor(), std::chrono::hours(1));
    auto waits = [&timer]() -> licit::task<> { co_await timer.async_wait(licit::use_task); };
    its.all.spawn(waits).detach();
    its.all.spawn([]() -> licit::task<> { co_await licit::sleep_for(std::chrono::hours(1)); }).detach();
  }
  if (restless) its.all.spawn(sleeps_often()).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds{200});
  thread_counters sum;
  for (auto _ : state) {
    const thread_counters before = thread_counters::of_other_threads();
    std::this_thread::sleep_for(std::chrono::seconds{5});
    const thread_counters after = thread_counters::of_other_threads();
    if (after.threads != workers + (own_thread ? 1 : 0))
      state.SkipWithError("/proc/self/task has not the server's threads");
    sum += after - before;
  }
  report_switches(state, sum);
  refuse_wake_ups(state, sum);
  its.all.shutdown(licit::shutdown_kind::cancel);
}

void add(const std::string& name, std::function<std::unique_ptr<server>()> make) {
  benchmark::RegisterBenchmark(("echo/" + name).c_str(),
                               [make = std::move(make)](benchmark::State& state) { echoes(state, make); })
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

void add_idle(const std::string& name, bool own_thread, bool restless = false) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { idle(state, own_thread, restless); })
      ->UseRealTime()
      ->Iterations(1);
}

void add_all() {
  add("licit", [] { return std::make_unique<licit_server>(true); });
  add("licit_by_workers", [] { return std::make_unique<licit_server>(false); });
  add("asio", [] { return std::make_unique<pool_server>(); });
  if (tokio_echo != nullptr) add("tokio", [] { return std::make_unique<tokio_server>(); });
  add_idle("idle/licit", true);
  add_idle("idle/licit_by_workers", false);
}

}  // namespace

}  // namespace licit_bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc > 1 && argv[1] == std::string_view("--planted")) {
    licit_bench::add_idle("planted/restless", false, true);
    licit_bench::add_idle("planted/restless_beside_a_thread", true, true);
  } else if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  } else {
    licit_bench::add_all();
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
