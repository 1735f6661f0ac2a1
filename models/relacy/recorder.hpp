/// The steps of the execution that is running, in fixed storage: Relacy counts every allocation made while it runs.
#ifndef LICIT_MODELS_RELACY_RECORDER_HPP
#define LICIT_MODELS_RELACY_RECORDER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <licit/deque/order.hpp>

namespace licit::models::relacy {

class recorder {
 public:
  static void reset();
  static void add(std::string_view site, std::string_view verb, std::int64_t first, std::int64_t second, order o);

  /// Whether this is the execution's first operation at the site.
  static bool first_visit(std::size_t site);

  static void failed(std::string_view property);
  static std::string_view failure();

  /// The steps recorded, a line each and a column a thread. Outside Relacy only.
  static std::string history();

 private:
  struct entry {
    unsigned thread;
    std::string_view site;
    std::string_view verb;
    std::int64_t first;
    std::int64_t second;
    order ordering;
  };
  static constexpr std::size_t most_steps = 4096;
  static constexpr std::size_t most_sites = 256;

  static inline std::array<entry, most_steps> entries_;
  static inline std::size_t count_ = 0;
  static inline std::array<bool, most_sites> visited_{};
  static inline std::array<char, 256> failure_{};
};

}  // namespace licit::models::relacy

#endif
