// SPDX-License-Identifier: Apache-2.0
// Texts with the names of their labels: what text formats hold, before a vectoriser turns it into a Dataset.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xylem/dataset.h"
#include "xylem/run.h"
#include "xylem/sparse.h"
#include "xylem/text_list.h"

namespace xylem {

struct Corpus {
  TextList texts;
  LabelLists labels;     // ids are places in label_names
  TextList label_names;  // in the order in which they first occur, until name_labels() gives them their own
  TextList label_ids;    // identifiers, URIs for example: one for each label, empty for one without; or none at all
  // What the file calls its rows, as JSON: strings in quotes, numbers as they are written; empty for a row without, and
  // none at all if no row has one.
  TextList document_ids;
  std::optional<Label> first_label;  // where the file has numbers for labels, and label_names their names: its first

  std::size_t size() const { return texts.size(); }
  // Forgets the rows; the names of labels stay.
  void clear_rows() {
    texts.clear();
    labels.clear();
    document_ids.clear();
  }
};

struct CorpusResult {
  Corpus corpus;
  ReadReport report;
};

// "fasttext", "tsv", "jsonl" and "csv".
std::vector<std::string_view> text_formats();

// Reads a file of texts, plain, gzip or zstd; "-" is standard input. The result does not depend on run.threads.
// Throws Error: kData with `file:line: found ..., expected ...`, kIo, kMemory, kUsage for an option.
CorpusResult read_corpus(const std::string& path, const ReadOptions& options = {}, const Run& run = {});

// Writes `corpus` in a format of text_formats(). "-" is standard output; a file appears whole or not at all, and an
// existing one is an Error unless `replace`. What fasttext and tsv cannot hold of a text or a row is changed: line
// breaks become blanks, document ids are left out, and so are, for fasttext, blanks at the begin of a text. Throws
// kData where the format cannot hold a label (one with the separator in its name, say) or a text, before anything is
// written.
void write_corpus(const Corpus& corpus, std::string_view format, char label_separator, const std::string& path,
                  bool replace);
// The same for texts that are elsewhere; `rows` has all else of them.
void write_corpus(const Corpus& rows, const TextBlocks& texts, std::string_view format, char label_separator,
                  const std::string& path, bool replace);

// Names for labels that are numbers in the data.
struct LabelNames {
  std::string file;  // for messages
  TextList names;    // empty for a label without one
  // Whether names[i] is that of the label that the data call i; else it is that of their i-th label, from 0 on.
  bool numbered = false;
  TextList ids = {};         // identifiers: one for each name, empty for one without; or none at all
  std::string warning = {};  // of what is probably a mistake; empty if nothing seems to be wrong
};

// Where no line has a TAB, each is the name of the next label. Where all have one, the name is what follows the first
// TAB, and what stands before it is the label's number if it is a whole number in every line; else it is the label's
// identifier, without angle brackets around it, and each line is for the next label. Throws kData, also where only some
// lines have a TAB or an identifier occurs twice, and kIo.
LabelNames read_label_names(const std::string& path);

// Lines that read_label_names() reads back: `identifier<TAB>name` if labels have identifiers, else `name`, or
// `number<TAB>name` if `first_label` gives the number of the first one. Identifiers that are all whole numbers would be
// taken for numbers: they are left out. Throws kData for a name that cannot stand on a line.
std::string label_names_text(const TextList& names, const TextList& ids, std::optional<Label> first_label = {});

// What name_labels() let pass, so that a program can say so.
struct NamingReport {
  std::size_t unnamed = 0;  // labels that occur and have no name: they are called by their numbers
  std::size_t shared = 0;   // names that several labels have
};

// Gives the labels of `data` their names. Names beyond data.n_labels add labels without rows. `first_label` is what the
// data call their first label, where somebody knows; otherwise it must follow from data and names together. Throws
// kData where a label occurs that lies beyond the names, kUsage where it is open which label the first name is for.
NamingReport name_labels(Dataset& data, const LabelNames& names, std::optional<Label> first_label = {});
// The same for texts: labels that are whole numbers get their names, others must be one of the names or identifiers.
// Afterwards the labels are numbered as the names are.
NamingReport name_labels(Corpus& corpus, const LabelNames& names, std::optional<Label> first_label = {});

}  // namespace xylem
