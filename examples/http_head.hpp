/// The head of an HTTP/1.1 request, as http_server reads it.
#ifndef LICIT_EXAMPLES_HTTP_HEAD_HPP
#define LICIT_EXAMPLES_HTTP_HEAD_HPP

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace http {

struct head {
  head() = default;
  explicit head(int why) : status{why} {}

  int status = 400;  ///< 200: a request that can be answered; otherwise why not
  std::string method;
  std::vector<std::string> path;  ///< its parts, decoded: names without '/', none of them "." or ".."
  std::uint64_t body = 0;         ///< bytes that follow
  bool keeps_alive = true;
  bool continues = false;  ///< the client waits for "100 Continue"
};

inline std::string_view reason(int status) {
  switch (status) {
    case 200: return "OK";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 413: return "Content Too Large";
    case 431: return "Request Header Fields Too Large";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Bad Request";
  }
}

inline std::string_view type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".txt") || name.ends_with(".md")) return "text/plain; charset=utf-8";
  if (name.ends_with(".json")) return "application/json";
  return "application/octet-stream";
}

inline bool same(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

inline std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

template <class Number>
std::optional<Number> number(std::string_view text, int base = 10) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return n;
}

/// The text without percent signs; nothing if it is none.
inline std::optional<std::string> decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i != text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    const auto byte = i + 2 < text.size() ? number<std::uint8_t>(text.substr(i + 1, 2), 16) : std::nullopt;
    if (!byte) return std::nullopt;
    plain += static_cast<char>(*byte);
    i += 2;
  }
  return plain;
}

/// The parts of the path; nothing if it would leave the folder, or is none. A folder's own file is index.html.
inline std::optional<std::vector<std::string>> parts(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  if (!target.starts_with('/')) return std::nullopt;
  std::vector<std::string> all;
  while (!target.empty()) {
    target.remove_prefix(1);
    const std::size_t end = std::min(target.find('/'), target.size());
    std::optional<std::string> part = decoded(target.substr(0, end));
    target.remove_prefix(end);
    if (!part || *part == "." || *part == ".." ||
        part->find_first_of(std::string_view("/\0", 2)) != std::string::npos) {
      return std::nullopt;
    }
    if (part->empty() && target.empty()) part = "index.html";
    if (!part->empty()) all.push_back(std::move(*part));
  }
  return all;
}

/// A header field. False: the request is not to be answered, and `of.status` says why.
inline bool add_field(head& of, std::string_view name, std::string_view value, bool& has_body) {
  if (same(name, "Content-Length")) {
    const auto n = number<std::uint64_t>(value);
    if (!n || (has_body && *n != of.body)) return false;
    has_body = true;
    of.body = *n;
  } else if (same(name, "Transfer-Encoding")) {
    of.status = 501;
    return false;
  } else if (same(name, "Connection")) {
    if (same(value, "close")) of.keeps_alive = false;
    if (same(value, "keep-alive")) of.keeps_alive = true;
  } else if (same(name, "Expect")) {
    of.continues = same(value, "100-continue");
  }
  return true;
}

/// Of the lines of a head, each with its end, without the empty one.
inline head parse(std::string_view text) {
  const auto line = [&text] {
    const std::size_t end = text.find("\r\n");
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(end + 2);
    return one;
  };
  head asked;
  const std::string_view first = line();
  const std::size_t one = first.find(' ');
  const std::size_t two = first.rfind(' ');
  if (one == std::string_view::npos || one == two) return asked;
  const std::string_view version = first.substr(two + 1);
  if (!version.starts_with("HTTP/")) return asked;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return asked.status = 505, asked;
  asked.method = first.substr(0, one);
  asked.keeps_alive = version == "HTTP/1.1";
  bool has_body = false;
  while (!text.empty()) {
    const std::string_view field = line();
    const std::size_t colon = field.find(':');
    if (colon == 0 || colon == std::string_view::npos || field.find_first_of(" \t") < colon) return asked;
    if (!add_field(asked, field.substr(0, colon), without_blanks(field.substr(colon + 1)), has_body)) return asked;
  }
  if (asked.method != "GET" && asked.method != "HEAD" && asked.method != "POST") return asked.status = 405, asked;
  auto path = parts(first.substr(one + 1, two - one - 1));
  if (!path) return asked;
  if (asked.method != "POST" && asked.body != 0) return asked;  // it would be taken for the next request
  asked.path = std::move(*path);
  asked.status = 200;
  return asked;
}

}  // namespace http

#endif
