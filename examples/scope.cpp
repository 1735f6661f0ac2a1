// Structured concurrency: tasks that end before the coroutine that started them continues.
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <licit/scheduler.hpp>

namespace {

/// Stands for a request; an answer takes some time.
licit::task<std::string> ask(int server, int rounds) {
  for (int i = 0; i != rounds; ++i) co_await licit::yield_now();
  if (server == 3) throw std::runtime_error("server 3 is down");
  co_return "answer of server " + std::to_string(server);
}

/// Several answers: the first exception cancels the other requests.
licit::task<std::size_t> total_size(int servers) {
  std::vector<licit::task<std::string>> requests;
  for (int i = 0; i != servers; ++i) requests.push_back(ask(i, 10 * i));
  std::size_t size = 0;
  for (const std::string& answer : co_await licit::when_all(std::move(requests))) size += answer.size();
  co_return size;
}

/// The first of two answers: the other request, which would take minutes, is cancelled.
licit::task<std::string> fastest() {
  const auto first = co_await licit::when_any(ask(1, 1'000'000'000), ask(2, 1));
  co_return std::visit([](const std::string& answer) { return answer; }, first);
}

/// Tasks that come and go, and use what the coroutine has in its frame.
licit::task<int> squares(int most) {
  std::vector<int> square(static_cast<std::size_t>(most));
  co_await licit::in_scope([&](licit::scope& all) -> licit::task<> {
    for (int i = 0; i != most; ++i) {
      all.spawn([&square, i] { square[static_cast<std::size_t>(i)] = i * i; });
    }
    co_return;  // the scope waits for what it spawned
  });
  int sum = 0;
  for (const int s : square) sum += s;
  co_return sum;
}

}  // namespace

int main() {
  licit::scheduler all({.workers = 2});
  bool failed = false;
  try {
    (void)all.block_on(total_size(5));
  } catch (const std::runtime_error& e) {
    std::printf("%s\n", e.what());
    failed = true;
  }
  const std::size_t size = all.block_on(total_size(2));
  const std::string first = all.block_on(fastest());
  const int sum = all.block_on(squares(10));
  std::printf("%zu characters; %s; %d\n", size, first.c_str(), sum);
  return failed && size == 36 && first == "answer of server 2" && sum == 285 ? 0 : 1;
}
