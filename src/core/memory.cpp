// SPDX-License-Identifier: Apache-2.0
#include "core/memory.h"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace xylem {
namespace {

using Bytes = std::optional<std::uint64_t>;

Bytes read_number(const char* path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? Bytes(value) : std::nullopt;  // "max" is no number
}

// Of a file with lines like "MemAvailable:   123 kB".
Bytes read_kilobytes(const char* path, std::string_view wanted) {
  std::ifstream file(path);
  std::string key, rest;
  while (file >> key) {
    std::uint64_t kilobytes = 0;
    if (key == wanted) return file >> kilobytes ? Bytes(kilobytes * 1024) : std::nullopt;
    std::getline(file, rest);
  }
  return std::nullopt;
}

// What sysinfo() calls free leaves out the page cache, which may be most of the memory that can be had.
Bytes machine_total() {
  struct sysinfo info {};
  if (::sysinfo(&info) != 0) return std::nullopt;
  return std::uint64_t{info.totalram} * info.mem_unit;
}

Bytes machine_available() {
  const Bytes available = read_kilobytes("/proc/meminfo", "MemAvailable:");
  return available ? available : machine_total();
}

Bytes container_available() {
  const Bytes limit = read_number("/sys/fs/cgroup/memory.max");
  const Bytes used = read_number("/sys/fs/cgroup/memory.current");
  if (!limit || !used) return std::nullopt;
  return *limit > *used ? *limit - *used : 0;
}

}  // namespace

std::optional<std::uint64_t> available_memory() {
  const Bytes machine = machine_available();
  const Bytes container = container_available();
  if (machine && container) return std::min(*machine, *container);
  return machine ? machine : container;
}

// getrusage counts what the process was before it became this program, too.
std::uint64_t peak_memory() {
  if (const Bytes peak = read_kilobytes("/proc/self/status", "VmHWM:")) return *peak;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace xylem
