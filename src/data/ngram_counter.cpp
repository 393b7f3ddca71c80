// SPDX-License-Identifier: Apache-2.0
// Counts in how many texts each n-gram occurs, in bounded memory. The space of hashes is cut by the top bits into
// kShards shards, each with a table of its own, so that no two threads ever write the same memory and a table fits the
// cache. A batch of texts is hashed by all threads, chunk by chunk, the hashes sorted by shard; then all threads count,
// shard by shard. A shard's table sees the texts in their order, so it only has to remember the last text of an n-gram
// to count each text once.
//
// A shard that has reached its limit goes on with the lower half of what it counts (by the low bits of the hash, its
// range), forgets the rest, and counts that in a further pass over the texts. What is counted is exact at all times.
//
// Memory: tables of 16 bytes a slot, at most 4/3 slots for each of max_counted n-grams, rounded up to a power of two
// for each shard; the hashes of a batch, 8 bytes an n-gram: 45 MB for kBatchBytes of usual text, 130 MB if all its
// words had one letter, more only where a single text is longer; and twice max_kept n-grams.
#include "data/ngram_counter.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "core/parallel.h"
#include "core/progress.h"
#include "data/ngrams.h"
#include "data/text_chunks.h"
#include "data/tokenizer.h"

namespace xylem {
namespace {

constexpr int kShardBits = 8;
constexpr std::size_t kShards = std::size_t{1} << kShardBits;
constexpr int kHashBits = 64 - kShardBits;  // that differ within a shard
constexpr int kRangeBits = 24;
constexpr std::uint64_t kRangeEnd = std::uint64_t{1} << kRangeBits;
constexpr std::size_t kBatchBytes = std::size_t{16} << 20;

std::size_t shard_of(std::uint64_t hash) {
  return hash >> kHashBits;
}

std::uint64_t range_key(std::uint64_t hash) {
  return hash & (kRangeEnd - 1);
}

// Which hashes of a shard are counted in this pass, by their range keys.
struct KeyRange {
  std::uint64_t begin = 0;
  std::uint64_t end = kRangeEnd;

  std::uint64_t width() const { return end - begin; }
  bool has(std::uint64_t hash) const { return range_key(hash) - begin < width(); }
};

// The n-grams of a chunk's texts, sorted by shard. As the top bits are known from the shard, the number of the text
// within its chunk stands there.
struct HashedChunk {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> shard_begins;  // kShards + 1
};
static_assert(kMaxChunkTexts <= kShards);

class ShardTable {
 public:
  struct Entry {
    std::uint64_t hash;   // without the top bits
    std::uint32_t texts;  // 0: the slot is empty
    std::uint32_t last_text;
  };

  KeyRange range;

  void set_limit(std::size_t max_entries) { max_entries_ = max_entries; }
  std::span<const Entry> entries() const { return entries_; }

  // Counts the hashes of one chunk, whose first text has the number `first_text`.
  void count(std::span<const std::uint64_t> hashes, std::size_t first_text) {
    constexpr std::size_t kAhead = 8;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (i + kAhead < hashes.size() && !entries_.empty()) __builtin_prefetch(&entries_[slot_of(hashes[i + kAhead])]);
      const std::uint64_t hash = hashes[i] & kHashMask;
      while (n_entries_ >= grow_at_) make_room();
      if (range.has(hash)) add(hash, static_cast<std::uint32_t>(first_text + (hashes[i] >> kHashBits)));
    }
  }

  // Forgets all and goes to the part of the hashes that has not been counted; false where there is none.
  bool next_range() {
    range = {range.end, std::min(range.end + 2 * range.width(), kRangeEnd)};  // halved again if that was bold
    std::fill(entries_.begin(), entries_.end(), Entry{});
    n_entries_ = 0;
    return range.begin < kRangeEnd;
  }

 private:
  static constexpr std::uint64_t kHashMask = (std::uint64_t{1} << kHashBits) - 1;

  // From bits that are neither the shard's nor the range's.
  std::size_t slot_of(std::uint64_t hash) const { return (hash & kHashMask) >> kRangeBits & (entries_.size() - 1); }

  Entry& find(std::uint64_t hash) {
    std::size_t slot = slot_of(hash);
    while (entries_[slot].texts != 0 && entries_[slot].hash != hash) slot = (slot + 1) & (entries_.size() - 1);
    return entries_[slot];
  }

  void add(std::uint64_t hash, std::uint32_t text) {
    Entry& entry = find(hash);
    if (entry.texts == 0) {
      entry = {hash, 1, text};
      ++n_entries_;
    } else if (entry.last_text != text) {
      ++entry.texts;
      entry.last_text = text;
    }
  }

  void make_room() {
    std::size_t n_slots = std::max<std::size_t>(2 * entries_.size(), 64);
    if (n_entries_ >= max_entries_ && range.width() > 1) {
      range.end = range.begin + range.width() / 2;
      n_slots = entries_.size();
    }
    const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(n_slots));
    grow_at_ = n_slots / 4 * 3;
    if (range.width() > 1) grow_at_ = std::min(grow_at_, max_entries_);
    n_entries_ = 0;
    for (const Entry& entry : old) {
      if (entry.texts == 0 || !range.has(entry.hash)) continue;
      find(entry.hash) = entry;
      ++n_entries_;
    }
  }

  std::vector<Entry> entries_;
  std::size_t n_entries_ = 0;
  std::size_t grow_at_ = 0;
  std::size_t max_entries_ = 0;
};

struct HashingWorker {
  std::optional<Tokenizer> tokenizer;
  std::vector<std::uint64_t> ngrams;  // of one text
  std::vector<std::uint64_t> hashes;  // of the chunk, in the order of the texts
};

class Counter {
 public:
  Counter(const TextBlocks& texts, const CountingOptions& options, const Run& run)
      : texts_(texts), options_(options), run_(run), tables_(kShards) {
    for (ShardTable& table : tables_) table.set_limit(std::max<std::size_t>(1, options.max_counted / kShards));
  }

  std::vector<NgramCount> count() {
    for (bool more = true; more;) {
      count_pass();
      more = false;
      for (std::size_t shard = 0; shard < kShards; ++shard) {
        harvest(shard);
        more |= tables_[shard].next_range();
      }
    }
    keep_best();
    std::ranges::sort(kept_, more_frequent);
    return std::move(kept_);
  }

 private:
  static bool more_frequent(const NgramCount& a, const NgramCount& b) {
    return a.texts != b.texts ? a.texts > b.texts : a.hash < b.hash;
  }

  void count_pass() {
    ProgressCounter progress(run_, "count words", "texts", texts_.size());
    std::size_t first_text = 0;
    texts_.for_each([&](const TextList& texts) {
      count_block(texts, first_text, progress);
      first_text += texts.size();
    });
  }

  void count_block(const TextList& texts, std::size_t first_text, ProgressCounter& progress) {
    const std::vector<TextChunk> chunks = text_chunks(texts);
    PerWorker<HashingWorker> workers;
    for (std::size_t begin = 0, end = 0; begin < chunks.size(); begin = end) {
      end = begin + 1;
      while (end < chunks.size() &&
             texts.offsets[chunks[end].end] - texts.offsets[chunks[begin].begin] <= kBatchBytes) {
        ++end;
      }
      if (batch_.size() < end - begin) batch_.resize(end - begin);
      parallel_for(end - begin, 1, [&](std::size_t i, std::size_t) {
        const TextChunk& chunk = chunks[begin + i];
        hash_chunk(texts, chunk, workers.local(), batch_[i]);
        progress.add(chunk.end - chunk.begin);
      });
      parallel_for(kShards, 4, [&](std::size_t first, std::size_t last) {
        for (std::size_t shard = first; shard < last; ++shard) {
          for (std::size_t i = 0; i < end - begin; ++i) {
            const HashedChunk& chunk = batch_[i];
            const std::uint32_t from = chunk.shard_begins[shard];
            tables_[shard].count(std::span(chunk.hashes).subspan(from, chunk.shard_begins[shard + 1] - from),
                                 first_text + chunks[begin + i].begin);
          }
        }
      });
    }
  }

  void hash_chunk(const TextList& texts, const TextChunk& chunk, HashingWorker& worker, HashedChunk& out) const {
    if (!worker.tokenizer) worker.tokenizer.emplace(options_.stem_language);
    out.shard_begins.assign(kShards + 1, 0);
    worker.hashes.clear();
    std::array<std::size_t, kMaxChunkTexts> text_ends{};
    for (std::size_t text = chunk.begin; text < chunk.end; ++text) {
      hash_ngrams(worker.tokenizer->split(texts[text]), options_.ngrams, worker.ngrams);
      for (const std::uint64_t hash : worker.ngrams) {
        if (!tables_[shard_of(hash)].range.has(hash)) continue;
        ++out.shard_begins[shard_of(hash) + 1];
        worker.hashes.push_back(hash);
      }
      text_ends[text - chunk.begin] = worker.hashes.size();
    }
    std::array<std::uint32_t, kShards> next;
    for (std::size_t shard = 0; shard < kShards; ++shard) {
      next[shard] = out.shard_begins[shard];
      out.shard_begins[shard + 1] += out.shard_begins[shard];
    }
    out.hashes.resize(worker.hashes.size());
    for (std::size_t text = 0, i = 0; text < chunk.end - chunk.begin; ++text) {
      for (; i < text_ends[text]; ++i) {
        const std::uint64_t hash = worker.hashes[i];
        out.hashes[next[shard_of(hash)]++] = (hash << kShardBits) >> kShardBits | text << kHashBits;
      }
    }
  }

  void harvest(std::size_t shard) {
    for (const ShardTable::Entry& entry : tables_[shard].entries()) {
      if (entry.texts < std::max<std::uint64_t>(1, options_.min_texts) || entry.texts > options_.max_texts) continue;
      kept_.push_back({entry.hash | shard << kHashBits, entry.texts});
      if (kept_.size() / 2 >= options_.max_kept) keep_best();
    }
  }

  void keep_best() {
    if (kept_.size() <= options_.max_kept) return;
    std::ranges::nth_element(kept_, kept_.begin() + static_cast<std::ptrdiff_t>(options_.max_kept), more_frequent);
    kept_.resize(options_.max_kept);
  }

  const TextBlocks& texts_;
  const CountingOptions& options_;
  const Run& run_;
  std::vector<HashedChunk> batch_;  // kept for its memory
  std::vector<ShardTable> tables_;
  std::vector<NgramCount> kept_;
};

}  // namespace

std::vector<NgramCount> count_ngrams(const TextBlocks& texts, const CountingOptions& options, const Run& run) {
  assert(texts.size() < std::numeric_limits<std::uint32_t>::max());
  return Counter(texts, options, run).count();
}

}  // namespace xylem
