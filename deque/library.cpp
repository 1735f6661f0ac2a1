// What the archive itself holds besides the C API: its version.
#include <licit/deque/version.hpp>

namespace licit {
inline namespace v0 {

std::string_view library_version() noexcept { return header_version; }

}  // namespace v0
}  // namespace licit
