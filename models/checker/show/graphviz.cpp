#include <array>
#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <licit/checker/drawing.hpp>

namespace licit::checker {

namespace {

[[noreturn]] void cannot(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// A file descriptor, closed at the end.
class descriptor {
 public:
  explicit descriptor(int number) : number_{number} {}
  ~descriptor() { close(); }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

void write_all(const descriptor& to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(to.number(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) cannot("licit: a graph for Graphviz");
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string read_all(const descriptor& from) {
  std::string all;
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t n = ::read(from.number(), block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) cannot("licit: a drawing by Graphviz");
    if (n == 0) return all;
    all.append(block.data(), static_cast<std::size_t>(n));
  }
}

/// Starts `dot`, which reads and writes these.
pid_t start(const descriptor& in, const descriptor& out, const std::string& format) {
  std::string program = "dot";
  std::string option = "-T" + format;
  const std::array<char*, 3> arguments{program.data(), option.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.number(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.number(), STDOUT_FILENO);
  // On some graphs its libraries print what says nothing to a user; the status says whether it failed.
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, "dot", &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) throw std::runtime_error("a drawing needs Graphviz's `dot` (Debian: graphviz)");
  if (error != 0) throw std::system_error(error, std::generic_category(), "licit: Graphviz's `dot`");
  return child;
}

}  // namespace

std::string run_dot(const std::string& graph, const std::string& format) {
  const descriptor in(::memfd_create("licit", MFD_CLOEXEC));
  if (in.number() < 0) cannot("licit: memfd_create");
  write_all(in, graph);
  if (::lseek(in.number(), 0, SEEK_SET) != 0) cannot("licit: lseek");
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) cannot("licit: pipe");
  const descriptor out(ends[0]);
  descriptor theirs(ends[1]);
  const pid_t child = start(in, theirs, format);
  theirs.close();
  std::string drawing = read_all(out);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error("Graphviz's `dot -T" + format + "` failed");
  }
  return drawing;
}

}  // namespace licit::checker
