// SPDX-License-Identifier: Apache-2.0
// What the tests of readers share: small files, plain and compressed, and the message of an expected Error.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <atomic>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "folder.h"
#include "xylem/dataset.h"
#include "xylem/error.h"

namespace xylem {

// Files in a folder that goes with the test.
class TestFiles : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }

  std::string write(const std::string& bytes, const std::string& name = "data.txt") const {
    test::write_plain(path(name), bytes);
    return path(name);
  }

 private:
  test::Folder folder_;
};

inline TextList list(std::initializer_list<std::string_view> texts) {
  TextList list;
  for (const std::string_view text : texts) list.push_back(text);
  return list;
}

inline std::string gzip(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string zstd(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

// The message of the Error of this kind that `work` must throw, without the folder of the test.
template <class Work>
std::string error_of(ErrorKind kind, Work work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
    const std::string message = error.what();
    const std::size_t folder = message.find("/xylem-test-");
    return folder == std::string::npos ? message : message.substr(message.find('/', folder + 1) + 1);
  }
  ADD_FAILURE() << "no Error";
  return {};
}

// What `read` reports of its progress, if asked to stop after three reports, which it must do.
template <class Read>
std::vector<Progress> first_three_reports(Read read) {
  std::vector<Progress> seen;
  std::atomic<bool> cancel = false;
  xylem::Run run;
  run.cancel = &cancel;
  run.on_progress = [&](const Progress& state) {
    seen.push_back(state);
    cancel = seen.size() == 3;
  };
  EXPECT_EQ(error_of(ErrorKind::kInterrupted, [&] { read(run); }), "interrupted");
  EXPECT_EQ(seen.size(), 3U);
  seen.resize(3);
  return seen;
}

inline void expect_equal(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.features.offsets, b.features.offsets);
  EXPECT_EQ(a.features.ids, b.features.ids);
  EXPECT_EQ(a.features.values, b.features.values);
  EXPECT_EQ(a.features.n_columns, b.features.n_columns);
  EXPECT_EQ(a.labels.offsets, b.labels.offsets);
  EXPECT_EQ(a.labels.ids, b.labels.ids);
  EXPECT_EQ(a.n_labels, b.n_labels);
  EXPECT_EQ(a.first_ids, b.first_ids);
}

// A data set as text, features from first_ids on as inside the library: "0,2|1:0.5 3:1;" and so on.
inline std::string text_of(const Dataset& data) {
  std::string text;
  for (std::size_t row = 0; row < data.size(); ++row) {
    for (const Label label : data.labels[row]) text += std::to_string(label) + ',';
    text += '|';
    const SparseRow features = data.features[row];
    for (std::size_t i = 0; i < features.size(); ++i) {
      char value[64];
      std::snprintf(value, sizeof value, "%u:%g ", features.ids[i], static_cast<double>(features.values[i]));
      text += value;
    }
    text += ';';
  }
  return text;
}

}  // namespace xylem
