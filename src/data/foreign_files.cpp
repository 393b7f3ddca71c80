// SPDX-License-Identifier: Apache-2.0
#include "data/foreign_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/fail.h"

namespace xylem {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  std::string_view what;
  std::string_view fix;
};

constexpr std::string_view kSaveAsCsv = "save the sheet as CSV (UTF-8)";
constexpr std::string_view kPandas = "convert it with pandas: `to_json(\"new.jsonl\", orient=\"records\", lines=True)`";
constexpr std::string_view kUnpack = "unpack it first";
constexpr std::string_view kPlainText = "export its text as CSV or JSONL";

constexpr Magic kMagic[] = {
    {"PK\x03\x04"sv, "a ZIP archive, such as an Excel or OpenDocument file",
     "save the sheet as CSV (UTF-8), or unpack the archive first"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "an old Excel or Word file", kSaveAsCsv},
    {"%PDF-"sv, "a PDF", kPlainText},
    {"{\\rtf"sv, "an RTF document", kPlainText},
    {"PAR1\x15"sv, "a Parquet file", kPandas},
    {"ARROW1\0\0"sv, "an Arrow file", kPandas},
    {"Obj\x01"sv, "an Avro file", kPandas},
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file", kPandas},
    {"\x80\x02}"sv, "a Python pickle", kPandas},
    {"\x80\x03"sv, "a Python pickle", kPandas},
    {"\x80\x04\x95"sv, "a Python pickle", kPandas},
    {"\x80\x05\x95"sv, "a Python pickle", kPandas},
    {"\x93NUMPY"sv, "a NumPy array", "write the rows with scikit-learn's dump_svmlight_file"},
    {"SQLite format 3\0"sv, "an SQLite database", "export the table as CSV with a header (`sqlite3 -csv -header`)"},
    {"\xfd"
     "7zXZ\0"sv,
     "xz data", "unpack it with `unxz`; gzip and zstd are read as they are"},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive", kUnpack},
    {"Rar!\x1a\x07"sv, "a RAR archive", kUnpack},
    {"\x1f\x8b"sv, "gzip data within compressed data", "it was packed twice, so unpack it once"},
    {"\x28\xb5\x2f\xfd"sv, "zstd data within compressed data", "it was packed twice, so unpack it once"},
    {"\x7f"
     "ELF"sv,
     "a program", "give a file of texts or rows"},
};

constexpr std::size_t kTarMagicAt = 257;

// Which of these encodings `bytes` are in, for iconv; empty for none. The first bytes of real texts are mostly ASCII,
// which all four of them pad with NUL bytes.
std::string_view wide_encoding(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe\0\0"sv)) return "UTF-32";
  if (bytes.starts_with("\0\0\xfe\xff"sv)) return "UTF-32";
  if (bytes.starts_with("\xff\xfe"sv) || bytes.starts_with("\xfe\xff"sv)) return "UTF-16";
  bytes = bytes.substr(0, 4096);
  bytes.remove_suffix(bytes.size() % 4);
  if (bytes.size() < 8) return {};
  std::array<std::size_t, 4> nuls{};  // by place in four bytes
  for (std::size_t i = 0; i < bytes.size(); ++i) nuls[i % 4] += bytes[i] == '\0' ? 1 : 0;
  const std::size_t quads = bytes.size() / 4;
  const auto mostly = [&](std::size_t place) { return 10 * nuls[place] >= 7 * quads; };
  const auto hardly = [&](std::size_t place) { return 10 * nuls[place] <= quads; };
  if (hardly(0) && mostly(1) && mostly(2) && mostly(3)) return "UTF-32LE";
  if (mostly(0) && mostly(1) && mostly(2) && hardly(3)) return "UTF-32BE";
  if (hardly(0) && mostly(1) && hardly(2) && mostly(3)) return "UTF-16LE";
  if (mostly(0) && hardly(1) && mostly(2) && hardly(3)) return "UTF-16BE";
  return {};
}

// Whether lines end in a carriage return alone, as they did on old Macs: then there is no other line end. Where there
// is, carriage returns stand within texts.
bool ends_lines_with_cr(std::string_view bytes) {
  if (bytes.ends_with('\n')) bytes.remove_suffix(1);
  if (bytes.ends_with('\r')) bytes.remove_suffix(1);
  return bytes.find('\n') == std::string_view::npos && bytes.find('\r') != std::string_view::npos;
}

}  // namespace

std::string foreign_file_problem(std::string_view bytes) {
  for (const Magic& magic : kMagic) {
    if (bytes.starts_with(magic.bytes)) {
      return fmt::format("found {}, expected lines of text: {}", magic.what, magic.fix);
    }
  }
  if (bytes.starts_with("BZh") && bytes.substr(std::min<std::size_t>(bytes.size(), 4)).starts_with("1AY&SY")) {
    return "found bzip2 data, expected lines of text: unpack it with `bunzip2`; gzip and zstd are read as they are";
  }
  if (bytes.size() > kTarMagicAt && bytes.substr(kTarMagicAt).starts_with("ustar")) {
    return "found a tar archive, expected lines of text: unpack it first with `tar -xf`";
  }
  if (const std::string_view encoding = wide_encoding(bytes); !encoding.empty()) {
    return fmt::format("found {}, expected UTF-8: convert it with `iconv -f {} -t UTF-8`", encoding, encoding);
  }
  // A model begins with the size of its header, in 8 bytes.
  if (bytes.size() > 24 && bytes.substr(8).starts_with("{\"") && bytes.substr(2, 6) == "\0\0\0\0\0\0"sv) {
    return "found a model (safetensors), expected data; a model is given with -m";
  }
  return {};
}

std::string line_end_problem(std::string_view bytes) {
  if (!ends_lines_with_cr(bytes)) return {};
  return "found lines that end in a carriage return alone, expected line feeds: `tr '\\r' '\\n' < OLD > NEW`";
}

void refuse_foreign_file(std::string_view bytes, bool any_line, const std::string& name) {
  std::string problem = foreign_file_problem(bytes);
  if (problem.empty() && !any_line) problem = line_end_problem(bytes);
  if (!problem.empty()) fail(ErrorKind::kData, "{}:1: {}", name, problem);
}

}  // namespace xylem
