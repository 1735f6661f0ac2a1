#include "audit/archive.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace licit::tool {

namespace {

/// Calls `each` with the words after every occurrence of the mark, up to a character that is not printed.
template <class Each>
void each_marked(std::string_view bytes, std::string_view mark, Each each) {
  for (std::size_t at = bytes.find(mark); at != std::string_view::npos; at = bytes.find(mark, at)) {
    at += mark.size();
    std::size_t end = at;
    while (end != bytes.size() && bytes[end] >= ' ') ++end;
    each(std::string(bytes.substr(at, end - at)));
  }
}

}  // namespace

archive read_archive(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file + ": " + std::generic_category().message(errno));
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  archive a;
  each_marked(bytes, "licit-audit-digest ", [&](const std::string& words) { a.digest = words; });
  each_marked(bytes, "licit-audit-file ", [&](const std::string& words) {
    std::istringstream parts(words);
    std::string name;
    std::string digest;
    parts >> name >> digest;
    a.files[name] = digest;
  });
  each_marked(bytes, "licit-audit-row ", [&](const std::string& words) {
    std::istringstream parts(words);
    std::string structure;
    std::string site;
    std::string success;
    std::string failure;
    parts >> structure >> site >> success >> failure;
    a.rows[structure + " " + site] = failure == "relaxed" ? success : success + "/" + failure;
  });
  return a;
}

}  // namespace licit::tool
