// Headers, archive and package say the same version, and the headers alone make a deque.
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include <licit/deque.hpp>
#include <licit/licit.h>

int main(int argc, char** argv) {
  const std::string_view package = argc > 1 ? argv[1] : "";
  const std::string_view headers = licit::header_version;
  std::printf("headers %s, archive %s, C archive %s, package %s\n", std::string(headers).c_str(),
              std::string(licit::library_version()).c_str(), licit_version(), std::string(package).c_str());
  if (headers != package || licit::library_version() != package || licit_version() != package) return 1;

  licit::owner<std::unique_ptr<std::string>> mine;
  const auto thief = mine.stealer();
  mine.push(std::make_unique<std::string>("first"));
  mine.push(std::make_unique<std::string>("second"));
  auto stolen = thief.steal();
  const auto popped = mine.pop();
  return stolen && **stolen == "first" && popped && **popped == "second" && mine.empty() ? 0 : 1;
}
