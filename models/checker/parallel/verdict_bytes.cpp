#include "parallel/verdict_bytes.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

namespace licit::checker::detail {

namespace {

template <class T>
concept scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Every field of a step, in one order for both ways; and so for what follows.
template <class Each>
bool each_field(auto& s, Each each)
  requires requires { s.strength; }
{
  return each(s.thread) && each(s.number) && each(s.site) && each(s.action) && each(s.location) && each(s.strength) &&
         each(s.read) && each(s.written) && each(s.remark) && each(s.source) && each(s.offends);
}

template <class Each>
bool each_field(auto& c, Each each)
  requires std::is_same_v<std::remove_cvref_t<decltype(c)>, call>
{
  return each(c.thread) && each(c.number) && each(c.name);
}

template <class Each>
bool each_field(auto& e, Each each)
  requires requires { e.ordered; }
{
  return each(e.what) && each(e.from) && each(e.to) && each(e.ordered) && each(e.offends);
}

template <class Each>
bool each_field(auto& e, Each each)
  requires requires { e.cycle; }
{
  return each(e.kind) && each(e.message) && each(e.threads) && each(e.steps) && each(e.edges) && each(e.cycle) &&
         each(e.later) && each(e.inner);
}

template <class Each>
bool each_field(auto& e, Each each)
  requires std::is_same_v<std::remove_cvref_t<decltype(e)>, event_name>
{
  return each(e.thread) && each(e.index);
}

template <class Each>
bool each_field(auto& s, Each each)
  requires std::is_same_v<std::remove_cvref_t<decltype(s)>, step>
{
  return each(s.at) && each(s.action) && each(s.site) && each(s.location) && each(s.order) && each(s.value) &&
         each(s.other) && each(s.choice) && each(s.waits);
}

template <class Each>
bool each_field(auto& r, Each each)
  requires std::is_same_v<std::remove_cvref_t<decltype(r)>, record>
{
  return each(r.steps) && each(r.ended_in);
}

template <class Each>
bool each_field(auto& v, Each each)
  requires std::is_same_v<std::remove_cvref_t<decltype(v)>, verdict>
{
  return each(v.outcome) && each(v.executions) && each(v.represented) && each(v.symmetric) && each(v.blocked) &&
         each(v.deadlocked) && each(v.stalled) && each(v.rules_differ) && each(v.seconds) && each(v.exhaustive) &&
         each(v.kind) && each(v.message) && each(v.picture) && each(v.calls) && each(v.trace) && each(v.steps) &&
         each(v.rejected) && each(v.depth) && each(v.share.pieces) && each(v.share.explored);
}

struct writer {
  std::string& bytes;

  template <scalar T>
  bool operator()(const T& value) const {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return true;
  }
  bool operator()(const std::string& text) const {
    (*this)(text.size());
    bytes += text;
    return true;
  }
  template <class T>
  bool operator()(const std::optional<T>& value) const {
    return (*this)(value.has_value()) && (!value || (*this)(*value));
  }
  template <class T>
  bool operator()(const std::vector<T>& list) const {
    (*this)(list.size());
    return std::ranges::all_of(list, *this);
  }
  bool operator()(const auto& fields) const { return each_field(fields, *this); }
};

struct reader {
  std::string_view& bytes;

  template <scalar T>
  bool operator()(T& value) const {
    if (bytes.size() < sizeof(value)) return false;
    bytes.copy(reinterpret_cast<char*>(&value), sizeof(value));
    bytes.remove_prefix(sizeof(value));
    return true;
  }
  bool operator()(std::string& text) const {
    std::size_t size = 0;
    if (!(*this)(size) || bytes.size() < size) return false;
    text = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return true;
  }
  template <class T>
  bool operator()(std::optional<T>& value) const {
    bool there = false;
    if (!(*this)(there)) return false;
    if (!there) return true;
    return (*this)(value.emplace());
  }
  template <class T>
  bool operator()(std::vector<T>& list) const {
    std::size_t size = 0;
    if (!(*this)(size) || size > bytes.size()) return false;  // each takes a byte or more
    list.resize(size);
    return std::ranges::all_of(list, *this);
  }
  bool operator()(auto& fields) const { return each_field(fields, *this); }
};

}  // namespace

std::string to_bytes(const verdict& v) {
  std::string bytes;
  writer{bytes}(v);
  return bytes;
}

bool from_bytes(std::string_view bytes, verdict& v) { return reader{bytes}(v) && bytes.empty(); }

}  // namespace licit::checker::detail
