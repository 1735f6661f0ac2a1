// What the archive itself holds besides the C API: its version.
#include <licit/deque/version.hpp>

namespace licit::inline v0 {

std::string_view library_version() noexcept { return header_version; }

}  // namespace licit::inline v0
