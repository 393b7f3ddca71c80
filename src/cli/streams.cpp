// SPDX-License-Identifier: Apache-2.0
#include "cli/streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "core/file.h"

namespace xylem::cli {

void prepare_standard_streams() {
  // Opened the wrong way round, so that reading and writing fail as they would on the closed stream. What is printed
  // on standard error may get lost.
  constexpr int kModes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    // open() takes the lowest free number, which is this one.
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", kModes[stream]) < 0) _exit(1);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void print_result(std::string_view text) {
  OutputFile out("-", IfExists::kReplace);
  out.write(text);
  out.commit();
}

void print_remark(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool reader_has_gone() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace xylem::cli
