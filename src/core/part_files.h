// SPDX-License-Identifier: Apache-2.0
// The list of half-written files, so that a signal handler can remove them before it ends the program.
#pragma once

namespace xylem {

// Adds `path` to the list; the string must stay valid and unchanged until forget_part_file(). If the list is full, a
// signal leaves the file behind.
void note_part_file(const char* path);
void forget_part_file(const char* path);

// Removes all files on the list. Async-signal-safe, provided that the program ends next: a thread that calls
// forget_part_file() from then on blocks until it does.
void remove_part_files();

}  // namespace xylem
