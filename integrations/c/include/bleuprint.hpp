// bleuprint for C++17: classes that free their handles, and exceptions for errors. This header needs only bleuprint.h.
#ifndef BLEUPRINT_HPP
#define BLEUPRINT_HPP

#include "bleuprint.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bleuprint {

// The exception for a call that failed, with its status and the message of the library.
class Error : public std::runtime_error {
public:
    explicit Error(bleuprint_status status) : std::runtime_error(bleuprint_last_error()), status_(status) {}
    bleuprint_status status() const noexcept { return status_; }
private:
    bleuprint_status status_;
};

namespace detail {
inline void check(bleuprint_status status) {
    if (status != BLEUPRINT_STATUS_OK) throw Error(status);
}

inline bleuprint_text text_of(std::string_view text) { return {text.data(), text.size()}; }

// Calls a function that writes bytes, and returns a copy of them.
template <class Call> std::string written(Call call) {
    bleuprint_bytes bytes{};
    check(call(&bytes));
    const std::unique_ptr<bleuprint_bytes, void (*)(bleuprint_bytes *)> guard(&bytes, bleuprint_bytes_free);
    return std::string(bytes.data, bytes.length);
}
} // namespace detail

// A segment of text: one hypothesis with its references.
struct Segment {
    std::string_view hypothesis;
    std::vector<std::string_view> references;
};

class State;

// A metric. It is created by its name with options, such as `bleu:max-order=2`, and by further options in a JSON object
// (`options`). Copies of a Metric share one handle, which all threads can use.
class Metric {
public:
    explicit Metric(std::string_view name, std::string_view options = {}, std::uint32_t view = BLEUPRINT_TEXT) {
        bleuprint_metric *made = nullptr;
        detail::check(bleuprint_metric_new(name.data(), name.size(), options.data(), options.size(), view, &made));
        handle_.reset(made, bleuprint_metric_free);
    }

    // Returns a description of the metric as a JSON object.
    std::string describe() const {
        return detail::written([&](bleuprint_bytes *out) { return bleuprint_metric_describe(get(), out); });
    }
    // Returns this metric with the default options for scoring single sentences, such as smoothing.
    Metric for_sentences() const { return derived(bleuprint_metric_for_sentences); }
    // Returns the metric for the first pass over the data, in which this metric learns weights. Its state goes to `second_pass`.
    Metric first_pass() const { return derived(bleuprint_metric_first_pass); }
    Metric second_pass(const State &learned) const;
    const bleuprint_metric *get() const noexcept { return handle_.get(); }
private:
    explicit Metric(bleuprint_metric *made) : handle_(made, bleuprint_metric_free) {}
    Metric derived(bleuprint_status (*call)(const bleuprint_metric *, bleuprint_metric **)) const {
        bleuprint_metric *made = nullptr;
        detail::check(call(get(), &made));
        return Metric(made);
    }
    std::shared_ptr<bleuprint_metric> handle_;
};

// The statistics of a metric over the observed segments. Only one thread at a time may use a state.
class State {
public:
    explicit State(const Metric &metric) {
        bleuprint_state *made = nullptr;
        detail::check(bleuprint_state_new(metric.get(), &made));
        handle_.reset(made);
    }
    // Creates a state from the bytes of `to_bytes`, or from a state that another interface of bleuprint wrote.
    static State from_bytes(const Metric &metric, std::string_view bytes) {
        bleuprint_state *made = nullptr;
        detail::check(bleuprint_state_from_bytes(metric.get(), bytes.data(), bytes.size(), &made));
        return State(made);
    }

    void observe(const std::vector<Segment> &segments) {
        std::vector<std::vector<bleuprint_text>> references;
        std::vector<bleuprint_segment> all;
        references.reserve(segments.size());
        for (const Segment &segment : segments) {
            auto &own = references.emplace_back();
            for (std::string_view reference : segment.references) own.push_back(detail::text_of(reference));
            all.push_back({detail::text_of(segment.hypothesis), own.data(), own.size(), nullptr});
        }
        detail::check(bleuprint_state_observe(get(), all.data(), all.size()));
    }
    void observe(std::string_view hypothesis, std::string_view reference) {
        const bleuprint_text own = detail::text_of(reference);
        const bleuprint_segment segment{detail::text_of(hypothesis), &own, 1, nullptr};
        detail::check(bleuprint_state_observe(get(), &segment, 1));
    }
    void observe_ids(const std::vector<std::uint32_t> &hypothesis, const std::vector<std::uint32_t> &reference) {
        const bleuprint_ids own{reference.data(), reference.size()};
        const bleuprint_id_segment segment{{hypothesis.data(), hypothesis.size()}, &own, 1};
        detail::check(bleuprint_state_observe_ids(get(), &segment, 1));
    }
    // Observes data that is neither text nor ids: a JSON list of segments.
    void observe_json(std::string_view json) {
        detail::check(bleuprint_state_observe_json(get(), json.data(), json.size()));
    }
    void merge(const State &other) { detail::check(bleuprint_state_merge(get(), other.get())); }
    void clear() { detail::check(bleuprint_state_clear(get())); }
    std::uint64_t segments() const noexcept { return bleuprint_state_segments(get()); }
    double score() const {
        double score = 0;
        detail::check(bleuprint_state_score(get(), &score));
        return score;
    }
    // Returns the score, the numbers that make it up and the signature as a JSON object.
    std::string score_json() const {
        return detail::written([&](bleuprint_bytes *out) { return bleuprint_state_score_json(get(), out); });
    }
    std::string to_bytes() const {
        return detail::written([&](bleuprint_bytes *out) { return bleuprint_state_to_bytes(get(), out); });
    }
    bleuprint_state *get() const noexcept { return handle_.get(); }
private:
    struct Free {
        void operator()(bleuprint_state *state) const noexcept { bleuprint_state_free(state); }
    };
    explicit State(bleuprint_state *made) : handle_(made) {}
    std::unique_ptr<bleuprint_state, Free> handle_;
};

inline Metric Metric::second_pass(const State &learned) const {
    bleuprint_metric *made = nullptr;
    detail::check(bleuprint_metric_second_pass(get(), learned.get(), &made));
    return Metric(made);
}

} // namespace bleuprint

#endif
