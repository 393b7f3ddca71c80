// SPDX-License-Identifier: Apache-2.0
#include "cli/last_words.h"

#include <unistd.h>

#include <exception>
#include <new>
#include <string_view>

#include "core/part_files.h"
#include "xylem/error.h"

namespace xylem::cli {
namespace {

[[noreturn]] void exit_with(std::string_view sentence, ErrorKind kind) {
  // If nobody can be told, the exit code must do.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, sentence.data(), sentence.size());
  remove_part_files();
  _exit(static_cast<int>(kind));
}

[[noreturn]] void end_uncaught() {
  if (std::current_exception() != nullptr) {
    try {
      throw;  // takes no memory, as std::rethrow_exception would
    } catch (const std::bad_alloc&) {
      exit_without_memory();
    } catch (...) {
    }
  }
  exit_with("xylem: ended by an error that nothing could handle; this is a bug in xylem\n", ErrorKind::kOther);
}

// Before all other initialisers of the program: CLI11's take memory.
struct LastWords {
  LastWords() { std::set_terminate(end_uncaught); }
};
[[gnu::init_priority(101)]] const LastWords prepared;

}  // namespace

void exit_without_memory() {
  exit_with("xylem: out of memory\n", ErrorKind::kMemory);
}

}  // namespace xylem::cli
