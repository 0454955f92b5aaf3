// Calls that break rules, threads, and the C++ header: each wrong call is an error with a message, and a state stays as it was.
#include "bleuprint.hpp"

#include <cstdio>
#include <cstring>
#include <thread>

using bleuprint::Error;
using bleuprint::Metric;
using bleuprint::State;

static int failures = 0;

static void expect(bool holds, const char *what) {
    if (holds) return;
    std::fprintf(stderr, "%s: %s\n", what, bleuprint_last_error());
    failures++;
}

static void refuses(bleuprint_status status, bleuprint_status wanted, const char *words) {
    expect(status == wanted && std::strstr(bleuprint_last_error(), words) != nullptr, words);
}

static void wrong_arguments() {
    bleuprint_metric *metric = nullptr;
    auto make = [&](const char *name, const char *options, std::uint32_t view) {
        metric = reinterpret_cast<bleuprint_metric *>(1);
        return bleuprint_metric_new(name, std::strlen(name), options, std::strlen(options), view, &metric);
    };
    refuses(make("blue", "", 0), BLEUPRINT_STATUS_CONFIG, "did you mean `bleu`?");
    expect(metric == nullptr, "the handle of an error is null");
    refuses(make("bleu:words=2", "", 0), BLEUPRINT_STATUS_CONFIG, "unknown option of bleu `words`");
    refuses(make("bleu", "{\"max_order\":0}", 0), BLEUPRINT_STATUS_CONFIG, "0");
    refuses(make("bleu", "{\"max_order\":null}", 0), BLEUPRINT_STATUS_CONFIG, "max_order is null");
    refuses(make("bleu", "[1]", 0), BLEUPRINT_STATUS_ARGUMENT, "no JSON object");
    refuses(make("bleu", "", 7), BLEUPRINT_STATUS_ARGUMENT, "the view is 7");
    refuses(make("chrf", "", BLEUPRINT_IDS), BLEUPRINT_STATUS_CONFIG, "ids are given");
    refuses(make("bleu", "{\"tokenize\":\"zh\"}", BLEUPRINT_IDS), BLEUPRINT_STATUS_CONFIG, "which need none");
    refuses(make("bleu", "{\"token_space\":\"v\"}", 0), BLEUPRINT_STATUS_CONFIG, "the data are text");
    refuses(bleuprint_metric_new(nullptr, 4, nullptr, 0, 0, &metric), BLEUPRINT_STATUS_ARGUMENT, "null");
    refuses(bleuprint_metric_new("bleu", 4, nullptr, 0, 0, nullptr), BLEUPRINT_STATUS_ARGUMENT, "the output is a null");
    refuses(bleuprint_metric_new("\xff", 1, nullptr, 0, 0, &metric), BLEUPRINT_STATUS_ARGUMENT, "UTF-8");
    refuses(bleuprint_metric_new("bleu", SIZE_MAX, nullptr, 0, 0, &metric), BLEUPRINT_STATUS_ARGUMENT, "memory");
    refuses(bleuprint_state_new(nullptr, nullptr), BLEUPRINT_STATUS_ARGUMENT, "null");
    refuses(bleuprint_state_clear(nullptr), BLEUPRINT_STATUS_ARGUMENT, "the state is a null pointer");
    double score = 0;
    refuses(bleuprint_state_score(nullptr, &score), BLEUPRINT_STATUS_ARGUMENT, "null");
    expect(score != score, "the score of an error is NaN");
    bleuprint_metric_free(nullptr);
    bleuprint_state_free(nullptr);
    bleuprint_bytes_free(nullptr);
    expect(bleuprint_state_segments(nullptr) == 0, "no state has no segments");
}

static void wrong_data() {
    const Metric bleu("bleu");
    State state(bleu);
    state.observe("a b c d", "a b c d");
    const std::string before = state.to_bytes();
    const bleuprint_text good{"a b", 3}, empty{nullptr, 0}, bad{"\xc3(", 2}, missing{nullptr, 5};
    const bleuprint_text pair[] = {good, empty};
    const bleuprint_segment segments[] = {{good, &good, 1, nullptr}, {good, nullptr, 0, nullptr}};
    refuses(bleuprint_state_observe(state.get(), segments, 2), BLEUPRINT_STATUS_INPUT, "segment 2");
    const bleuprint_segment of_bad{bad, &good, 1, nullptr}, of_missing{missing, &good, 1, nullptr};
    refuses(bleuprint_state_observe(state.get(), &of_bad, 1), BLEUPRINT_STATUS_ARGUMENT, "a hypothesis is not UTF-8");
    refuses(bleuprint_state_observe(state.get(), &of_missing, 1), BLEUPRINT_STATUS_ARGUMENT, "null");
    const bleuprint_segment of_empty{good, pair, 2, nullptr};
    refuses(bleuprint_state_observe(state.get(), &of_empty, 1), BLEUPRINT_STATUS_INPUT, "empty reference");
    const auto *odd = reinterpret_cast<const bleuprint_segment *>(reinterpret_cast<const char *>(segments) + 1);
    refuses(bleuprint_state_observe(state.get(), odd, 1), BLEUPRINT_STATUS_ARGUMENT, "not aligned");
    const bleuprint_id_segment ids{{nullptr, 0}, nullptr, 0};
    refuses(bleuprint_state_observe_ids(state.get(), &ids, 1), BLEUPRINT_STATUS_ARGUMENT, "takes text here");
    refuses(bleuprint_state_observe_json(state.get(), "[]", 2), BLEUPRINT_STATUS_ARGUMENT, "takes text here");
    expect(state.to_bytes() == before, "a state stays as it was after errors");

    bleuprint_state *read = nullptr;
    for (std::size_t length = 0; length < before.size(); length += 7)
        expect(bleuprint_state_from_bytes(bleu.get(), before.data(), length, &read) == BLEUPRINT_STATUS_INPUT && !read,
               "cut bytes are refused");
    try {
        State::from_bytes(Metric("chrf"), before);
        expect(false, "bytes of another metric are refused");
    } catch (const Error &error) {
        expect(error.status() == BLEUPRINT_STATUS_INPUT && std::strlen(error.what()) > 0, "bytes of another metric");
    }
    State other{Metric("bleu:max-order=2")};
    refuses(bleuprint_state_merge(state.get(), other.get()), BLEUPRINT_STATUS_INPUT, "order");
    const double once = state.score();
    state.merge(state);
    expect(state.segments() == 2 && state.score() == once, "a state merges with itself");
    state.clear();
    double score = 0;
    refuses(bleuprint_state_score(state.get(), &score), BLEUPRINT_STATUS_INPUT, "empty");
}

// Ids as `uint32_t`, and the same in padded rows of `int64_t`.
static void ids_and_rows() {
    const Metric bleu("bleu", "{\"token_space\":\"v\"}", BLEUPRINT_IDS);
    State whole(bleu), rows(bleu);
    whole.observe_ids({5, 6, 7, 8, 9}, {5, 6, 7, 8});
    whole.observe_ids({1, 2, 3, 4}, {1, 2, 3, 4});
    const std::int64_t hypotheses[] = {5, 6, 7, 8, 9, -1, -1, 1, 2, 3, 4, -1}, wrong[] = {5, -2};
    const std::int64_t references[] = {5, 6, 7, 8, 1, 2, 3, 4};
    const bleuprint_rows given{hypotheses, 2, 6, -1}, gold{references, 2, 4, -1}, bad{wrong, 1, 2, -1}, none{nullptr, 0, 0, 0};
    expect(bleuprint_state_observe_rows(rows.get(), &given, &gold, 1) == BLEUPRINT_STATUS_OK, "rows");
    expect(rows.to_bytes() == whole.to_bytes(), "rows and ids have equal states");
    refuses(bleuprint_state_observe_rows(rows.get(), &given, &gold, 2), BLEUPRINT_STATUS_ARGUMENT, "4 rows of references");
    refuses(bleuprint_state_observe_rows(rows.get(), &bad, &none, 0), BLEUPRINT_STATUS_INPUT, "an id is -2");
    expect(bleuprint_state_observe_rows(rows.get(), &none, &none, 0) == BLEUPRINT_STATUS_OK, "no rows");
    expect(rows.to_bytes() == whole.to_bytes(), "no rows change nothing");
}

// Numbers of other programs and vectors of a model travel as JSON.
static void numbers_and_vectors() {
    State numbers{Metric("given:name=judge,scale=0..1")};
    numbers.observe_json("[{\"hypothesis\":0.5},{\"hypothesis\":{\"judge\":1}}]");
    expect(numbers.score() == 0.75, "the mean of numbers");
    const std::string before = numbers.to_bytes();
    auto wrong = [&](const char *json, const char *words) {
        refuses(bleuprint_state_observe_json(numbers.get(), json, std::strlen(json)), BLEUPRINT_STATUS_INPUT, words);
    };
    wrong("[{\"hypothesis\":1},{\"hypothesis\":null}]", "segment 2");
    wrong("[{\"hypothesis\":{\"other\":1}}]", "the key `other`; expected one of: judge");
    wrong("[{\"hypothesis\":1,\"references\":[1]}]", "a hypothesis alone");
    wrong("[{\"hypothesis\":[1]}]", "no number");
    expect(numbers.to_bytes() == before, "a state of numbers stays as it was after errors");
    State quotient{Metric("given:name=errors,over=words")};
    quotient.observe_json("[{\"hypothesis\":{\"errors\":1,\"words\":4}},{\"hypothesis\":{\"errors\":1,\"words\":0}}]");
    expect(quotient.score() == 0.5, "a quotient of sums");
    const Metric cosine("cosine");
    State vectors(cosine);
    vectors.observe_json("[{\"hypothesis\":[[1,0]],\"references\":[{\"vectors\":[[2,0]],\"weights\":[1]}]}]");
    expect(State::from_bytes(cosine, vectors.to_bytes()).score() == vectors.score(), "vectors");
}

static void threads_share_a_metric() {
    const Metric chrf("chrf");
    std::vector<State> parts;
    for (int part = 0; part < 4; part++) parts.emplace_back(chrf);
    std::vector<std::thread> threads;
    for (State &part : parts)
        threads.emplace_back([&part] {
            for (int at = 0; at < 100; at++) part.observe("the cat sat " + std::to_string(at % 7), "the cat sat 3");
            bleuprint_metric *none = nullptr;
            bleuprint_metric_new("x", 1, nullptr, 0, 0, &none);
        });
    for (std::thread &thread : threads) thread.join();
    State total(chrf), alone(chrf);
    for (const State &part : parts) total.merge(part);
    for (int at = 0; at < 400; at++) alone.observe("the cat sat " + std::to_string(at % 100 % 7), "the cat sat 3");
    expect(total.to_bytes() == alone.to_bytes(), "threads have the state of one thread");
}

static std::string asked(bleuprint_status (*call)(const char *, std::size_t, bleuprint_bytes *), const char *request) {
    return bleuprint::detail::written(
        [&](bleuprint_bytes *out) { return call(request, std::strlen(request), out); });
}

static void json_requests() {
    const std::string compared = asked(
        bleuprint_compare,
        "{\"metrics\":[\"bleu\",\"chrf\"],\"systems\":[{\"name\":\"a\",\"hypotheses\":[\"a b c d\",\"e f g h\"]},"
        "{\"name\":\"b\",\"hypotheses\":[\"a b c x\",\"e f g y\"]}],\"references\":[[\"a b c d\"],[\"e f g h\"]],"
        "\"resamples\":50}");
    expect(compared.find("\"p_value\"") != std::string::npos && compared.find("\"intervals\"") != std::string::npos, "compare");
    const std::string explained = asked(
        bleuprint_explain, "{\"hypotheses\":[\"the cat\"],\"references\":[[\"the cat\"]],\"target\":\"100.0\"}");
    expect(explained.find("\"fits\":") != std::string::npos, "explain");
    bleuprint_bytes out{};
    refuses(bleuprint_compare("{}", 2, &out), BLEUPRINT_STATUS_ARGUMENT, "metrics");
    expect(out.data == nullptr && out.length == 0, "the output of an error is empty");
    refuses(bleuprint_explain("{\"x\":1}", 7, &out), BLEUPRINT_STATUS_ARGUMENT, "unknown field `x`");
    const std::string registry = bleuprint::detail::written(bleuprint_registry);
    expect(registry.find("\"tokenizers\"") != std::string::npos, "the registry");
}

int main() {
    expect(std::strlen(bleuprint_version()) >= 5 && *bleuprint_last_error() == '\0', "version");
    wrong_arguments();
    wrong_data();
    ids_and_rows();
    numbers_and_vectors();
    threads_share_a_metric();
    json_requests();
    std::printf("  wrong calls, threads and the C++ header: %d failures\n", failures);
    return failures != 0;
}
