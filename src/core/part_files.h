// SPDX-License-Identifier: Apache-2.0
// The files that are half-written just now, for a signal handler that ends the program: it must not leave them behind.
#pragma once

namespace xylem {

// Lists `path`, which must stay as it is until forget_part_file(). What does not fit on the list stays behind.
void note_part_file(const char* path);
void forget_part_file(const char* path);

// Removes all files of the list. Safe in a signal handler, if the program ends with it: whoever forgets one of them
// meanwhile waits for the end.
void remove_part_files();

}  // namespace xylem
