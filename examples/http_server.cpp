// An HTTP/1.1 server on the loopback address. It serves the files below a folder, and echoes what is posted to /echo.
//
//     http_server FOLDER [--port N] [--workers N] [--connections N] [--patience SECONDS] [--driver workers|thread]
//
// Port 0, the default, means any free port; the server prints which. It stops on SIGINT or SIGTERM: it accepts no more
// connections, gives open ones a second, cancels those that are left, and prints how many requests it has answered.
//
// The workers wait for the sockets themselves, one at a time, when they have nothing else to do. With
// `--driver thread`, a separate thread waits for them.
//
// A client's demands are limited: connections, bytes of a head and of a body, and time without a byte. No path leaves
// the folder: each part is opened within the part before, and symbolic links are not followed.
#include <licit/asio.hpp>

#if LICIT_ASIO_BOOST
#include <boost/asio.hpp>
#else
#include <asio.hpp>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/sync.hpp>

#include "http_head.hpp"

namespace {

namespace net = licit::net;
using licit::task;
using licit::use_task;
using licit::use_task_with_error;
using net::ip::tcp;

constexpr std::size_t most_of_a_head = 8192;
constexpr std::size_t most_of_a_body = std::size_t{1} << 20;
constexpr std::size_t piece = std::size_t{1} << 16;  // of a file, in memory at a time

/// A file that is open, and its first piece.
class file {
 public:
  explicit file(int descriptor) noexcept : descriptor_{descriptor} {}
  file(file&& o) noexcept : file(-1) { *this = std::move(o); }
  file& operator=(file&& o) noexcept {
    std::swap(status, o.status);
    std::swap(size, o.size);
    std::swap(first, o.first);
    std::swap(descriptor_, o.descriptor_);
    return *this;
  }
  ~file() {
    if (descriptor_ != -1) ::close(descriptor_);
  }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  /// What is there from `begin` on, at most a piece of it; empty at the end, or if it cannot be read.
  /// Never beyond `size`, which a client was promised: the file may grow.
  [[nodiscard]] std::string read(std::uint64_t begin) const {
    std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(piece, size - begin)), '\0');
    const ssize_t n = ::pread(descriptor_, text.data(), text.size(), static_cast<off_t>(begin));
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }

  int status = 404;  ///< of the answer, if it is not open
  std::uint64_t size = 0;
  std::string first;

 private:
  int descriptor_;
};

/// What could not be opened: it is not there, or no descriptor is left.
file not_open() {
  const bool none_left = errno == EMFILE || errno == ENFILE;
  file none(-1);
  none.status = none_left ? 503 : 404;
  return none;
}

/// The regular file at the end of the path, whose parts are names; otherwise its descriptor is -1, and `status` says
/// why. Blocks.
file open_below(int folder, const std::vector<std::string>& parts) {
  file at(::fcntl(folder, F_DUPFD_CLOEXEC, 0));
  for (const std::string& part : parts) {
    if (at.descriptor() == -1) return not_open();
    file inner(::openat(at.descriptor(), part.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (&part == &parts.back()) {
      struct stat about{};
      if (inner.descriptor() == -1) return not_open();
      if (::fstat(inner.descriptor(), &about) != 0 || !S_ISREG(about.st_mode)) return file(-1);
      inner.size = static_cast<std::uint64_t>(about.st_size);
      inner.first = inner.read(0);
      return inner;
    }
    at = std::move(inner);
  }
  return file(-1);
}

struct server {
  int folder;
  std::uint32_t connections;
  std::chrono::seconds patience;
  licit::asio_executor on;
  tcp::acceptor from;
  licit::semaphore places{connections};
  std::atomic<std::uint64_t> requests = 0;
};

/// One connection: requests and answers, in turns.
class session {
 public:
  session(server& of, tcp::socket with) : of_{&of}, with_{std::move(with)}, clock_{of.on} {}

  task<> run() {
    while (const std::optional<http::head> asked = co_await next_head()) {
      bool stays = false;
      if (asked->status != 200) {
        co_await answer(asked->status, false, {}, false);
      } else if (asked->method == "POST") {
        stays = co_await echo(*asked);
      } else {
        stays = co_await send_file(*asked);
      }
      of_->requests.fetch_add(1);
      if (!stays) {
        unread_ = true;
        break;
      }
    }
    licit::asio_error ignored;
    with_.shutdown(tcp::socket::shutdown_send, ignored);
    // Input that is left unread would make the system reset the connection, and the answer with it.
    for (int i = 0; i != 64 && !ignored && unread_; ++i) {
      read_.clear();
      if (!co_await more(piece, std::chrono::seconds(1))) break;
    }
  }

 private:
  /// Awaits `what`, but not for longer than `patience`. Whether it has succeeded.
  template <class Operation>
  task<bool> in_time(Operation what, std::chrono::seconds patience) {
    clock_.expires_after(patience);
    const auto first =
        co_await licit::when_any(std::move(what).as_task(), clock_.async_wait(use_task_with_error).as_task());
    co_return first.index() == 0 && !std::get<0>(std::get<0>(first));
  }

  /// Returns nothing if the client has closed the connection, or is silent.
  task<std::optional<http::head>> next_head() {
    std::size_t end = read_.find("\r\n\r\n");
    while (end == std::string::npos && read_.size() <= most_of_a_head) {
      const std::size_t before = read_.size();
      if (!co_await more(before + 4096)) co_return std::nullopt;
      end = read_.find("\r\n\r\n", before < 3 ? 0 : before - 3);
    }
    if (end == std::string::npos || end > most_of_a_head) co_return http::head(431);
    http::head asked = http::parse(std::string_view(read_).substr(0, end + 2));
    read_.erase(0, end + 4);
    if (asked.status == 200 && asked.body > most_of_a_body) asked.status = 413;
    co_return asked;
  }
  /// Reads something, until there are so many bytes at most.
  task<bool> more(std::size_t most) { return more(most, of_->patience); }
  task<bool> more(std::size_t most, std::chrono::seconds patience) {
    const std::size_t before = read_.size();
    read_.resize(most);
    got_ = 0;
    auto reads = with_.async_read_some(net::buffer(read_.data() + before, most - before), use_task_with_error);
    const bool good = co_await in_time(counted(std::move(reads), got_), patience);
    read_.resize(before + got_);
    co_return good;
  }
  /// An operation that leaves its number of bytes where it is seen also if it has come too late.
  template <class Operation>
  struct counting {
    Operation what;
    std::size_t* number;
    task<std::tuple<licit::asio_error>> as_task() && { return run(std::move(what), number); }
    static task<std::tuple<licit::asio_error>> run(Operation what, std::size_t* number) {
      const auto [error, n] = co_await std::move(what);
      *number = n;
      co_return error;
    }
  };
  template <class Operation>
  static counting<Operation> counted(Operation what, std::size_t& number) {
    return {std::move(what), &number};
  }

  task<bool> send(std::string_view text) {
    auto writes = net::async_write(with_, net::buffer(text), use_task_with_error);
    co_return co_await in_time(counted(std::move(writes), got_), of_->patience);
  }

  task<bool> answer(int status, bool stays, std::string_view type, bool empty, std::string_view text = {},
                    std::uint64_t size = 0) {
    const std::string reason(http::reason(status));
    if (status != 200) text = reason, size = text.size(), type = "text/plain";
    std::string all = "HTTP/1.1 " + std::to_string(status) + ' ' + reason +
                      "\r\nContent-Length: " + std::to_string(size) + "\r\nContent-Type: " + std::string(type) +
                      "\r\nConnection: " + (stays ? "keep-alive" : "close") + "\r\n\r\n";
    if (!empty) all += text;
    co_return co_await send(all);
  }

  // Both return whether the connection stays.

  task<bool> echo(const http::head& asked) {
    if (asked.path.size() != 1 || asked.path.front() != "echo") {
      co_await answer(404, false, {}, false);
      co_return false;
    }
    if (asked.continues && !co_await send("HTTP/1.1 100 Continue\r\n\r\n")) co_return false;
    while (read_.size() < asked.body) {
      if (!co_await more(std::min<std::size_t>(asked.body, read_.size() + piece))) co_return false;
    }
    const std::string body = read_.substr(0, asked.body);
    read_.erase(0, asked.body);
    const bool sent = co_await answer(200, asked.keeps_alive, "application/octet-stream", false, body, body.size());
    co_return sent&& asked.keeps_alive;
  }

  task<bool> send_file(const http::head& asked) {
    const bool only_head = asked.method == "HEAD";
    auto opens = [folder = of_->folder, path = asked.path] { return open_below(folder, path); };
    const auto found = std::make_shared<const file>(co_await licit::run_blocking(std::move(opens)));
    if (found->descriptor() == -1) {
      co_return co_await answer(found->status, asked.keeps_alive, {}, only_head) && asked.keeps_alive;
    }
    bool good =
        co_await answer(200, asked.keeps_alive, http::type_of(asked.path.back()), only_head, found->first, found->size);
    for (std::uint64_t sent = found->first.size(); good && !only_head && sent < found->size;) {
      auto reads = [found, sent] { return found->read(sent); };  // the call may outlive this coroutine
      const std::string next = co_await licit::run_blocking(std::move(reads));
      good = !next.empty() && co_await send(next);
      sent += next.size();
    }
    co_return good&& asked.keeps_alive;  // if not good, the client was promised more
  }

  server* of_;
  tcp::socket with_;
  net::steady_timer clock_;
  std::string read_;  ///< and not yet used
  std::size_t got_ = 0;
  bool unread_ = false;  ///< the client may have sent what nobody will read
};

task<> serve(server& of, tcp::socket with) {
  struct place {
    server& of;
    ~place() { of.places.release(); }
  } const until_the_end{of};
  try {
    session one(of, std::move(with));
    co_await one.run();
  } catch (const std::exception& e) {  // of this connection
    std::fprintf(stderr, "http_server: %s\n", e.what());
  }
}

task<> accept_all(server& of, licit::scope& sessions) {
  net::steady_timer clock(of.on);
  for (;;) {
    co_await of.places.acquire();
    struct place {  // until a session has it
      server* of;
      ~place() {
        if (of != nullptr) of->places.release();
      }
    } mine{&of};
    auto [error, with] = co_await of.from.async_accept(use_task_with_error);
    if (!error) {
      sessions.spawn(serve(of, std::move(with)));
      mine.of = nullptr;
      continue;
    }
    // No descriptor is left, or the client has gone already: the others go on.
    clock.expires_after(std::chrono::milliseconds(10));
    co_await clock.async_wait(use_task);
  }
}

task<> until_a_signal(server& of) {
  net::signal_set signals(of.on, SIGINT, SIGTERM);
  (void)co_await signals.async_wait(use_task);
}

task<> all_gone(server& of) { co_await of.places.acquire(of.connections); }

task<> run(server& of) {
  auto body = [&of](licit::scope& sessions) -> task<> {
    co_await licit::when_any(accept_all(of, sessions), until_a_signal(of));
    of.from.close();
    net::steady_timer second(of.on, std::chrono::seconds(1));
    co_await licit::when_any(all_gone(of), second.async_wait(use_task).as_task());
    sessions.request_stop();
  };
  try {
    co_await licit::in_scope(body);
  } catch (const licit::task_cancelled&) {
  }
}

struct arguments {
  std::string folder;
  std::uint16_t port = 0;
  std::size_t workers = 0;
  std::uint32_t connections = 1000;
  std::uint32_t patience = 10;
  bool driven_by_thread = false;
};

template <class Number>
void read(std::string_view option, const char* text, Number& into) {
  const std::string_view all = text == nullptr ? "" : text;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), into);
  if (error != std::errc() || end != all.data() + all.size() || all.empty()) {
    throw std::invalid_argument(std::string(option) + ": no such number: " + std::string(all));
  }
}

arguments parse(char** argument) {
  arguments given;
  while (*++argument != nullptr) {
    const std::string_view text = *argument;
    if (!text.starts_with("--")) {
      given.folder = text;
      continue;
    }
    if (text == "--port") {
      read(text, argument[1], given.port);
    } else if (text == "--workers") {
      read(text, argument[1], given.workers);
    } else if (text == "--connections") {
      read(text, argument[1], given.connections);
    } else if (text == "--patience") {
      read(text, argument[1], given.patience);
    } else if (text == "--driver") {
      const std::string_view by = argument[1] == nullptr ? "" : argument[1];
      if (by != "workers" && by != "thread") throw std::invalid_argument("--driver is workers or thread");
      given.driven_by_thread = by == "thread";
    } else {
      throw std::invalid_argument("no such option: " + std::string(text));
    }
    ++argument;
  }
  if (given.folder.empty()) throw std::invalid_argument("which folder?");
  if (given.connections == 0 || given.connections > licit::semaphore::most) {
    throw std::invalid_argument("--connections must be from 1 to 2147483647");
  }
  return given;
}

}  // namespace

int main(int /*argc*/, char** argv) {
  try {
    const arguments given = parse(argv);
    const file folder(::open(given.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.descriptor() == -1) throw std::invalid_argument(given.folder + ": is no folder that can be read");
    licit::asio_context outside;
    std::optional<licit::reactor_thread> thread;
    if (given.driven_by_thread) thread.emplace(outside);
    licit::scheduler all{{.workers = given.workers, .reactor = thread ? nullptr : &outside}};
    const licit::asio_executor on = outside.on(all);
    server its{.folder = folder.descriptor(),
               .connections = given.connections,
               .patience = std::chrono::seconds(given.patience),
               .on = on,
               .from = tcp::acceptor(on, {net::ip::address_v4::loopback(), given.port})};
    std::printf("http://127.0.0.1:%d/\n", its.from.local_endpoint().port());
    std::fflush(stdout);
    all.spawn(run(its)).get();
    const licit::shutdown_report report = all.shutdown(licit::shutdown_kind::drain);
    std::printf("%llu requests; %llu tasks are left\n", static_cast<unsigned long long>(its.requests),
                static_cast<unsigned long long>(report.left));
    return report.complete() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "http_server: %s\nusage: http_server FOLDER [--port N] [--workers N] [--connections N] "
                 "[--patience SECONDS] [--driver workers|thread]\n",
                 error.what());
    return 2;
  }
}
