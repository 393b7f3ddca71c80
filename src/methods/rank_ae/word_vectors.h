// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/dense.h"
#include "xylem/dataset.h"
#include "xylem/run.h"

namespace xylem::rank_ae {

struct WordVectorsFound {
  std::size_t in_file = 0;  // words there
  std::size_t in_data = 0;  // single words of the data: pairs have no vector in such a file
  std::size_t found = 0;    // of these
};

// Puts vectors from a file into the rows of `vectors`, one for each feature of the data, where the file has the
// feature's name; the others stay. The file, plain, gzip or zstd, has lines as GloVe's, a word and as many numbers as
// there are columns, with blanks between them; a first line with the numbers of lines and columns, as word2vec writes
// it, is passed over. What is found is scaled to be as long as what it replaces, in the mean of the squares. Throws
// kUsage where features have no names, kData where a line is something else or none of the words is there, kIo,
// kInterrupted.
WordVectorsFound read_word_vectors(const std::string& path, const Dataset& data, Matrix& vectors, const Run& run = {});

}  // namespace xylem::rank_ae
