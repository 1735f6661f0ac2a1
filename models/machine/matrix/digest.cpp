#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "machine/matrix/results.hpp"

namespace licit::matrix {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return text;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    all.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

/// What the line includes, without quotes; empty: it includes nothing.
std::string included_by(const std::string& line) {
  constexpr std::string_view directive = "#include ";
  if (!line.starts_with(directive) || line.size() < directive.size() + 2) return {};
  const std::size_t end = line.find_first_of("\">", directive.size() + 1);
  return end == std::string::npos ? "" : line.substr(directive.size() + 1, end - directive.size() - 1);
}

fs::path found_in(const std::vector<fs::path>& roots, const std::string& name) {
  if (name.empty() || name.starts_with("licit/checker/")) return {};
  for (const fs::path& root : roots) {
    if (fs::is_regular_file(root / name)) return root / name;
  }
  return {};
}

constexpr std::uint64_t fnv(std::uint64_t sum, std::string_view text) {
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return sum;
}

}  // namespace

std::string bare(std::string_view source) {
  std::string all;
  for (const std::string& line : lines_of(source)) {
    if (line.starts_with("#include ")) continue;
    for (const char c : line.substr(0, line.find("//"))) {
      if (std::isspace(static_cast<unsigned char>(c)) == 0) all += c;
    }
  }
  return all;
}

std::string digest_of(std::vector<fs::path> files) {
  std::ranges::sort(files, {}, [](const fs::path& file) { return file.filename(); });
  std::uint64_t sum = 0xcbf29ce484222325U;
  for (const fs::path& file : files) sum = fnv(fnv(sum, file.filename().string()), bare(text_of(file)));
  return fmt::format("{:016x}", sum);
}

std::vector<fs::path> closure_of(const fs::path& file, const std::vector<fs::path>& roots) {
  std::set<fs::path> seen{file};
  std::vector<fs::path> open{file};
  while (!open.empty()) {
    const std::string text = text_of(open.back());
    open.pop_back();
    for (const std::string& line : lines_of(text)) {
      const fs::path next = found_in(roots, included_by(line));
      if (!next.empty() && seen.insert(next).second) open.push_back(next);
    }
  }
  return {seen.begin(), seen.end()};
}

std::string suite_name(std::string_view structure) {
  std::string id(structure);
  std::ranges::replace(id, '-', '_');
  return id + "_suite";
}

fs::path suite_of(std::string_view structure) {
  const fs::path folder = fs::path(LICIT_MODELS) / "suites";
  const std::string wanted = "struct " + suite_name(structure) + " ";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    if (file.extension() == ".hpp" && text_of(file).find(wanted) != std::string::npos) return file;
  }
  throw std::runtime_error(fmt::format("no file in {} has the suite of {}", folder.string(), structure));
}

std::map<std::string, sources> sources_of(const std::vector<std::string>& structures) {
  const fs::path models = LICIT_MODELS;
  const fs::path suites = models / "suites";
  const std::vector<fs::path> roots{models, models.parent_path() / "deque/include",
                                    models.parent_path() / "scheduler/include"};
  std::map<std::string, sources> all;
  for (const std::string& name : structures) {
    std::vector<fs::path> code;
    std::vector<fs::path> clients;
    for (const fs::path& file : closure_of(suite_of(name), roots)) {
      if (file.parent_path() == suites) {
        clients.push_back(file);
      } else if (!file.string().starts_with(models.string())) {
        code.push_back(file);
      }
    }
    all[name] = {.code = digest_of(code), .clients = digest_of(clients), .made = {}};
  }
  return all;
}

}  // namespace licit::matrix
