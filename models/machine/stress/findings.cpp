#include "machine/stress/findings.hpp"

namespace licit::stress {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string json_of(std::string_view structure, const found_by& f) {
  const result& r = f.found;
  return "{\"structure\": " + quoted(structure) + ", \"row\": " + quoted(f.row) +
         ", \"program\": " + quoted(f.program) + ", \"seed\": " + std::to_string(f.seed) +
         ", \"executions\": " + std::to_string(r.executions) + ", \"seconds\": " + std::to_string(r.seconds) +
         ", \"caught\": " + (r.caught ? "true" : "false") + ", \"kind\": " + quoted(r.kind) +
         ", \"what\": " + quoted(r.what) + "}";
}

}  // namespace

std::string json_of(std::string_view structure, std::string_view machine, const std::vector<found_by>& all) {
  std::string out = machine.empty() ? "{" : "{\"machine\": " + quoted(machine) + ", ";
  const char* before = "\"results\": [\n";
  for (const found_by& f : all) {
    out += before + json_of(structure, f);
    before = ",\n";
  }
  return out + (all.empty() ? before : "\n") + "]}\n";
}

}  // namespace licit::stress
