/// Where threads meet: the places of the shared region that more than one of them accesses, learnt from executions.
#ifndef LICIT_MODELS_QEMU_SURVEY_HPP
#define LICIT_MODELS_QEMU_SURVEY_HPP

#include <cstdint>
#include <vector>

namespace licit::qemu {

/// A switch of threads before an access to a place that no other thread writes, or that nobody writes, changes nothing:
/// the access commutes with what the others do. Places of 8 bytes; at most eight threads.
class survey {
 public:
  /// Of this region, and nothing learnt of it.
  void begin(std::uint64_t begin, std::uint64_t end);

  /// Within the region.
  void saw(unsigned thread, std::uint64_t address, std::uint64_t bytes, bool writes);

  /// Whether threads can meet there: several were seen, and one of them wrote, or none was seen.
  [[nodiscard]] bool meet(std::uint64_t address, std::uint64_t bytes) const;

 private:
  struct place {
    std::uint8_t accessed = 0;  // a bit a thread
    bool written = false;
  };

  std::uint64_t begin_ = 0;
  std::vector<place> places_;
};

}  // namespace licit::qemu

#endif
