#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "machine/matrix/results.hpp"

namespace licit::matrix {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view form = "licit kill matrix";

ordered_json of(const cell& c) {
  ordered_json j{{"found", name(c.found)}};
  if (c.executions != 0) j["executions"] = c.executions;
  if (c.seconds != 0) j["seconds"] = std::round(c.seconds * 1e6) / 1e6;
  if (c.seeds != 0) j["seeds"] = c.seeds;
  if (c.caught_by != 0) j["caught_by"] = c.caught_by;
  if (c.complete) j["complete"] = true;
  if (!c.program.empty()) j["program"] = c.program;
  if (!c.what.empty()) j["what"] = c.what;
  if (!c.reason.empty()) j["reason"] = c.reason;
  if (!c.note.empty()) j["note"] = c.note;
  if (!c.only.empty()) j["only"] = c.only;
  if (!c.excuse.empty()) j["excuse"] = c.excuse;
  return j;
}

ordered_json of(const judged_row& r) {
  ordered_json j{{"structure", r.of.structure}, {"name", r.of.name}, {"kind", name(r.of.what)}, {"change", r.of.says}};
  j["cells"] = ordered_json::object();
  for (const auto& [column, c] : r.cells) j["cells"][column] = of(c);
  return j;
}

template <class Enum, std::size_t N>
Enum named(const json& value, const std::array<Enum, N>& all) {
  const auto said = value.get<std::string>();
  for (const Enum e : all) {
    if (name(e) == said) return e;
  }
  throw std::runtime_error("has an unknown word '" + said + "'");
}

cell cell_of(const json& j) {
  constexpr std::array all{finding::caught, finding::not_caught, finding::cannot_see, finding::not_run};
  return {.found = named(j.at("found"), all),
          .executions = j.value("executions", std::uint64_t{0}),
          .seconds = j.value("seconds", 0.0),
          .seeds = j.value("seeds", 0U),
          .caught_by = j.value("caught_by", 0U),
          .complete = j.value("complete", false),
          .program = j.value("program", std::string()),
          .what = j.value("what", std::string()),
          .reason = j.value("reason", std::string()),
          .note = j.value("note", std::string()),
          .only = j.value("only", std::string()),
          .excuse = j.value("excuse", std::string())};
}

judged_row row_of(const json& j) {
  constexpr std::array all{kind::ordering, kind::logic, kind::broken, kind::control};
  judged_row r{.of = {.structure = j.at("structure").get<std::string>(),
                      .name = j.at("name").get<std::string>(),
                      .what = named(j.at("kind"), all),
                      .says = j.at("change").get<std::string>()}};
  for (const auto& [column, c] : j.at("cells").items()) r.cells[column] = cell_of(c);
  return r;
}

results results_of(const json& j) {
  if (!j.is_object() || j.value("form", std::string()) != form) throw std::runtime_error("is no kill matrix");
  if (const auto version = j.at("form_version").get<unsigned>(); version != json_version) {
    throw std::runtime_error(fmt::format("is of form {}; this command reads form {}", version, json_version));
  }
  results r{.version = j.at("licit").get<std::string>(), .budget = j.at("budget").get<std::string>()};
  for (const auto& [structure, on] : j.at("judged").items()) {
    r.judged[structure] = {.code = on.at("code"), .clients = on.at("clients"), .made = on.at("made")};
  }
  for (const json& c : j.at("columns")) {
    r.columns.push_back({c.at("name"), c.at("title"), c.at("how"), c.value("machine", std::string())});
  }
  for (const json& each : j.at("rows")) r.rows.push_back(row_of(each));
  return r;
}

/// Says where, whatever is wrong.
template <class Read>
auto guarded(const std::string& text, const std::string& where, const Read& read) {
  try {
    return read(json::parse(text));
  } catch (const json::parse_error& e) {
    throw std::runtime_error(fmt::format("{}: is no JSON, from byte {}", where, e.byte));
  } catch (const json::exception& e) {
    const std::string_view said = e.what();
    throw std::runtime_error(fmt::format("{}: {}", where, said.substr(said.find(']') + 2)));
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(fmt::format("{}: {}", where, e.what()));
  }
}

}  // namespace

std::string to_json(const cell& c) { return of(c).dump(); }

std::string to_json(const results& r) {
  ordered_json j{{"form", form},
                 {"form_version", json_version},
                 {"licit", r.version},
                 {"budget", r.budget},
                 {"judged", ordered_json::object()},
                 {"columns", ordered_json::array()},
                 {"rows", ordered_json::array()}};
  for (const auto& [structure, on] : r.judged) {
    j["judged"][structure] = {{"code", on.code}, {"clients", on.clients}, {"made", on.made}};
  }
  for (const heading& h : r.columns) {
    j["columns"].push_back({{"name", h.name}, {"title", h.title}, {"how", h.how}});
    if (!h.machine.empty()) j["columns"].back()["machine"] = h.machine;
  }
  for (const judged_row& each : r.rows) j["rows"].push_back(of(each));
  return j.dump(1) + "\n";
}

results read_results(const std::string& text, const std::string& where) {
  return text.starts_with('{') || text.starts_with('[') ? guarded(text, where, results_of) : read_record(text, where);
}
cell read_cell(const std::string& text, const std::string& where) { return guarded(text, where, cell_of); }

}  // namespace licit::matrix
