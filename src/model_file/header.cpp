// SPDX-License-Identifier: Apache-2.0
#include "model_file/header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/text.h"

namespace xylem {
namespace {

using nlohmann::json;

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::string_view kChecksumKey = "\"checksum\":\"";

// Accepts exactly the headers that we write, give or take blanks and the order of keys. It sees one token at a time and
// stops at the first that does not belong, so depth, duplicate keys and sizes need no tree and no recursion.
class HeaderParser final : public nlohmann::json_sax<json> {
 public:
  explicit HeaderParser(Header& header) : header_(header) {}

  bool start_object(std::size_t) override {
    switch (place_) {
      case Place::kStart:
        place_ = Place::kTop;
        return true;
      case Place::kTop:
        if (key_ == kMetadata) {
          place_ = Place::kTexts;
        } else {
          place_ = Place::kArray;
          header_.arrays.push_back({key_, {}, {}, 0, 0, 0});
          seen_ = {};
        }
        return true;
      default:
        return unexpected("an object");
    }
  }

  bool key(std::string& key) override {
    key_ = std::move(key);
    switch (place_) {
      case Place::kTop:
        if (!is_plain_name(key_)) return complain("an array is called {}", quote(key_));
        if (!names_.insert(key_).second) return complain("the name {} stands there twice", quote(key_));
        return true;
      case Place::kTexts:
        if (!is_plain_name(key_)) return complain("a text is called {}", quote(key_));
        if (header_.texts.contains(key_)) return complain("the text {} stands there twice", quote(key_));
        return true;
      default: {
        bool* seen = key_ == "dtype" ? &seen_.dtype : key_ == "shape" ? &seen_.shape : nullptr;
        if (key_ == "data_offsets") seen = &seen_.offsets;
        if (seen == nullptr) return complain("array {} has an unknown key {}", quote(array().name), quote(key_));
        if (*seen) return complain("array {} has two keys {}", quote(array().name), quote(key_));
        *seen = true;
        return true;
      }
    }
  }

  bool string(std::string& value) override {
    if (place_ == Place::kTexts) {
      header_.texts.emplace(key_, std::move(value));
      return true;
    }
    if (place_ != Place::kArray || key_ != "dtype") return unexpected("a string");
    const auto dtype = dtype_from_name(value);
    if (!dtype) return complain("array {} has an unknown dtype {}", quote(array().name), quote(value));
    array().dtype = *dtype;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ != Place::kArray || key_ == "dtype") return unexpected("a list");
    numbers_.clear();
    place_ = Place::kNumbers;
    return true;
  }

  bool number_unsigned(std::uint64_t value) override {
    if (place_ != Place::kNumbers) return unexpected("a number");
    if (numbers_.size() == kMaxDimensions) {
      return complain("the {} of array {} has more than {} numbers", key_, quote(array().name), kMaxDimensions);
    }
    numbers_.push_back(value);
    return true;
  }

  bool end_array() override {
    place_ = Place::kArray;
    if (key_ == "shape") {
      array().shape = numbers_;
      return true;
    }
    if (numbers_.size() != 2 || numbers_[0] > numbers_[1]) {
      return complain("the data_offsets of array {} are [{}], expected a begin and an end not before it",
                      quote(array().name), fmt::join(numbers_, ", "));
    }
    array().begin = numbers_[0];
    array().bytes = numbers_[1] - numbers_[0];
    return true;
  }

  bool end_object() override {
    if (place_ == Place::kArray && !(seen_.dtype && seen_.shape && seen_.offsets)) {
      return complain("array {} needs dtype, shape and data_offsets", quote(array().name));
    }
    place_ = Place::kTop;  // after the outermost object nothing may follow, which the tokeniser sees to
    return true;
  }

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a truth value"); }
  bool number_integer(std::int64_t value) override { return unexpected(fmt::format("{}", value)); }
  bool number_float(double, const std::string& text) override { return unexpected(text); }
  bool binary(json::binary_t&) override { return unexpected("binary"); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    return complain("it is no JSON from byte {} on", position);
  }

 private:
  enum class Place { kStart, kTop, kTexts, kArray, kNumbers };
  struct Seen {
    bool dtype = false, shape = false, offsets = false;
  };

  ArrayInfo& array() { return header_.arrays.back(); }

  template <class... Args>
  bool complain(fmt::format_string<Args...> format, Args&&... args) {
    header_.complaint = fmt::format(format, std::forward<Args>(args)...);
    return false;
  }
  bool unexpected(std::string_view found) {
    switch (place_) {
      case Place::kStart:
      case Place::kTop:
        return complain("{} is {}, expected an object", quote(key_), quote(found));
      case Place::kTexts:
        return complain("the text {} is {}, expected a string", quote(key_), quote(found));
      default:
        return complain("the {} of array {} is or holds {}, expected {}", key_, quote(array().name), quote(found),
                        key_ == "dtype" ? "a string" : "whole numbers");
    }
  }

  Header& header_;
  Place place_ = Place::kStart;
  Seen seen_;
  std::string key_;
  std::set<std::string> names_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace

bool is_plain_name(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
}

std::string header_text(const std::map<std::string, std::string>& texts, const std::vector<ArrayInfo>& arrays) {
  std::map<std::string, std::string> all = texts;
  all.emplace("format", kFormat);
  all.emplace("format_version", fmt::to_string(kFormatVersion));
  all.emplace("checksum", checksum_text(0));
  std::string header = fmt::format("{{\"{}\":{}", kMetadata, json(all).dump());
  for (const ArrayInfo& array : arrays) {
    header += fmt::format(R"(,"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", array.name,
                          dtype_name(array.dtype), fmt::join(array.shape, ","), array.begin, array.begin + array.bytes);
  }
  header += '}';
  const std::size_t unpadded = kLengthBytes + header.size();
  header.append((kDataAlignment - unpadded % kDataAlignment) % kDataAlignment, ' ');
  return header;
}

Header parse_model_header(std::string_view text) {
  Header header;
  // The tokeniser skips a byte-order mark and takes a NUL byte for the end; safetensors allows neither.
  if (text.empty() || text.front() != '{') {
    header.complaint = "it does not begin with '{'";
  } else if (text.find('\0') != std::string_view::npos) {
    header.complaint = "it has a NUL byte";
  } else {
    HeaderParser parser(header);
    json::sax_parse(text.begin(), text.end(), &parser);
  }
  return header;
}

// Cannot be taken in by the value of a text: quotes inside a JSON string have a backslash in front.
std::size_t find_checksum(std::string_view header) {
  const std::size_t key = header.find(kChecksumKey);
  if (key == std::string_view::npos || header.find(kChecksumKey, key + 1) != std::string_view::npos) {
    return std::string_view::npos;
  }
  const std::size_t digits = key + kChecksumKey.size();
  const std::string_view found = header.substr(digits, kChecksumDigits);
  const bool hex = std::ranges::all_of(found, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  const bool closed = header.substr(digits).size() > kChecksumDigits && header[digits + kChecksumDigits] == '"';
  return hex && closed ? digits : std::string_view::npos;
}

std::string checksum_text(std::uint64_t checksum) {
  return fmt::format("{:016x}", checksum);
}

}  // namespace xylem
