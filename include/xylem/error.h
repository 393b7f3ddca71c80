// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace xylem {

// What kind of thing went wrong. The value is the exit code of the command.
enum class ErrorKind {
  kOther = 1,
  kUsage = 2,         // an option or a value that makes no sense
  kData = 3,          // a data file that cannot be understood
  kModel = 4,         // a damaged, foreign or newer model file
  kIo = 5,            // a file that cannot be read or written, disk full
  kMemory = 6,        // more memory than allowed or there
  kGate = 7,          // a figure below the asked one
  kInterrupted = 130  // the user asked to stop
};

// Everything a user can cause. The message says where, what was found and what was expected.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace xylem
