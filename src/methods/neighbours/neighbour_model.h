// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "methods/neighbours/label_cosines.h"
#include "methods/neighbours/stored_rows.h"
#include "methods/neighbours/team.h"
#include "model_file/reader.h"
#include "model_file/saved_options.h"
#include "xylem/model.h"

namespace xylem::neighbours {

class KernelVotes;
struct NeighbourScratchSpace;
struct Voter;

// A model whose nearest training rows vote, as encoders see them. All its arrays are named prefix + something.
class NeighbourModel : public Model {
 public:
  struct Parts {
    std::vector<Member> members;
    bool shares_label_vectors;
    std::vector<Array<float>> label_vectors;  // labels × dim, of each member, or one for all where these share it
    StoredRows rows;                          // which the indexes find
  };
  NeighbourModel(std::string prefix, Parts parts, const ModelShape& shape, const VoteOptions& votes);

  void predict(const RowBlock& block, std::size_t k, Scratch& scratch, TopLabels& out) const override;
  Explanation explain(const RowBlock& row, Label label, Scratch& scratch) const override;
  LabelVectors label_vectors() const override { return label_vectors(0); }
  void save(ModelWriter& out) const override;

  const Parts& parts() const { return parts_; }

  // How a member's encoder is called in the file.
  static std::string member_prefix(const std::string& prefix, std::size_t number) {
    return prefix + std::to_string(number) + ".";
  }

 protected:
  const std::string& prefix() const { return prefix_; }

 private:
  LabelVectors label_vectors(std::size_t member) const;
  void find_neighbours(SparseRows rows, NeighbourScratchSpace& buffers) const;
  // Appends a member's voters, which its index has found, with their votes.
  void add_voters(std::span<const Scored> voters, const NeighbourIndex& index, KernelVotes& kernel,
                  std::vector<Voter>& out) const;
  void look_at_features(SparseRow query, TopK& candidates, NeighbourScratchSpace& buffers) const;

  std::string prefix_;
  Parts parts_;
  ModelShape shape_;
  VoteOptions votes_;
  std::vector<LabelSpace> label_spaces_;  // of each member, where the score has a share of them
};

// With all the options of its method, which derives its own model from it.
template <class Options>
class NeighbourModelOf : public NeighbourModel {
 public:
  NeighbourModelOf(std::string prefix, Parts parts, const ModelShape& shape, const Options& options)
      : NeighbourModel(std::move(prefix), std::move(parts), shape, options.votes), options_(options) {}

  void save(ModelWriter& out) const override {
    save_options(out, prefix(), options_);
    NeighbourModel::save(out);
  }
  const Options& options() const { return options_; }

 private:
  Options options_;
};

// The model of a team that has learned from these rows of the data.
template <class ModelType, class Options>
Trained finish_training(const std::string& prefix, Team team, const Dataset& data, std::span<const std::uint32_t> rows,
                        Options options) {
  options.team = team.options;
  options.votes = team.votes;
  NeighbourModel::Parts parts{std::move(team.members), team.shares_label_vectors, std::move(team.label_vectors),
                              StoredRows::of(data, rows, std::move(team.metric))};
  const ModelShape shape{data.features.n_columns, data.n_labels};
  return {std::make_unique<ModelType>(prefix, std::move(parts), shape, options), std::move(team.chosen),
          team.interrupted};
}

// Reads the encoder that is saved under a prefix.
using LoadEncoder = std::function<std::unique_ptr<Encoder>(const std::string& prefix)>;

// What a model is made of.
NeighbourModel::Parts load_parts(const ModelReader& in, const std::string& prefix, const ModelShape& shape,
                                 const TeamOptions& team, const VoteOptions& votes, bool shares_label_vectors,
                                 const LoadEncoder& load_encoder);

// Bytes of a model beside its encoders.
std::uint64_t neighbour_bytes(const DataShape& shape, std::size_t dim, const TeamOptions& team,
                              const VoteOptions& votes, bool shares_label_vectors);
// Bytes that choosing and predicting need beside a model.
std::uint64_t vote_bytes(const DataShape& shape, std::size_t dim, const VoteOptions& votes, std::size_t threads);
// Bytes that are needed before any encoder learns, for the features' weights.
std::uint64_t weight_bytes(const DataShape& shape, const VoteOptions& votes, std::size_t threads);

}  // namespace xylem::neighbours
