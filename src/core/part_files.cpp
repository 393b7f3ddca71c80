// SPDX-License-Identifier: Apache-2.0
#include "core/part_files.h"

#include <unistd.h>

#include <array>
#include <atomic>

namespace xylem {
namespace {

using Slot = std::atomic<const char*>;
static_assert(Slot::is_always_lock_free, "used in a signal handler");

constexpr std::size_t kSlots = 1024;  // as many as the command allows threads, which may all write checkpoints
constinit std::array<Slot, kSlots> slots{};
constinit std::atomic<bool> ending{false};

}  // namespace

void note_part_file(const char* path) {
  for (Slot& slot : slots) {
    const char* none = nullptr;
    if (slot.compare_exchange_strong(none, path)) return;
  }
}

void forget_part_file(const char* path) {
  for (Slot& slot : slots) {
    const char* mine = path;
    if (slot.compare_exchange_strong(mine, nullptr)) return;
  }
  while (ending) ::pause();  // the handler may be reading the path
}

void remove_part_files() {
  ending = true;
  for (Slot& slot : slots) {
    const char* path = slot.exchange(nullptr);
    if (path != nullptr) ::unlink(path);
  }
}

}  // namespace xylem
