/* bleuprint: metrics for generated text, exact and mergeable.
 *
 * A call that can fail returns a status; bleuprint_last_error() then has the message, and the outputs are null or empty. After an
 * error a state is unchanged. The library frees what it has allocated: every handle and every bleuprint_bytes has its function. It
 * keeps no pointer of the caller after a call. See docs/c.md.
 */

#ifndef BLEUPRINT_H
#define BLEUPRINT_H

/* Made from integrations/c/src by `cargo xtask c --header`: do not edit. */

#include <stddef.h>
#include <stdint.h>

// View of a metric: it takes text, or data of its own, such as turns of speakers.
#define BLEUPRINT_TEXT 0

// View of a metric: it takes token ids.
#define BLEUPRINT_IDS 1

// Result of a call.
typedef enum bleuprint_status {
  // The call succeeded.
  BLEUPRINT_STATUS_OK = 0,
  // A name, an option or a file of a metric is wrong.
  BLEUPRINT_STATUS_CONFIG = 1,
  // The data is wrong, or has no score.
  BLEUPRINT_STATUS_INPUT = 2,
  // An argument breaks the rules of the function: a null pointer, text that is not UTF-8, wrong JSON.
  BLEUPRINT_STATUS_ARGUMENT = 3,
  // A fault of the library: please report it. The state of the call is unusable.
  BLEUPRINT_STATUS_PANIC = 4,
  // This build of the library lacks the metric; the message names the feature of the build that has it.
  BLEUPRINT_STATUS_MISSING = 5,
} bleuprint_status;

// A metric with its options and its tokens. It never changes.
typedef struct bleuprint_metric bleuprint_metric;

// Statistics of a metric over all segments that it has observed.
typedef struct bleuprint_state bleuprint_state;

// Bytes that the library has allocated. A zero byte, which the length does not count, follows them, so that
// text can be read as a string. [`bleuprint_bytes_free`] frees them.
typedef struct bleuprint_bytes {
  // First byte; null if the call failed or the bytes are freed.
  char *data;
  // Number of bytes.
  size_t length;
} bleuprint_bytes;

// Text in UTF-8 with its length in bytes. It needs no zero byte at its end.
typedef struct bleuprint_text {
  // First byte; may be null if the length is 0.
  const char *data;
  // Number of bytes.
  size_t length;
} bleuprint_text;

// A segment of text: one hypothesis with its references, and its source if the metric needs one.
typedef struct bleuprint_segment {
  // Output of the system.
  struct bleuprint_text hypothesis;
  // First reference; may be null if there is none.
  const struct bleuprint_text *references;
  // Number of references.
  size_t reference_count;
  // Source, or null if there is none.
  const struct bleuprint_text *source;
} bleuprint_segment;

// Sequence of token ids.
typedef struct bleuprint_ids {
  // First id; may be null if the length is 0.
  const uint32_t *data;
  // Number of ids.
  size_t length;
} bleuprint_ids;

// A segment of token ids: one hypothesis with its references.
typedef struct bleuprint_id_segment {
  // Output of the system.
  struct bleuprint_ids hypothesis;
  // First reference; may be null if there is none.
  const struct bleuprint_ids *references;
  // Number of references.
  size_t reference_count;
} bleuprint_id_segment;

// Token ids in rows of one length, as tensors have them. Padding at either end of a row does not count.
typedef struct bleuprint_rows {
  // First id of the first row; may be null if there are no rows.
  const int64_t *data;
  // Number of rows.
  size_t rows;
  // Number of ids in a row, padding included.
  size_t width;
  // Id that fills short rows at either end; within a row it counts as any other id.
  int64_t padding;
} bleuprint_rows;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the message of the last call that failed in this thread, as text that ends with a zero byte.
//
// The text is valid until the next call that fails in this thread. It is empty if no call has failed.
// Threads: each thread has its own message.
const char *bleuprint_last_error(void);

// Returns the version of the library as text that ends with a zero byte, such as `0.1.0`. The text lives as
// long as the program.
//
// Threads: any thread at any time.
const char *bleuprint_version(void);

// Compares systems on the same segments. `request` is a JSON object with `metrics`, `systems` (a list of
// objects with `name` and `hypotheses`), `references` (a list for each segment), `sources`, `labels`,
// `tokenize`, `lowercase`, `norm`, `empty_references`, `test`, `resamples`, `seed`, `significance`, `unit`,
// `by`, `correction` and `most`. The answer is a list with a comparison for each metric: scores, pairs with
// differences, intervals and p-values, and ranks; with `resamples` also the interval of each score.
//
// Threads: any thread at any time.
//
// # Safety
// The text has its length; `out` is memory for an output.
enum bleuprint_status bleuprint_compare(const char *request, size_t length, struct bleuprint_bytes *out);

// Computes the BLEU of a corpus under every dialect and setting. `request` is a JSON object with `hypotheses`,
// `references` (a list for each segment), `tokenizers` and `target`, the reported number as a text. The
// answer has the number of settings that fit the target, and all settings, the nearest first.
//
// Threads: any thread at any time.
//
// # Safety
// The text has its length; `out` is memory for an output.
enum bleuprint_status bleuprint_explain(const char *request, size_t length, struct bleuprint_bytes *out);

// Creates a metric by its name with options, such as `bleu:max-order=2`. `options` are further options as a
// JSON object, or an empty text: those of the metric, and `tokenize`, `lowercase`, `norm`,
// `tokenizer-model`, `dictionary`, `token-space` (of ids) and `empty-references` (`error`, `missing` or
// `keep`). `view` is `BLEUPRINT_TEXT` or `BLEUPRINT_IDS`. You must free the metric with
// [`bleuprint_metric_free`]; its states may live longer.
//
// Threads: any thread at any time. All threads can use one metric at the same time.
//
// # Safety
// The texts have their lengths; `out` is memory for a handle.
enum bleuprint_status bleuprint_metric_new(const char *name,
                                           size_t name_length,
                                           const char *options,
                                           size_t options_length,
                                           uint32_t view,
                                           struct bleuprint_metric **out);

// Frees a metric. It does nothing with a null pointer.
//
// Threads: any thread, after all calls with this metric have returned.
//
// # Safety
// `metric` is null, or a metric that is not freed.
void bleuprint_metric_free(struct bleuprint_metric *metric);

// Describes a metric as a JSON object: `name`, `state_key`, `signature`, `higher_is_better`, `min`, `max`,
// `needs_references`, `needs_sources`, `one_reference`, `two_passes`, `view`, `form`, `columns`, and
// `warnings` about the texts since the last call.
//
// Threads: any thread at any time.
//
// # Safety
// `metric` is a metric; `out` is memory for an output.
enum bleuprint_status bleuprint_metric_describe(const struct bleuprint_metric *metric, struct bleuprint_bytes *out);

// Creates the same metric with the defaults for single sentences, such as smoothing. What the metric has
// learned stays.
//
// Threads: any thread at any time.
//
// # Safety
// `metric` is a metric; `out` is memory for a handle.
enum bleuprint_status bleuprint_metric_for_sentences(const struct bleuprint_metric *metric,
                                                     struct bleuprint_metric **out);

// Creates the metric that learns for a metric of two passes (`two_passes` in its description). Its state over
// the data goes into [`bleuprint_metric_second_pass`].
//
// Threads: any thread at any time.
//
// # Safety
// `metric` is a metric; `out` is memory for a handle.
enum bleuprint_status bleuprint_metric_first_pass(const struct bleuprint_metric *metric, struct bleuprint_metric **out);

// Creates the metric that scores with what the state `learned` of its first pass has learned.
//
// Threads: any thread; no other call may change `learned` meanwhile.
//
// # Safety
// `metric` is a metric and `learned` a state; `out` is memory for a handle.
enum bleuprint_status bleuprint_metric_second_pass(const struct bleuprint_metric *metric,
                                                   const struct bleuprint_state *learned,
                                                   struct bleuprint_metric **out);

// Frees the bytes of an output, and makes it empty. It does nothing if the output is null or empty.
//
// Threads: any thread, but not two threads for one output.
//
// # Safety
// `bytes` is null, or an output of this library that the caller has not changed.
void bleuprint_bytes_free(struct bleuprint_bytes *bytes);

// Writes the metrics with their options, the tokenizers and the normalizers of this build as a JSON object.
//
// Threads: any thread at any time.
//
// # Safety
// `out` is memory for an output.
enum bleuprint_status bleuprint_registry(struct bleuprint_bytes *out);

// Creates a state of a metric, which has observed nothing. You must free it with [`bleuprint_state_free`].
//
// Threads: any thread at any time. A state may move between threads, but only one call may use it at a
// time; give each thread its own state and merge them.
//
// # Safety
// `metric` is a metric; `out` is memory for a handle.
enum bleuprint_status bleuprint_state_new(const struct bleuprint_metric *metric, struct bleuprint_state **out);

// Frees a state. It does nothing with a null pointer.
//
// Threads: any thread, after all calls with this state have returned.
//
// # Safety
// `state` is null, or a state that is not freed.
void bleuprint_state_free(struct bleuprint_state *state);

// Makes a state empty again. It keeps its memory, so the next segments need fewer allocations.
//
// Threads: one call at a time for a state.
//
// # Safety
// `state` is a state.
enum bleuprint_status bleuprint_state_clear(struct bleuprint_state *state);

// Observes segments of text: all of them, or none if there is an error.
//
// Threads: one call at a time for a state.
//
// # Safety
// `state` is a state; `segments` has `count` segments, whose pointers and lengths are right.
enum bleuprint_status bleuprint_state_observe(struct bleuprint_state *state,
                                              const struct bleuprint_segment *segments,
                                              size_t count);

// Observes segments of token ids: all of them, or none if there is an error.
//
// Threads: one call at a time for a state.
//
// # Safety
// `state` is a state; `segments` has `count` segments, whose pointers and lengths are right.
enum bleuprint_status bleuprint_state_observe_ids(struct bleuprint_state *state,
                                                  const struct bleuprint_id_segment *segments,
                                                  size_t count);

// Observes a batch of padded token ids: each row of `hypotheses` with the next `references_each` rows of
// `references`. It observes all rows, or none if there is an error.
//
// Threads: one call at a time for a state.
//
// # Safety
// `state` is a state; the rows have the ids that their numbers say.
enum bleuprint_status bleuprint_state_observe_rows(struct bleuprint_state *state,
                                                   const struct bleuprint_rows *hypotheses,
                                                   const struct bleuprint_rows *references,
                                                   size_t references_each);

// Observes segments of a metric with data of its own, as a JSON list of objects with `hypothesis`,
// `references` (a list) and `source`. It observes all segments, or none if there is an error.
//
// Threads: one call at a time for a state.
//
// # Safety
// `state` is a state; the text has its length.
enum bleuprint_status bleuprint_state_observe_json(struct bleuprint_state *state, const char *json, size_t length);

// Adds the statistics of `other` to `state`, as if `state` had observed its segments, too. The metrics must
// have equal state keys. A state may be added to itself.
//
// Threads: one call at a time for each of the states.
//
// # Safety
// Both are states.
enum bleuprint_status bleuprint_state_merge(struct bleuprint_state *state, const struct bleuprint_state *other);

// Returns the number of segments of a state; 0 for a null pointer.
//
// Threads: no other call may change the state meanwhile.
//
// # Safety
// `state` is null or a state.
uint64_t bleuprint_state_segments(const struct bleuprint_state *state);

// Writes a state as bytes. Every interface of bleuprint reads them, and the layout is public.
//
// Threads: no other call may change the state meanwhile.
//
// # Safety
// `state` is a state; `out` is memory for an output.
enum bleuprint_status bleuprint_state_to_bytes(const struct bleuprint_state *state, struct bleuprint_bytes *out);

// Creates a state from bytes. It checks the bytes, and that they are of this metric.
//
// Threads: any thread at any time.
//
// # Safety
// `metric` is a metric; `bytes` has `length` bytes; `out` is memory for a handle.
enum bleuprint_status bleuprint_state_from_bytes(const struct bleuprint_metric *metric,
                                                 const char *bytes,
                                                 size_t length,
                                                 struct bleuprint_state **out);

// Writes the score of a state to `out`, the first of its main numbers; NaN after an error.
//
// Threads: no other call may change the state meanwhile.
//
// # Safety
// `state` is a state; `out` is memory for a number.
enum bleuprint_status bleuprint_state_score(const struct bleuprint_state *state, double *out);

// Writes the score of a state as a JSON object: `name`, `score`, `signature`, `short_signature`, `line` (as
// the program prints it), `details` (the end of that line), `higher_is_better`, `segments`, and `headlines`
// and `parts` as lists of names and values. Numbers have all their digits. JSON has no NaN and no infinity:
// they are objects, as in `{"$bleuprint::non_finite":"NaN"}`.
//
// Threads: no other call may change the state meanwhile.
//
// # Safety
// `state` is a state; `out` is memory for an output.
enum bleuprint_status bleuprint_state_score_json(const struct bleuprint_state *state, struct bleuprint_bytes *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BLEUPRINT_H */
