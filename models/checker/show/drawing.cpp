#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
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

using relation = execution::relation;

constexpr double inches_a_letter = 0.085;
constexpr double row_height = 0.72;
constexpr double gap = 1.4;  ///< between columns
constexpr std::size_t title_width = 84;

std::string quoted(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    if (c == '\n') {
      all += "\\n";
    } else {
      all += c;
    }
  }
  return all + "\"";
}

std::string wrapped(std::string_view text) {
  std::string all;
  while (text.size() > title_width) {
    const std::size_t space = text.rfind(' ', title_width);
    if (space == std::string_view::npos || space == 0) break;
    all.append(text.substr(0, space)).append("\n");
    text.remove_prefix(space + 1);
  }
  return all.append(text);
}

std::string inches(double value) {
  std::string text(32, '\0');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.2f", value)));
  return text;
}

/// Where everything is: columns of one width each, and rows such that time flows downwards.
class layout {
 public:
  explicit layout(const execution& e) : execution_{e}, width_(e.threads), row_(e.steps.size()) {
    for (std::size_t s = 0; s != e.steps.size(); ++s) {
      labels_.push_back(label(s));
      double& width = width_[e.steps[s].thread];
      width = std::max({width, 1.0, inches_a_letter * static_cast<double>(longest_line(labels_[s])) + 0.2});
      for (const execution::edge& a : e.edges) {
        if (a.to == s && takes_time(a)) row_[s] = std::max(row_[s], row_[a.from] + (a.what == relation::po ? 1 : 0.5));
      }
      rows_ = std::max(rows_, row_[s]);
    }
  }

  [[nodiscard]] const std::string& label_of(std::size_t s) const { return labels_[s]; }
  [[nodiscard]] double width(unsigned thread) const { return width_[thread]; }
  [[nodiscard]] std::string place(std::size_t s) const { return at(x(execution_.steps[s].thread), row_[s] + 1); }
  [[nodiscard]] std::string head(unsigned thread) const { return at(x(thread), 0); }
  [[nodiscard]] std::string title() const { return at(middle(), -1); }
  [[nodiscard]] std::string foot() const { return at(middle(), rows_ + 2); }

 private:
  [[nodiscard]] static std::string at(double x, double row) {
    return quoted(inches(x) + "," + inches(-row * row_height) + "!");
  }
  [[nodiscard]] double x(unsigned thread) const {
    double left = 0;
    for (unsigned t = 0; t != thread; ++t) left += width_[t] == 0 ? 0 : width_[t] + gap;
    return left + width_[thread] / 2;
  }
  [[nodiscard]] double middle() const {
    double all = -gap;
    for (const double w : width_) all += w == 0 ? 0 : w + gap;
    return all / 2;
  }
  static bool takes_time(const execution::edge& a) {
    return a.what == relation::po || a.what == relation::rf || a.what == relation::hb;
  }
  static std::size_t longest_line(const std::string& text) {
    const std::size_t end = text.find('\n');
    return end == std::string::npos ? text.size() : std::max(end, text.size() - end - 1);
  }
  /// What is read from its own thread or from the beginning is not drawn as an edge.
  [[nodiscard]] std::string label(std::size_t s) const {
    const execution::step& step = execution_.steps[s];
    std::string text = reference(execution_, s);
    if (!step.site.empty()) text += " " + step.site;
    text += "\n" + deed(step);
    if (step.source == execution::nothing) return text;
    if (step.source == execution::beginning || execution_.steps[step.source].thread == step.thread) {
      text += " <- " + reference(execution_, step.source);
    }
    return text;
  }

  const execution& execution_;
  std::vector<std::string> labels_;
  std::vector<double> width_;
  std::vector<double> row_;
  double rows_ = 0;
};

std::string step_line(const execution& e, const layout& l, std::size_t s) {
  const execution::step& step = e.steps[s];
  std::string text = "  e" + std::to_string(s) + " [label=" + quoted(l.label_of(s)) + " pos=" + l.place(s) +
                     " width=" + inches(l.width(step.thread));
  if (step.offends) text += R"( color="#c0182b" penwidth=2 fillcolor="#fdecee")";
  return text + "];\n";
}

std::string style_of(const execution::edge& a) {
  switch (a.what) {
    case relation::po: return "color=\"#8a8a8a\"";
    case relation::rf: return R"(color="#1a7f37" fontcolor="#1a7f37")";
    case relation::mo: return R"(color="#7048b6" fontcolor="#7048b6" style=dashed)";
    case relation::fr: return R"(color="#b35900" fontcolor="#b35900")";
    case relation::hb: return R"(color="#2868b8" fontcolor="#2868b8" style=dotted)";
    case relation::race: return "style=dashed dir=none";
  }
  return "";
}

/// Program order, and whatever offends; of the rest what goes between threads, but where an update reads from its
/// predecessor the reading alone.
bool is_drawn(const execution& e, const execution::edge& a) {
  if (a.what == relation::po || a.offends) return true;
  if (a.what == relation::fr || e.steps[a.from].thread == e.steps[a.to].thread) return false;
  const auto same_as_rf = [&](const execution::edge& b) {
    return b.what == relation::rf && b.from == a.from && b.to == a.to;
  };
  return a.what != relation::mo || std::ranges::none_of(e.edges, same_as_rf);
}

std::string edge_line(const execution::edge& a) {
  std::string text = "  e" + std::to_string(a.from) + " -> e" + std::to_string(a.to) + " [";
  const std::string label = a.what == relation::rf && a.ordered ? "rf, hb" : name(a.what);
  if (a.what != relation::po) text += (a.what == relation::race ? "label=" : "headlabel=") + quoted(label) + " ";
  text += style_of(a);
  if (a.offends) text += R"( color="#c0182b" fontcolor="#c0182b" penwidth=2.2)";
  return text + "];\n";
}

std::string note(const char* id, const std::string& text, const std::string& place, const char* size) {
  if (text.empty()) return "";
  return std::string("  ") + id + " [shape=plaintext style=\"\" fontsize=" + size + " label=" + quoted(text) +
         " pos=" + place + "];\n";
}

std::string foot_of(const execution& e) {
  std::string text = cycle_text(e);
  if (!text.empty()) text = wrapped("in no interleaving: " + text);
  const std::string left = omissions(e);
  if (!left.empty()) text += (text.empty() ? "" : "\n") + wrapped(left);
  return text;
}

}  // namespace

std::string dot(const execution& e) {
  const layout l(e);
  std::string text =
      "digraph execution {\n"
      "  graph [layout=neato splines=true fontname=\"Helvetica\" pad=0.2 outputorder=edgesfirst];\n"
      "  node [shape=box style=\"rounded,filled\" fillcolor=white color=\"#555555\" fontname=\"Helvetica\" fontsize=11 "
      "height=0.45 margin=\"0.05,0.03\"];\n"
      "  edge [fontname=\"Helvetica\" fontsize=10 arrowsize=0.7 labeldistance=2.6 labelangle=14];\n";
  text += note("title", wrapped(e.kind.empty() ? e.message : e.kind + ": " + e.message), l.title(), "13");
  text += note("foot", foot_of(e), l.foot(), "10");
  for (unsigned t = 0; t != e.threads; ++t) {
    if (l.width(t) == 0) continue;
    text += note(("t" + std::to_string(t)).c_str(), "thread " + std::to_string(t), l.head(t), "12");
  }
  for (std::size_t s = 0; s != e.steps.size(); ++s) text += step_line(e, l, s);
  for (const execution::edge& a : e.edges) {
    if (is_drawn(e, a)) text += edge_line(a);
  }
  return text + "}\n";
}

std::string drawn(const execution& e, const std::string& format) { return run_dot(dot(e), format); }

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
    throw std::runtime_error("Graphviz's `dot -T" + format + "` failed (`dot -T?` lists its formats)");
  }
  return drawing;
}

}  // namespace licit::checker
