// SPDX-License-Identifier: Apache-2.0
#include "data/byte_source.h"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "core/fail.h"
#include "core/text.h"

namespace xylem {
namespace {

constexpr std::size_t kInputBytes = std::size_t{1} << 18;
// Real data sets shrink three- to tenfold. Small files are left alone: they cannot do harm.
constexpr std::uint64_t kMaxGrowth = 1000;
constexpr std::uint64_t kHarmlessBytes = std::uint64_t{16} << 20;

constexpr std::size_t kMaxStep = std::numeric_limits<uInt>::max();

class GzipInflater final : public Inflater {
 public:
  explicit GzipInflater(std::string name) : name_(std::move(name)) {
    constexpr int kGzipWindow = 15 + 16;  // the largest window; 16 stands for gzip's header and checksum
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~GzipInflater() override { inflateEnd(&stream_); }
  GzipInflater(const GzipInflater&) = delete;
  GzipInflater& operator=(const GzipInflater&) = delete;

  std::size_t inflate(std::string_view& input, char* output, std::size_t size) override {
    if (complete_) inflateReset(&stream_);  // another member follows
    const std::size_t taken = std::min(input.size(), kMaxStep);
    const std::size_t room = std::min(size, kMaxStep);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(taken);
    stream_.next_out = reinterpret_cast<Bytef*>(output);
    stream_.avail_out = static_cast<uInt>(room);
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      fail(ErrorKind::kData, "{}: found damaged gzip data ({}), expected a whole gzip file", name_,
           stream_.msg != nullptr ? stream_.msg : "unknown reason");
    }
    complete_ = status == Z_STREAM_END;
    input.remove_prefix(taken - stream_.avail_in);
    return room - stream_.avail_out;
  }
  bool complete() const override { return complete_; }

 private:
  std::string name_;
  z_stream stream_{};
  bool complete_ = false;
};

class ZstdInflater final : public Inflater {
 public:
  explicit ZstdInflater(std::string name) : name_(std::move(name)), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  std::size_t inflate(std::string_view& input, char* output, std::size_t size) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output, size, 0};
    const std::size_t status = ZSTD_decompressStream(stream_.get(), &out, &in);
    if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(status)) {
      fail(ErrorKind::kData, "{}: found damaged zstd data ({}), expected a whole zstd file", name_,
           ZSTD_getErrorName(status));
    }
    complete_ = status == 0;
    input.remove_prefix(in.pos);
    return out.pos;
  }
  bool complete() const override { return complete_; }

 private:
  std::string name_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  bool complete_ = false;
};

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

constexpr std::string_view kZstdFrame = "\x28\xb5\x2f\xfd";
constexpr std::string_view kSkippedFrameEnd = "\x2a\x4d\x18";  // of the magic of a frame to be skipped

bool is_zstd(std::string_view bytes) {
  if (bytes.starts_with(kZstdFrame)) return true;
  // A frame to be skipped; parallel compressors put one in front.
  return bytes.size() >= kZstdFrame.size() && (bytes[0] & 0xf0) == 0x50 &&
         bytes.substr(1).starts_with(kSkippedFrameEnd);
}

// Whether more bytes must be seen to tell: a line that somebody has typed may be shorter than these marks.
bool may_be_magic(std::string_view bytes) {
  if (bytes.size() >= kZstdFrame.size()) return false;
  return bytes == "\x1f" || kZstdFrame.starts_with(bytes) ||
         ((bytes[0] & 0xf0) == 0x50 && kSkippedFrameEnd.starts_with(bytes.substr(1)));
}

}  // namespace

std::string display_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

ByteSource::ByteSource(const std::string& path) : ByteSource(open_for_reading(path), display_name(path)) {}

ByteSource::ByteSource(FileHandle file, std::string name, std::uint64_t max_bytes)
    : name_(std::move(name)),
      file_(std::move(file)),
      bytes_in_all_(bytes_ahead(file_).value_or(0)),
      file_left_(std::min(bytes_ahead(file_).value_or(max_bytes), max_bytes)) {
  buffer_.resize(kInputBytes);
  std::size_t n = 0;
  do {
    const std::size_t more = read_file(buffer_.data() + n, buffer_.size() - n);
    if (more == 0) break;
    n += more;
    input_ = std::string_view(buffer_).substr(0, n);
  } while (may_be_magic(input_));
  bytes_in_ = n;
  if (is_gzip(input_)) {
    inflater_ = std::make_unique<GzipInflater>(name_);
  } else if (is_zstd(input_)) {
    inflater_ = std::make_unique<ZstdInflater>(name_);
  }
}

std::size_t ByteSource::read_some(char* output, std::size_t size) {
  return inflater_ == nullptr ? read_plain(output, size) : read_inflated(output, size);
}

std::size_t ByteSource::read(char* output, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t n = read_some(output + done, size - done);
    if (n == 0) break;
    done += n;
  }
  return done;
}

std::size_t ByteSource::read_plain(char* output, std::size_t size) {
  if (input_.empty()) {
    const std::size_t n = read_file(output, size);
    bytes_in_ += n;
    return n;
  }
  const std::size_t peeked = std::min(size, input_.size());
  std::memcpy(output, input_.data(), peeked);
  input_.remove_prefix(peeked);
  return peeked;
}

std::size_t ByteSource::read_inflated(char* output, std::size_t size) {
  while (true) {
    if (input_.empty()) refill();
    const bool at_end = input_.empty();
    if (at_end && inflater_->complete()) return 0;
    const std::size_t n = inflater_->inflate(input_, output, size);
    if (at_end && n == 0 && !inflater_->complete()) {
      fail(ErrorKind::kData, "{}: found the end of the file in the middle of compressed data, expected the rest",
           name_);
    }
    bytes_out_ += n;
    if (bytes_out_ > kHarmlessBytes && bytes_out_ / kMaxGrowth > bytes_taken()) {
      fail(ErrorKind::kData, "{}: found {} that inflate to more than {}, expected at most {} times as much", name_,
           format_bytes(bytes_taken()), format_bytes(bytes_out_), kMaxGrowth);
    }
    if (n > 0) return n;
  }
}

void ByteSource::refill() {
  buffer_.resize(kInputBytes);
  const std::size_t n = read_file(buffer_.data(), buffer_.size());
  input_ = std::string_view(buffer_).substr(0, n);
  bytes_in_ += n;
}

std::size_t ByteSource::read_file(char* output, std::size_t size) {
  if (at_end_) return 0;
  const std::size_t n = xylem::read_some(file_, output, std::min<std::uint64_t>(size, file_left_), name_);
  file_left_ -= n;
  at_end_ = n == 0;
  return n;
}

}  // namespace xylem
