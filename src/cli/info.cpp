// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/streams.h"
#include "core/fail.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "model_file/reader.h"
#include "xylem/tagger.h"

namespace xylem::cli {
namespace {

struct InfoArguments {
  std::string model;
  bool verify = false;
  bool json = false;
};

// Fit for a terminal: what a file holds may be meant to steer it.
std::string plain(const std::string& text) {
  const std::string escaped = nlohmann::json(text).dump(-1, ' ', true);
  return escaped.substr(1, escaped.size() - 2);
}

// The card is flat: Tagger::load has seen to it.
std::string card_text(const nlohmann::json& card, const std::string& indent) {
  std::string text;
  for (const auto& [key, value] : card.items()) {
    const std::string name = plain(key);
    if (value.is_object()) {
      text += fmt::format("{}{}\n{}", indent, name, card_text(value, indent + "  "));
    } else if (value.is_number_float()) {
      text += fmt::format("{}{:<12} {:.2f}\n", indent, name, value.get<double>());
    } else {
      text += fmt::format("{}{:<12} {}\n", indent, name,
                          value.is_string() ? plain(value.get<std::string>()) : value.dump(-1, ' ', true));
    }
  }
  return text;
}

nlohmann::ordered_json info_json(const ModelReader& file, const Tagger& tagger, const nlohmann::json& card) {
  nlohmann::ordered_json arrays = nlohmann::ordered_json::array();
  for (const ArrayInfo& array : file.arrays()) {
    arrays.push_back(
        {{"name", array.name}, {"dtype", dtype_name(array.dtype)}, {"shape", array.shape}, {"bytes", array.bytes}});
  }
  return {{"model", file.path()},
          {"bytes", file.file_size()},
          {"method", file.text("method")},
          {"input", tagger.takes_texts() ? "texts" : "rows"},
          {"features", tagger.n_features()},
          {"labels", tagger.n_labels()},
          {"label_names", tagger.has_label_names()},
          {"label_ids", tagger.label_ids().size() > 0},
          {"format_version", file.text("format_version")},
          {"checksum", file.text("checksum")},
          {"card", card},
          {"arrays", arrays}};
}

std::string info_text(const ModelReader& file, const Tagger& tagger, nlohmann::json card) {
  card.erase("probes");  // for programs
  std::string text =
      fmt::format("{}: {}, method {}, format {}, checksum {}\n", file.path(), format_bytes(file.file_size()),
                  file.text("method"), file.text("format_version"), file.text("checksum"));
  text += fmt::format("takes {}; {} features, {} labels with {}\n\n", tagger.takes_texts() ? "texts" : "sparse rows",
                      tagger.n_features(), tagger.n_labels(), tagger.has_label_names() ? "names" : "numbers only");
  text += card_text(card, "");
  text += fmt::format("\n{:<28}{:<6}{:>20}{:>12}\n", "array", "type", "shape", "size");
  for (const ArrayInfo& array : file.arrays()) {
    text += fmt::format("{:<28}{:<6}{:>20}{:>12}\n", array.name, dtype_name(array.dtype),
                        fmt::format("{}", fmt::join(array.shape, " x ")), format_bytes(array.bytes));
  }
  return text;
}

nlohmann::ordered_json probes_json(const std::optional<ProbeOutcome>& probes) {
  if (!probes) return nullptr;
  nlohmann::ordered_json result = {{"rows", probes->rows}, {"equal", probes->equal}, {"difference", nullptr}};
  if (std::isfinite(probes->difference)) result["difference"] = probes->difference;
  return result;
}

std::string probes_text(const std::optional<ProbeOutcome>& probes) {
  if (!probes) return "it has no probe rows, as models of older versions";
  return fmt::format("its {} probe rows are predicted as when it was written", probes->rows);
}

// Says nothing if the probe rows are predicted as they were.
void check_probes(const std::string& path, const std::optional<ProbeOutcome>& probes) {
  if (!probes || probes->equal) return;
  const bool same_labels = std::isfinite(probes->difference);
  fail(ErrorKind::kModel,
       "{}: its probe rows get {} in the file; another compiler or processor may be the reason, or a fault", path,
       same_labels ? fmt::format("scores that differ by up to {:.2g} from those", probes->difference)
                   : "other labels than those");
}

std::optional<ProbeOutcome> verify_probes(const Tagger& tagger, const std::string& path) try {
  return tagger.verify_probes();
} catch (const Error& error) {
  if (error.kind() != ErrorKind::kModel) throw;
  fail(ErrorKind::kModel, "{}: {}", path, error.what());
}

int run_info(const InfoArguments& arguments) {
  require(arguments.model, "-m MODEL");
  Stopwatch stopwatch;
  const Tagger tagger = Tagger::load(arguments.model);  // checks the content of every array
  const double seconds = stopwatch.lap().wall_seconds;
  const ModelReader file(arguments.model);
  const double gigabytes_a_second = static_cast<double>(file.file_size()) / 1e9 / std::max(seconds, 1e-9);
  const auto probes = arguments.verify ? verify_probes(tagger, arguments.model) : std::nullopt;
  if (arguments.verify && arguments.json) {
    const nlohmann::ordered_json result = {{"model", arguments.model},
                                           {"bytes", file.file_size()},
                                           {"seconds", seconds},
                                           {"gigabytes_a_second", gigabytes_a_second},
                                           {"probes", probes_json(probes)}};
    print_result(result.dump(2) + "\n");
    check_probes(arguments.model, probes);
    return 0;
  }
  if (arguments.verify) {
    check_probes(arguments.model, probes);
    print_result(fmt::format("{}: all checks passed, {} in {:.3f} s, {:.2f} GB/s; {}\n", arguments.model,
                             format_bytes(file.file_size()), seconds, gigabytes_a_second, probes_text(probes)));
    return 0;
  }
  const nlohmann::json card = nlohmann::json::parse(file.text("card"));  // as it stands there
  print_result(arguments.json ? info_json(file, tagger, card).dump(2) + "\n" : info_text(file, tagger, card));
  return 0;
}

}  // namespace

Runner define_info(CLI::App& app) {
  auto arguments = std::make_shared<InfoArguments>();
  app.add_option("-m,--model,model", arguments->model, "model file");
  app.add_flag("--verify", arguments->verify,
               "only say whether the file passes every check, and predicts its probe rows as before");
  app.add_flag("--json", arguments->json, "as JSON");
  app.footer("Example:\n  xylem info tags.xylem");
  return [arguments] { return run_info(*arguments); };
}

}  // namespace xylem::cli
