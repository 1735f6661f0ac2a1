// The page of a trace. models/tool/trace/page.html has its form, and data.js reads what is written here.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "report.hpp"
#include "trace/timeline.hpp"
#include "trace_page.hpp"

namespace licit::tool {

namespace {

/// Bytes for the page, as base64. A number takes seven bits a byte, the lowest first; the highest bit says that another
/// byte follows.
class packed {
 public:
  explicit packed(std::ostream& to) : to_{to} {}
  packed(const packed&) = delete;
  packed& operator=(const packed&) = delete;
  ~packed() { finish(); }

  void number(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) byte(static_cast<std::uint8_t>(n | 0x80));
    byte(static_cast<std::uint8_t>(n));
  }
  /// A worker, or nobody.
  void worker(std::uint32_t w) { number(w == timeline::nobody ? 0 : std::uint64_t{w} + 1); }

 private:
  void byte(std::uint8_t b) {
    bits_ = bits_ << 8 | b;
    if (++bytes_ == 3) group();
  }
  void group() {
    static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::uint32_t bits = bits_ << 8 * (3 - bytes_);
    for (unsigned i = 0; i != 4; ++i) text_ += i <= bytes_ ? digits[bits >> (18 - 6 * i) & 63] : '=';
    bits_ = bytes_ = 0;
    if (text_.size() > 1 << 16) flush();
  }
  void flush() {
    to_ << text_;
    text_.clear();
  }
  void finish() {
    if (bytes_ != 0) group();
    flush();
  }

  std::ostream& to_;
  std::uint32_t bits_ = 0;
  unsigned bytes_ = 0;
  std::string text_;
};

void write_data(std::ostream& out, const timeline& all) {
  packed to(out);
  for (const timeline::lane& lane : all.lanes) {
    std::uint64_t before = 0;
    for (const timeline::bar& b : lane.bars) {
      to.number(b.begin - before);
      to.number(b.end - b.begin);
      to.number(static_cast<std::uint64_t>(b.kind) | (b.still ? 4U : 0U));
      to.number(b.depth);
      to.number(b.name);
      to.number(b.of);
      to.worker(b.from);
      before = b.begin;
    }
    before = 0;
    for (const timeline::moment& m : lane.moments) {
      to.number(m.at - before);
      to.number(static_cast<std::uint64_t>(m.kind));
      to.number(m.number);
      to.number(m.of);
      to.worker(m.other);
      before = m.at;
    }
  }
  std::uint64_t before = 0;
  for (const timeline::arrow& a : all.arrows) {
    to.number(a.begin - before);
    to.number(a.end - a.begin);
    to.number(static_cast<std::uint64_t>(a.kind));
    to.number(a.from);
    to.number(a.to);
    to.number(a.items);
    before = a.begin;
  }
}

/// What is not in the data: names and numbers. A name may look like the end of the script that it stands in.
std::string heading(const timeline& all) {
  nlohmann::ordered_json lanes = nlohmann::ordered_json::array();
  for (const timeline::lane& lane : all.lanes) {
    lanes.push_back({{"name", lane.name}, {"bars", lane.bars.size()}, {"moments", lane.moments.size()}});
  }
  const nlohmann::ordered_json made{
      {"title", all.title},          {"end", all.end}, {"events", all.events}, {"overwritten", all.overwritten},
      {"arrows", all.arrows.size()}, {"lanes", lanes}, {"names", all.names},   {"leftOut", all.left_out}};
  std::string text = made.dump();
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 6) text.replace(at, 1, "\\u003c");
  return text;
}

const char* plural(std::uint64_t number) { return number == 1 ? "" : "s"; }

/// In an HTML text.
std::string escaped(std::string_view text) {
  std::string made;
  for (const char c : text)
    made += c == '<' ? std::string("&lt;") : c == '&' ? std::string("&amp;") : std::string(1, c);
  return made;
}

/// What a file says, for a terminal: in one line, with no control characters, and not too long.
std::string printable(std::string_view text) {
  constexpr std::size_t most = 80;
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = (byte & 0xc0U) == 0x80U;  // of a character that has begun
    if (out.size() >= most && !continues) return out + "...";
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

void print_left_out(const timeline& all) {
  constexpr std::size_t most = 20;
  std::size_t kinds = 0;
  std::size_t others = 0;
  for (const auto& [what, number] : all.left_out) {
    if (++kinds > most) {
      others += number;
    } else {
      fmt::print("{} event{} left out: {}\n", number, plural(number), printable(what));
    }
  }
  if (others != 0) fmt::print("{} event{} left out: of {} other kinds\n", others, plural(others), kinds - most);
}

}  // namespace

void write_page(std::ostream& to, const timeline& all) {
  // The template has each of these marks once, in this order.
  std::string_view rest = trace_page;
  const auto up_to = [&](std::string_view mark) {
    const std::size_t at = std::min(rest.find(mark), rest.size());
    to << rest.substr(0, at);
    rest.remove_prefix(std::min(at + mark.size(), rest.size()));
  };
  up_to("{{title}}");
  to << escaped(all.title.empty() ? "Trace" : all.title);
  up_to("{{heading}}");
  to << heading(all);
  up_to("{{data}}");
  write_data(to, all);
  to << rest;
}

int trace(const trace_options& options) {
  const auto reason = [] { return std::generic_category().message(errno); };
  std::error_code none;
  if (std::filesystem::is_directory(options.file, none)) {
    throw std::runtime_error(options.file + ": cannot read: it is a directory");
  }
  std::ifstream in(options.file, std::ios::binary);
  if (!in) throw std::runtime_error(options.file + ": cannot read: " + reason());
  const timeline all = read_timeline(in, options.file);
  const std::string page =
      options.html.empty() ? std::filesystem::path(options.file).replace_extension(".html").string() : options.html;
  if (std::filesystem::equivalent(page, options.file, none)) {
    throw std::runtime_error(page + ": is the trace itself");
  }
  std::ofstream out(page, std::ios::binary);
  write_page(out, all);
  out.close();
  if (!out) throw std::runtime_error("cannot write " + page + ": " + reason());
  fmt::print("{}: {} worker{}, {} event{}, {} arrow{}, {:.3f} ms\n", page, all.lanes.size(), plural(all.lanes.size()),
             all.events, plural(all.events), all.arrows.size(), plural(all.arrows.size()),
             static_cast<double>(all.end) / 1e6);
  if (all.overwritten != 0)
    fmt::print("{} older event{} had been overwritten\n", all.overwritten, plural(all.overwritten));
  print_left_out(all);
  return as_expected;
}

}  // namespace licit::tool
