// SPDX-License-Identifier: Apache-2.0
// Finds the verb, runs it, and turns what went wrong into one sentence and an exit code.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/last_words.h"
#include "cli/parse_errors.h"
#include "cli/streams.h"
#include "core/fail.h"
#include "core/text.h"
#include "xylem/version.h"

namespace xylem::cli {
namespace {

struct Verb {
  const char* name;
  const char* summary;
  Runner (*define)(CLI::App&);
};
constexpr Verb kVerbs[] = {
    {"train", "learn from a data file and write a model", define_train},
    {"learn", "add rows and labels to a model without retraining", define_learn},
    {"predict", "the best labels of every row", define_predict},
    {"eval", "how good a model or a prediction file is", define_eval},
    {"explain", "why a row gets a label", define_explain},
    {"doctor", "what is wrong with data, and what training would cost", define_doctor},
    {"info", "what a model file holds", define_info},
    {"labels", "the labels of a model, and those near to one", define_labels},
    {"convert", "a data file in another format", define_convert},
    {"methods", "the methods and their options", define_methods},
};

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// What CLI11 could not place: a misspelt verb or option, or a word too many.
void check_no_extras(const CLI::App& app, const CLI::App* verb) {
  std::vector<std::string> extras = app.remaining(true);
  if (extras.empty()) return;
  const std::string see_help = fmt::format("; see `xylem {}--help`", verb != nullptr ? verb->get_name() + " " : "");
  const bool is_command = verb == nullptr && !extras[0].starts_with('-');
  const auto option = std::ranges::find_if(extras, [](const std::string& word) { return word.starts_with('-'); });
  if (option != extras.end() && !is_command) {
    const std::string name = option->substr(0, option->find('='));
    const std::string hint = nearest_name_hint(name, option_names(verb != nullptr ? *verb : app));
    fail(ErrorKind::kUsage, "unknown option {}{}", quote(name), hint.empty() ? see_help : hint);
  }
  if (verb != nullptr) fail(ErrorKind::kUsage, "unexpected {}{}", quote(extras[0]), see_help);
  std::vector<std::string> names;
  for (const Verb& known : kVerbs) names.emplace_back(known.name);
  const std::string hint = nearest_name_hint(extras[0], names);
  fail(ErrorKind::kUsage, "unknown command {}{}", quote(extras[0]), hint.empty() ? see_help : hint);
}

// CLI11 takes whatever follows an option as its value.
void check_no_option_as_value(const CLI::App& verb) {
  const std::vector<std::string> names = option_names(verb);
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& value : option->results()) {
      if (std::ranges::find(names, value) == names.end()) continue;
      fail(ErrorKind::kUsage, "{} needs a value, found the option {}", option->get_name(), value);
    }
  }
}

// If memory runs out for a moment, CLI11's streams give a shorter text and say nothing.
template <class Make>
std::string made_twice(const Make& make) {
  std::string text = make();
  if (make() != text) throw std::bad_alloc();
  return text;
}

int run_command(int argc, char** argv) {
  CLI::App app("Xylem tags texts and sparse vectors with the right few labels out of thousands or millions.", "xylem");
  app.set_version_flag("--version", fmt::format("xylem {}", kVersion));
  app.footer(
      "Example:\n  xylem train -i train.txt -m tags.xylem && xylem eval -m tags.xylem -i test.txt\n\n"
      "Exit codes: 0 ok, 1 other, 2 usage, 3 data, 4 model, 5 input or output, 6 memory, 7 gate not met, 130 "
      "interrupted, 141 nobody reads the output any more.");
  app.allow_extras();
  std::vector<Runner> runners;
  std::vector<CLI::App*> verbs;
  for (const Verb& verb : kVerbs) {
    verbs.push_back(app.add_subcommand(verb.name, verb.summary));
    verbs.back()->allow_extras();
    runners.push_back(verb.define(*verbs.back()));
  }
  const auto parsed_verb = [&] {
    return std::ranges::find_if(verbs, [](const CLI::App* verb) { return verb->parsed(); });
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      print_result(made_twice([&] {
        std::ostringstream text;
        app.exit(error, text);
        return text.str();
      }));
      return 0;
    }
    const auto failed = parsed_verb();
    fail(ErrorKind::kUsage, "{}", parse_error_text(error, failed == verbs.end() ? app : **failed));
  }
  const auto parsed = parsed_verb();
  check_no_extras(app, parsed == verbs.end() ? nullptr : *parsed);
  if (parsed == verbs.end()) {
    print_remark(made_twice([&] { return app.help(); }));
    return static_cast<int>(ErrorKind::kUsage);
  }
  check_no_option_as_value(**parsed);
  return runners[static_cast<std::size_t>(parsed - verbs.begin())]();
}

int report(const std::string& message, ErrorKind kind) {
  print_remark(fmt::format("xylem: {}\n", message));
  return static_cast<int>(kind);
}

}  // namespace
}  // namespace xylem::cli

int main(int argc, char** argv) {
  using namespace xylem;
  try {
    cli::prepare_standard_streams();
    return cli::run_command(argc, argv);
  } catch (const Error& error) {
    // Whoever reads our output has seen enough; other programs are silent then, too.
    if (error.kind() == ErrorKind::kIo && cli::reader_has_gone()) return 128 + SIGPIPE;
    return cli::report(error.what(), error.kind());
  } catch (const std::bad_alloc&) {
    cli::exit_without_memory();
  } catch (const std::exception& error) {
    return cli::report(error.what(), ErrorKind::kOther);
  }
}
