// What functions of libraries do with memory that threads share: one thread calls the function that the first argument
// names, another touches one byte of what they share, by its index. library.py says which bytes are raced for.
//   library FUNCTION INDEX
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <iterator>
#include <search.h>
#include <string>
#include <string_view>
#include <strings.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

#include <licit/check.h>

namespace {

enum class does { reads, writes };

char shared[64] = "abc";
wchar_t wide[16] = L"abc";
int numbers[4] = {3, 1, 2, 0};
char number_text[8] = "12";
double fraction = 0;
tm moment{};
timeval now{};
timespec later{};
std::time_t seconds = 0;
char* end = nullptr;
char* rest = shared;
std::string text = "abc";
void* root = nullptr;

int up(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }
void use(long value) { licit_outcome("%d", static_cast<int>(value != -9)); }
void use(const void* at) { use(at == nullptr ? 0L : 1L); }
void free_used(char* copy) {
  use(copy[0]);
  std::free(copy);
}

struct function {
  std::string_view name;
  does what;
  void* object;
  void (*call)();
};
char own[64];
wchar_t own_wide[16];

const function functions[] = {
    {"memcpy", does::reads, shared, [] { use(std::memcpy(own, shared, 5)); }},
    {"memcpy_to", does::writes, shared, [] { use(std::memcpy(shared, "abc\0", 5)); }},
    {"memmove", does::reads, shared, [] { use(std::memmove(own, shared, 5)); }},
    {"memmove_to", does::writes, shared, [] { use(std::memmove(shared, "abc\0", 5)); }},
    {"memset", does::writes, shared, [] { use(std::memset(shared, 0, 5)); }},
    {"mempcpy", does::reads, shared, [] { use(mempcpy(own, shared, 5)); }},
    {"mempcpy_to", does::writes, shared, [] { use(mempcpy(shared, "abc\0", 5)); }},
    {"memccpy", does::reads, shared, [] { use(memccpy(own, shared, 'c', 9)); }},
    {"memccpy_to", does::writes, shared, [] { use(memccpy(shared, "abcd", 'c', 4)); }},
    {"memcmp", does::reads, shared, [] { use(std::memcmp(shared, "abc\0", 4)); }},
    {"memcmp_equal", does::reads, shared, [] { use(std::memcmp(shared, "abc", 4) == 0); }},
    {"bcmp", does::reads, shared, [] { use(bcmp(shared, own, 5)); }},
    {"memchr", does::reads, shared, [] { use(std::memchr(shared, 'b', 9)); }},
    {"memrchr", does::reads, shared, [] { use(memrchr(shared, 'b', 5)); }},
    {"rawmemchr", does::reads, shared, [] { use(rawmemchr(shared, 'c')); }},
    {"memmem", does::reads, shared, [] { use(memmem(shared, 5, "bc", 2)); }},
    {"bcopy", does::reads, shared, [] { bcopy(shared, own, 5); }},
    {"bcopy_to", does::writes, shared, [] { bcopy("abc\0", shared, 5); }},
    {"bzero", does::writes, shared, [] { bzero(shared, 5); }},
    {"explicit_bzero", does::writes, shared, [] { explicit_bzero(shared, 5); }},
    {"strlen", does::reads, shared, [] { use(std::strlen(shared)); }},
    {"strnlen", does::reads, shared, [] { use(strnlen(shared, 2)); }},
    {"strcmp", does::reads, shared, [] { use(std::strcmp(shared, "abd")); }},
    {"strcmp_equal", does::reads, shared, [] { use(std::strcmp("abc", shared) == 0); }},
    {"strncmp", does::reads, shared, [] { use(std::strncmp(shared, "abc", 2)); }},
    {"strcasecmp", does::reads, shared, [] { use(strcasecmp(shared, "ABC")); }},
    {"strncasecmp", does::reads, shared, [] { use(strncasecmp(shared, "ABC", 2)); }},
    {"strcoll", does::reads, shared, [] { use(std::strcoll(shared, "abc")); }},
    {"strxfrm", does::reads, shared, [] { use(std::strxfrm(own, shared, 9)); }},
    {"strchr", does::reads, shared, [] { use(std::strchr(shared, 'b')); }},
    {"strchrnul", does::reads, shared, [] { use(strchrnul(shared, 'x')); }},
    {"strrchr", does::reads, shared, [] { use(std::strrchr(shared, 'b')); }},
    {"index", does::reads, shared, [] { use(index(shared, 'b')); }},
    {"rindex", does::reads, shared, [] { use(rindex(shared, 'b')); }},
    {"strstr", does::reads, shared, [] { use(std::strstr(shared, "bc")); }},
    {"strcasestr", does::reads, shared, [] { use(strcasestr(shared, "BC")); }},
    {"strspn", does::reads, shared, [] { use(std::strspn(shared, "ab")); }},
    {"strcspn", does::reads, shared, [] { use(std::strcspn(shared, "c")); }},
    {"strpbrk", does::reads, shared, [] { use(std::strpbrk(shared, "xc")); }},
    {"strcpy", does::reads, shared, [] { use(std::strcpy(own, shared)); }},
    {"strcpy_to", does::writes, shared, [] { use(std::strcpy(shared, own)); }},
    {"strncpy", does::reads, shared, [] { use(std::strncpy(own, shared, 9)); }},
    {"strncpy_to", does::writes, shared, [] { use(std::strncpy(shared, own, 5)); }},
    {"stpcpy", does::reads, shared, [] { use(stpcpy(own, shared)); }},
    {"stpncpy_to", does::writes, shared, [] { use(stpncpy(shared, own, 5)); }},
    {"strcat", does::reads, shared, [] { use(std::strcat(own, shared)); }},
    {"strcat_to", does::writes, shared + 3, [] { use(std::strcat(shared, "d")); }},
    {"strcat_after", does::reads, shared, [] { use(std::strcat(shared, "d")); }},
    {"strncat", does::reads, shared, [] { use(std::strncat(own, shared, 2)); }},
    {"strdup", does::reads, shared, [] { free_used(strdup(shared)); }},
    {"strndup", does::reads, shared, [] { free_used(strndup(shared, 2)); }},
    {"strtok_r", does::writes, &rest, [] { use(strtok_r(own, ",", &rest)); }},
    {"strsep", does::writes, &rest, [] { use(strsep(&rest, ",")); }},
    {"wcslen", does::reads, wide, [] { use(std::wcslen(wide)); }},
    {"wcscmp", does::reads, wide, [] { use(std::wcscmp(wide, L"abd")); }},
    {"wcscpy", does::reads, wide, [] { use(std::wcscpy(own_wide, wide)); }},
    {"wmemcpy_to", does::writes, wide, [] { use(std::wmemcpy(wide, own_wide, 2)); }},
    {"wmemmove", does::reads, wide, [] { use(std::wmemmove(own_wide, wide, 2)); }},
    {"wmemset", does::writes, wide, [] { use(std::wmemset(wide, L'x', 2)); }},
    {"wmemcmp", does::reads, wide, [] { use(std::wmemcmp(wide, own_wide, 2)); }},
    {"wmemchr", does::reads, wide, [] { use(std::wmemchr(wide, L'b', 9)); }},
    {"atoi", does::reads, number_text, [] { use(std::atoi(number_text)); }},
    {"strtol", does::reads, number_text, [] { use(std::strtol(number_text, nullptr, 10)); }},
    {"strtol_end", does::writes, &end, [] { use(std::strtol("12", &end, 10)); }},
    {"strtoull", does::reads, number_text, [] { use(static_cast<long>(std::strtoull(number_text, nullptr, 10))); }},
    {"strtod", does::reads, number_text, [] { use(static_cast<long>(std::strtod(number_text, nullptr))); }},
    {"qsort", does::writes, numbers, [] { std::qsort(numbers, 3, sizeof(int), up); }},
    {"bsearch", does::reads, numbers + 1, [] { use(std::bsearch(own, numbers, 3, sizeof(int), up)); }},
    {"puts", does::reads, shared, [] { std::puts(shared); }},
    {"fputs", does::reads, shared, [] { std::fputs(shared, stdout); }},
    {"fwrite", does::reads, shared, [] { use(static_cast<long>(std::fwrite(shared, 1, 5, stdout))); }},
    {"write", does::reads, shared, [] { use(write(STDOUT_FILENO, shared, 5)); }},
    {"printf", does::reads, shared, [] { std::printf("%d %.2f %s\n", 7, 0.5, shared); }},
    {"printf_precision", does::reads, shared, [] { std::printf("%-8.*s\n", 2, shared); }},
    {"fprintf", does::reads, shared, [] { std::fprintf(stdout, "%ld%%%s\n", 7L, shared); }},
    {"snprintf", does::reads, shared, [] { std::snprintf(own, sizeof own, "%s", shared); }},
    {"snprintf_to", does::writes, shared, [] { std::snprintf(shared, sizeof shared, "%d", 1234); }},
    {"sprintf_to", does::writes, shared, [] { std::sprintf(shared, "%d", 1234); }},
    {"modf", does::writes, &fraction, [] { use(static_cast<long>(std::modf(1.5, &fraction))); }},
    {"frexp", does::writes, numbers, [] { use(static_cast<long>(std::frexp(1.5, numbers))); }},
    {"gmtime_r", does::writes, &moment, [] { use(gmtime_r(&seconds, &moment)); }},
    {"gmtime_r_of", does::reads, &seconds,
     [] {
       tm mine;
       use(gmtime_r(&seconds, &mine));
     }},
    {"strftime_to", does::writes, shared, [] { use(std::strftime(shared, 9, "1234", &moment)); }},
    {"gettimeofday", does::writes, &now, [] { use(gettimeofday(&now, nullptr)); }},
    {"clock_gettime", does::writes, &later, [] { use(clock_gettime(CLOCK_MONOTONIC, &later)); }},
    {"time", does::writes, &seconds, [] { use(std::time(&seconds)); }},
    {"strtok", does::writes, shared, [] { use(std::strtok(own, ",")); }},
    {"sscanf", does::writes, numbers, [] { use(std::sscanf("1", "%d", numbers)); }},
    {"gmtime", does::reads, &seconds, [] { use(std::gmtime(&seconds)); }},
    {"setenv", does::reads, shared, [] { use(setenv("LICIT_TEST", shared, 1)); }},
    {"tfind", does::reads, numbers, [] { use(tfind(numbers, &root, up)); }},
    {"printf_numbered", does::reads, shared, [] { std::printf("%1$s\n", shared); }},
    {"string_append", does::writes, &text, [] { text += "defghijklmnopqrstuvwxyz"; }},
    {"string_assign", does::writes, &text, [] { text = own; }},
    {"string_compare", does::reads, &text, [] { use(text == own); }},
    {"string_copy", does::reads, &text, [] { use(std::string(text).size()); }},
    {"string_find", does::reads, &text, [] { use(text.find("bc")); }},
};

void touch(const function& f, std::size_t index) {
  char& byte = static_cast<char*>(f.object)[index];
  if (f.what == does::writes) return use(byte);
  char same = byte;
  asm volatile("" : "+r"(same));  // the compiler does not know that it was there
  byte = same;
}

}  // namespace

int main(int argc, char** argv) {
  const auto f = std::find_if(std::begin(functions), std::end(functions),
                              [&](const function& one) { return argc == 3 && one.name == argv[1]; });
  if (f == std::end(functions)) return 3;
  std::thread other([&] { touch(*f, std::strtoul(argv[2], nullptr, 10)); });
  f->call();
  other.join();
}
