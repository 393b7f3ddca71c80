// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/neighbour_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithms/explain.h"
#include "methods/neighbours/choose.h"
#include "methods/neighbours/feature_weights.h"
#include "methods/neighbours/kernel_votes.h"
#include "methods/neighbours/own_cosines.h"
#include "methods/neighbours/votes.h"

namespace xylem::neighbours {

constexpr std::size_t kRowsAtOnce = 64;

struct Voter {
  Scored neighbour;
  float vote;
};

struct NeighbourScratchSpace {
  Matrix hidden, embedded;
  NeighbourScratch neighbours;
  SpreadRow query;
  TopK best;
  std::vector<std::vector<Voter>> found;  // of each row at once, the neighbours in all members' eyes
  KernelVotes kernel;
  LabelCosines cosines;  // of each row at once
  Votes votes;
};

NeighbourModel::NeighbourModel(std::string prefix, Parts parts, const ModelShape& shape, const VoteOptions& votes)
    : prefix_(std::move(prefix)), parts_(std::move(parts)), shape_(shape), votes_(votes) {
  if (votes_.label_share == 0) return;
  for (std::size_t i = 0; i < parts_.members.size(); ++i) {
    label_spaces_.emplace_back(label_vectors(i), shape_.labels);
  }
}

void NeighbourModel::predict(const RowBlock& block, std::size_t k, Scratch& scratch, TopLabels& out) const {
  auto& buffers = scratch.as<NeighbourScratchSpace>();
  buffers.votes.resize(shape_.labels);
  for (std::size_t begin = 0; begin < block.size(); begin += kRowsAtOnce) {
    const std::size_t n = std::min(kRowsAtOnce, block.size() - begin);
    find_neighbours(block.rows.slice(begin, n), buffers);
    for (std::size_t i = 0; i < n; ++i) {
      for (const Voter& voter : buffers.found[i]) buffers.votes.add(voter.vote, parts_.rows.labels(voter.neighbour.id));
      const float all = votes_.ridge > 0 ? static_cast<float>(parts_.members.size()) : buffers.votes.all();
      if (votes_.label_share > 0) {
        buffers.votes.finish(k, all, buffers.cosines[i], votes_.label_share, out);
      } else {
        buffers.votes.finish(k, all, out);
      }
    }
  }
}

Explanation NeighbourModel::explain(const RowBlock& row, Label label, Scratch& scratch) const {
  Explanation result = Model::explain(row, label, scratch);
  auto& buffers = scratch.as<NeighbourScratchSpace>();
  find_neighbours(row.rows, buffers);
  std::vector<Voter>& found = buffers.found.front();
  std::ranges::sort(found, better, &Voter::neighbour);
  for (const auto& [neighbour, vote] : found) {
    const auto labels = parts_.rows.labels(neighbour.id);
    if (vote <= 0 || !std::ranges::binary_search(labels, label)) continue;
    result.neighbours.push_back(
        {parts_.rows.number(neighbour.id), static_cast<double>(neighbour.score), true, {labels.begin(), labels.end()}});
  }
  if (!result.rank && result.neighbours.empty() && result.evidence.empty()) {
    result.basis = parts_.rows.has_label(label)
                       ? fmt::format("none of the {} nearest training rows, which vote, has this label", votes_.k)
                       : kNoTrainingRow;
  }
  return result;
}

void NeighbourModel::save(ModelWriter& out) const {
  for (std::size_t i = 0; i < parts_.members.size(); ++i) {
    parts_.members[i].encoder->save(out, member_prefix(prefix_, i) + "net");
    parts_.members[i].index.save(out, member_prefix(prefix_, i) + "index");
  }
  parts_.rows.save(out, prefix_);
  for (std::size_t i = 0; i < parts_.label_vectors.size(); ++i) {
    const std::string name = (parts_.shares_label_vectors ? prefix_ : member_prefix(prefix_, i)) + "label_vectors";
    out.array(name, parts_.label_vectors[i], {shape_.labels, label_vectors(i).dim});
  }
}

LabelVectors NeighbourModel::label_vectors(std::size_t member) const {
  const Array<float>& vectors = parts_.label_vectors[std::min(member, parts_.label_vectors.size() - 1)];
  return {vectors.span(), parts_.members.front().encoder->dim()};
}

void NeighbourModel::find_neighbours(SparseRows rows, NeighbourScratchSpace& buffers) const {
  const auto k = static_cast<std::size_t>(votes_.k);
  const std::size_t depth =
      search_depth(k, static_cast<std::size_t>(votes_.candidates), votes_.blend, parts_.rows.size());
  buffers.found.resize(std::max(buffers.found.size(), rows.size()));
  for (auto& found : buffers.found) found.clear();
  if (votes_.label_share > 0) buffers.cosines.begin(rows.size(), shape_.labels);
  for (std::size_t member = 0; member < parts_.members.size(); ++member) {
    parts_.members[member].encoder->embed(rows, buffers.hidden, buffers.embedded);
    parts_.members[member].index.search(buffers.embedded, depth, static_cast<std::size_t>(votes_.probes),
                                        buffers.neighbours);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      TopK& candidates = buffers.neighbours.best[i];
      if (votes_.blend > 0) look_at_features(rows[i], candidates, buffers);
      const auto voters = (votes_.blend > 0 ? buffers.best : candidates).sorted();
      add_voters(voters, parts_.members[member].index, buffers.kernel, buffers.found[i]);
    }
    if (votes_.label_share > 0) buffers.cosines.add(buffers.embedded, label_spaces_[member]);
  }
}

// The k best when the candidates' cosines are blended with those of the rows themselves.
void NeighbourModel::look_at_features(SparseRow query, TopK& candidates, NeighbourScratchSpace& buffers) const {
  buffers.query.assign(query, parts_.rows.metric());
  buffers.best.reset(static_cast<std::size_t>(votes_.k));
  for (const Scored& candidate : candidates.sorted()) {
    const float own = parts_.rows.own_cosine(buffers.query, candidate.id);
    buffers.best.offer(blended(candidate.score, own, votes_.blend), candidate.id);
  }
}

void NeighbourModel::add_voters(std::span<const Scored> voters, const NeighbourIndex& index, KernelVotes& kernel,
                                std::vector<Voter>& out) const {
  std::span<const float> votes;
  if (votes_.ridge > 0) {
    kernel.assign(voters, index, parts_.rows, votes_.blend);
    votes = kernel.votes(voters, votes_.vote_power, votes_.ridge);
  }
  for (std::size_t i = 0; i < voters.size(); ++i) {
    const float together = i < votes.size() ? votes[i] : 0;  // those behind point away
    out.push_back({voters[i], votes_.ridge > 0 ? together : vote_of(voters[i], votes_.vote_power)});
  }
}

NeighbourModel::Parts load_parts(const ModelReader& in, const std::string& prefix, const ModelShape& shape,
                                 const TeamOptions& team, const VoteOptions& votes, bool shares_label_vectors,
                                 const LoadEncoder& load_encoder) {
  if (votes.k == 0 || votes.clusters == 0 || votes.probes == 0) {
    in.damaged(fmt::format("damaged: {0}k, {0}clusters and {0}probes are {1}, {2} and {3}, expected at least 1", prefix,
                           votes.k, votes.clusters, votes.probes));
  }
  if (votes.blend < 0 || votes.vote_power < 0 || votes.weighting < 0 || votes.ridge < 0 || votes.label_share < 0) {
    in.damaged(
        fmt::format("damaged: {0}blend, {0}weighting, {0}vote_power, {0}ridge and {0}label_share are {1}, {2}, "
                    "{3}, {4} and {5}, expected 0 or more",
                    prefix, votes.blend, votes.weighting, votes.vote_power, votes.ridge, votes.label_share));
  }
  if (votes.ridge > 0 && votes.k > kMostTogether) {
    in.damaged(fmt::format("damaged: {0}k is {1}, expected at most {2} with {0}ridge", prefix, votes.k, kMostTogether));
  }
  StoredRows rows(in, prefix, shape, votes.blend > 0);
  std::vector<Member> members;
  std::vector<Array<float>> label_vectors;
  for (std::size_t i = 0; i < static_cast<std::size_t>(team.learners); ++i) {
    const std::string of_member = NeighbourModel::member_prefix(prefix, i);
    auto encoder = load_encoder(of_member + "net");
    const std::size_t dim = encoder->dim();
    members.push_back({std::move(encoder), NeighbourIndex(in, of_member + "index", rows.size(), dim)});
    if (!shares_label_vectors) label_vectors.push_back(in.finite(of_member + "label_vectors", shape.labels * dim));
    if (shares_label_vectors && i == 0)
      label_vectors.push_back(in.finite(prefix + "label_vectors", shape.labels * dim));
  }
  return {std::move(members), shares_label_vectors, std::move(label_vectors), std::move(rows)};
}

std::uint64_t neighbour_bytes(const DataShape& shape, std::size_t dim, const TeamOptions& team,
                              const VoteOptions& votes, bool shares_label_vectors) {
  const auto learners = static_cast<std::uint64_t>(team.learners);
  const std::uint64_t index =
      NeighbourIndex::bytes(shape.rows, dim, {cluster_count(votes, shape.rows), {}, votes.precision});
  const std::uint64_t vectors = sizeof(float) * shape.labels * dim;
  return learners * index + StoredRows::bytes(shape, votes.blend != 0) +
         (shares_label_vectors ? 1 : learners) * vectors + 4096;
}

std::uint64_t vote_bytes(const DataShape& shape, std::size_t dim, const VoteOptions& votes, std::size_t threads) {
  const auto most = static_cast<std::size_t>(std::max(votes.k, kMostChosenTogether));
  const std::uint64_t depth = search_depth(most, static_cast<std::size_t>(votes.candidates), votes.blend, shape.rows);
  const std::uint64_t cosines = votes.label_share != 0 ? 2 * kRowsAtOnce * shape.labels : 0;
  const std::uint64_t kernel = can_vote_together(votes) ? KernelVotes::bytes(most, dim, shape) : 0;
  return threads * (sizeof(float) * (shape.labels + shape.features + kRowsAtOnce * dim + cosines) +
                    sizeof(Scored) * kRowsAtOnce * depth + kernel) +
         choice_bytes(votes, shape);
}

std::uint64_t weight_bytes(const DataShape& shape, const VoteOptions& votes, std::size_t threads) {
  return votes.blend != 0 && votes.weighting != 0 ? feature_weight_bytes(shape, threads) : 0;
}

}  // namespace xylem::neighbours
