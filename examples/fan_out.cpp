// A crawler, with the server that it crawls. It follows the links of each page, many pages at once, with a time limit
// for each, and stops when it has found enough.
//
//     fan_out [--pages N] [--enough N] [--at-once N] [--limit MILLISECONDS]
//
// Page n of the server has links to pages 2n and 2n + 1: a binary tree. In every eleven pages one never answers, and
// one drops the connection. The crawler prints how many pages it has found, and how many failed in which way. Without
// --enough it compares that with the tree, and exits with status 1 if they differ.
#include <licit/asio.hpp>

#if LICIT_ASIO_BOOST
#include <boost/asio.hpp>
#else
#include <asio.hpp>
#endif

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <licit/scheduler.hpp>
#include <licit/sync.hpp>

namespace {

namespace net = licit::net;
using licit::task;
using licit::use_task;
using licit::use_task_with_error;
using net::ip::tcp;

using page = std::uint32_t;
constexpr bool is_silent(page n) { return n % 11 == 9; }
constexpr bool breaks_off(page n) { return n % 11 == 10; }

struct arguments {
  page pages = 500;
  page enough = 0;  ///< 0: all of them
  page at_once = 64;
  page limit = 200;
};

// --- the server: a line with a number, answered by a line with numbers

task<> serve(tcp::socket with, page pages) {
  std::string line;
  const auto [error, n] =
      co_await net::async_read_until(with, net::dynamic_buffer(line, 64), '\n', use_task_with_error);
  page asked = 0;
  if (error || std::from_chars(line.data(), line.data() + n, asked).ec != std::errc()) co_return;
  if (is_silent(asked)) {  // until the client closes the connection
    char more = 0;
    (void)co_await with.async_read_some(net::buffer(&more, 1), use_task_with_error);
    co_return;
  }
  if (breaks_off(asked)) {
    with.set_option(net::socket_base::linger(true, 0));
    co_return;
  }
  std::string links;
  for (const page to : {2 * asked, 2 * asked + 1}) {
    if (to <= pages) links += std::to_string(to) + ' ';
  }
  links += '\n';
  (void)co_await net::async_write(with, net::buffer(links), use_task_with_error);
}

task<> serve_all(tcp::acceptor& from, page pages) {
  auto body = [&](licit::scope& connections) -> task<> {
    for (;;) connections.spawn(serve(co_await from.async_accept(use_task), pages));
  };
  co_await licit::in_scope(body);
}

// --- the crawler

struct crawl {
  arguments with;
  licit::asio_executor on;
  tcp::endpoint server;
  licit::semaphore places{with.at_once};
  std::atomic<page> found = 0, too_late = 0, broken = 0;
};

task<std::string> fetch(const crawl& its, page n) {
  tcp::socket to(its.on);
  co_await to.async_connect(its.server, use_task);
  const std::string question = std::to_string(n) + '\n';
  co_await net::async_write(to, net::buffer(question), use_task);
  std::string answer;
  co_await net::async_read_until(to, net::dynamic_buffer(answer, 64), '\n', use_task);
  co_return answer;
}

/// The links of a page; none if the page cannot be fetched, which is counted.
task<std::string> links(crawl& its, page n) {
  co_await its.places.acquire();
  struct place {
    licit::semaphore& of;
    ~place() { of.release(); }
  } const until_the_end{its.places};
  net::steady_timer clock(its.on, std::chrono::milliseconds(its.with.limit));
  try {
    auto first = co_await licit::when_any(fetch(its, n), clock.async_wait(use_task).as_task());
    if (std::string* const text = std::get_if<0>(&first)) {
      its.found.fetch_add(1);
      co_return std::move(*text);
    }
    its.too_late.fetch_add(1);
  } catch (const licit::asio_system_error&) {
    its.broken.fetch_add(1);
  }
  co_return std::string();
}

task<> visit(crawl& its, licit::scope& others, page n) {
  const std::string text = co_await links(its, n);
  if (its.with.enough != 0 && its.found >= its.with.enough) {
    others.request_stop();
    co_return;
  }
  std::string_view rest = text;
  for (page to = 0;;) {
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), to);
    if (error != std::errc()) break;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 1);
    others.spawn(visit(its, others, to));
  }
}

/// Whether it has seen every page.
task<bool> visit_all(crawl& its) {
  auto body = [&its](licit::scope& visits) -> task<> { co_await visit(its, visits, 1); };
  try {
    co_await licit::in_scope(body);
  } catch (const licit::task_cancelled&) {  // there was enough
  }
  co_return its.with.enough == 0 || its.found < its.with.enough;
}

/// What there is to find below page n.
void expect(page n, page pages, page& found, page& too_late, page& broken) {
  if (n > pages) return;
  if (is_silent(n)) {
    ++too_late;
  } else if (breaks_off(n)) {
    ++broken;
  } else {
    ++found;
    expect(2 * n, pages, found, too_late, broken);
    expect(2 * n + 1, pages, found, too_late, broken);
  }
}

arguments parse(char** argument) {
  arguments given;
  const std::map<std::string_view, page*> options{
      {"--pages", &given.pages}, {"--enough", &given.enough}, {"--at-once", &given.at_once}, {"--limit", &given.limit}};
  while (*++argument != nullptr) {
    const auto option = options.find(*argument);
    if (option == options.end()) throw std::invalid_argument("no such option: " + std::string(*argument));
    const std::string_view text = *++argument == nullptr ? "" : *argument;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *option->second);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || *option->second > 1'000'000) {
      throw std::invalid_argument(std::string(option->first) + " is a number up to 1000000");
    }
  }
  if (given.at_once == 0) throw std::invalid_argument("--at-once is at least 1");
  return given;
}

}  // namespace

int main(int /*argc*/, char** argv) {
  try {
    const arguments given = parse(argv);
    licit::asio_context outside;
    const licit::reactor_thread driver(outside);
    licit::scheduler all{{.workers = 2}};
    const licit::asio_executor on = outside.on(all);
    tcp::acceptor from(on, {net::ip::address_v4::loopback(), 0});
    auto server = all.spawn(serve_all(from, given.pages));
    crawl its{given, on, from.local_endpoint()};
    const bool complete = all.spawn(visit_all(its)).get();
    server.request_stop();
    const licit::shutdown_report report = all.shutdown(licit::shutdown_kind::drain);

    std::printf("%s: %u pages, %u too late, %u broken off\n", complete ? "all" : "enough", its.found.load(),
                its.too_late.load(), its.broken.load());
    std::printf("%llu tasks are left\n", static_cast<unsigned long long>(report.left));
    if (!report.complete()) return 1;
    if (!complete) return its.found >= given.enough ? 0 : 1;
    page found = 0, too_late = 0, broken = 0;
    expect(1, given.pages, found, too_late, broken);
    return found == its.found && too_late == its.too_late && broken == its.broken ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fan_out: %s\nusage: fan_out [--pages N] [--enough N] [--at-once N] [--limit MILLISECONDS]\n",
                 error.what());
    return 2;
  }
}
