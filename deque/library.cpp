// What the archive itself holds besides the C API: its version, and the digest of what was checked.
#include <licit/deque/version.hpp>

#include "audit_files.hpp"

/// What headers of the same sources refer to.
extern "C" [[gnu::used]] const char LICIT_AUDIT_SYMBOL = 0;

namespace licit::inline v0 {

namespace {

/// Read from the archive by `licit audit --library`, without running it.
[[gnu::used]] constexpr char marked_digest[] = "licit-audit-digest " LICIT_AUDIT_DIGEST;
[[gnu::used]] constexpr const char* const* marked_files = audit_files;

}  // namespace

std::string_view library_version() noexcept { return header_version; }
std::string_view library_audit_digest() noexcept { return LICIT_AUDIT_DIGEST; }

}  // namespace licit::inline v0
