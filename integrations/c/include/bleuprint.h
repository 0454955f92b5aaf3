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

// Value of `view` for a metric that scores text, numbers, vectors, or structured data such as turns of
// speakers.
#define BLEUPRINT_TEXT 0

// Value of `view` for a metric that scores token ids.
#define BLEUPRINT_IDS 1

// Status that a call returns: success, or the kind of error.
typedef enum bleuprint_status {
  // The call succeeded.
  BLEUPRINT_STATUS_OK = 0,
  // The name of a metric, an option or a file that an option names is wrong.
  BLEUPRINT_STATUS_CONFIG = 1,
  // The data is invalid, or it has no score under the metric.
  BLEUPRINT_STATUS_INPUT = 2,
  // An argument is invalid: for example a null pointer, text that is not UTF-8, or wrong JSON.
  BLEUPRINT_STATUS_ARGUMENT = 3,
  // The library has a bug: please report it. The state that the call was changing is unusable.
  BLEUPRINT_STATUS_PANIC = 4,
  // This build of the library lacks the metric. The message names the build feature that adds the metric.
  BLEUPRINT_STATUS_MISSING = 5,
} bleuprint_status;

// A metric with its options and its tokenizer. No call changes its settings.
typedef struct bleuprint_metric bleuprint_metric;

// Statistics of a metric over all segments that it has observed.
typedef struct bleuprint_state bleuprint_state;

// Bytes that the library has allocated; [`bleuprint_bytes_free`] frees them. A zero byte follows them, so C
// can read text as a string; `length` does not count it.
typedef struct bleuprint_bytes {
  // Pointer to the first byte; null if the call failed or the bytes are freed.
  char *data;
  // Number of bytes.
  size_t length;
} bleuprint_bytes;

// Text in UTF-8: a pointer and a length in bytes. It needs no zero byte at its end.
typedef struct bleuprint_text {
  // Pointer to the first byte; may be null if the length is 0.
  const char *data;
  // Number of bytes.
  size_t length;
} bleuprint_text;

// A segment of text: one hypothesis with its references, and its source if the metric needs one.
typedef struct bleuprint_segment {
  // Output of the system.
  struct bleuprint_text hypothesis;
  // Pointer to the first reference; may be null if there is none.
  const struct bleuprint_text *references;
  // Number of references.
  size_t reference_count;
  // Pointer to the source text, or null if there is none.
  const struct bleuprint_text *source;
} bleuprint_segment;

// Sequence of token ids: a pointer and a length.
typedef struct bleuprint_ids {
  // Pointer to the first id; may be null if the length is 0.
  const uint32_t *data;
  // Number of ids.
  size_t length;
} bleuprint_ids;

// A segment of token ids: one hypothesis with its references.
typedef struct bleuprint_id_segment {
  // Output of the system.
  struct bleuprint_ids hypothesis;
  // Pointer to the first reference; may be null if there is none.
  const struct bleuprint_ids *references;
  // Number of references.
  size_t reference_count;
} bleuprint_id_segment;

// Token ids in rows of equal length, as in a tensor. Padding ids at both ends of a row are ignored.
typedef struct bleuprint_rows {
  // Pointer to the first id of the first row; may be null if there are no rows.
  const int64_t *data;
  // Number of rows.
  size_t rows;
  // Number of ids in a row, padding included.
  size_t width;
  // Id that fills short rows at either end. Between other ids of a row, it is an ordinary id.
  int64_t padding;
} bleuprint_rows;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the error message of the last call that failed in this thread, as text that ends with a zero byte.
//
// The text is valid until the next call that fails in this thread. It is empty if no call has failed.
// Threads: each thread has its own message.
const char *bleuprint_last_error(void);

// Returns the version of the library as text that ends with a zero byte, such as `0.1.0`. The text stays
// valid until the program ends.
//
// Threads: any thread at any time.
const char *bleuprint_version(void);

// Compares the scores of systems on the same segments. It writes a JSON list with one comparison for each
// metric: the scores of the systems, the difference of each pair of systems with its interval and p-value,
// and ranks.
//
// `request` is a JSON object with these keys. Only `metrics` and `systems` are required:
//
// - `metrics`: a list of names with options, such as `bleu:max-order=2`.
// - `systems`: a list of objects with `name` and `hypotheses` (one for each segment).
// - `references` (a list for each segment) and `sources` (one for each segment).
// - `labels`: an object with the values of each label, such as `domain`, one for each segment. `by` lists
//   labels; results are given for each of their values, too. `unit` names the label whose segments are
//   resampled together.
// - `tokenize`, `lowercase`, `norm` and `empty_references`: as in the options of `bleuprint_metric_new`.
// - `test` (`bootstrap` or `randomization`), `significance` (the level) and `seed`.
// - `resamples`: their number; if it is given, the answer also has the interval of each score.
// - `correction`: the correction for multiple tests of groups, `holm` or `bh`.
// - `most`: how many segments and n-grams with the largest effect on the difference are listed.
//
// Threads: any thread at any time.
//
// # Safety
// `request` points to `length` bytes; `out` points to memory for the bytes of the answer.
enum bleuprint_status bleuprint_compare(const char *request, size_t length, struct bleuprint_bytes *out);

// Finds the settings behind a reported BLEU score. It computes the score of a corpus under many settings and
// under the formulas of other BLEU programs.
//
// `request` is a JSON object with `hypotheses`, `references` (a list for each segment), `tokenizers` (names;
// optional) and `target` (the reported score as a string, such as `"34.5"`; optional). The answer is an
// object. Its `rows` are all settings with their scores, the nearest to the target first; `fits` is the
// number of rows that give the target.
//
// Threads: any thread at any time.
//
// # Safety
// `request` points to `length` bytes; `out` points to memory for the bytes of the answer.
enum bleuprint_status bleuprint_explain(const char *request, size_t length, struct bleuprint_bytes *out);

// Creates a metric. `name` is its name with options, such as `bleu:max-order=2`. `view` is the kind of data:
// `BLEUPRINT_TEXT` or `BLEUPRINT_IDS`.
//
// `options` is a JSON object with further options, or an empty text. Besides the options of the metric, it
// accepts `tokenize`, `lowercase`, `norm`, `tokenizer-model`, `dictionary`, `token-space` (name of the
// vocabulary that ids come from) and `empty-references` (`error`, `missing` or `keep`: treatment of an empty
// reference next to other references).
//
// You must free the metric with [`bleuprint_metric_free`], before or after its states.
//
// Threads: any thread at any time. All threads can use one metric at the same time.
//
// # Safety
// `name` points to `name_length` bytes and `options` to `options_length` bytes; `out` points to memory for
// one pointer.
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

// Writes a description of a metric as a JSON object. Its keys are `metric`, `name`, `state_key`,
// `signature`, `higher_is_better`, `min`, `max`, `needs_references`, `needs_sources`, `one_reference`,
// `two_passes`, `view`, `form`, `columns` and `warnings`.
//
// `warnings` lists tokenizers that found no tokens in some texts since the last call of this function.
//
// Threads: any thread at any time.
//
// # Safety
// `metric` is a metric that is not freed; `out` points to memory for the bytes.
enum bleuprint_status bleuprint_metric_describe(const struct bleuprint_metric *metric, struct bleuprint_bytes *out);

// Creates a copy of a metric with the default options for scoring single sentences, such as smoothing. The
// copy keeps the weights that the metric has learned.
//
// Threads: any thread at any time.
//
// # Safety
// `metric` is a metric that is not freed; `out` points to memory for one pointer.
enum bleuprint_status bleuprint_metric_for_sentences(const struct bleuprint_metric *metric,
                                                     struct bleuprint_metric **out);

// Creates the metric for the first pass over the data, in which a metric such as `cider_d` learns weights.
// Use it if `two_passes` is true in the metric's description. After the pass, give its state to
// [`bleuprint_metric_second_pass`].
//
// Threads: any thread at any time.
//
// # Safety
// `metric` is a metric that is not freed; `out` points to memory for one pointer.
enum bleuprint_status bleuprint_metric_first_pass(const struct bleuprint_metric *metric, struct bleuprint_metric **out);

// Creates a copy of `metric` that scores with learned weights. `learned` is the state over the data of the
// metric that [`bleuprint_metric_first_pass`] creates.
//
// Threads: any thread; no other call may change `learned` meanwhile.
//
// # Safety
// `metric` and `learned` are not freed; `out` points to memory for one pointer.
enum bleuprint_status bleuprint_metric_second_pass(const struct bleuprint_metric *metric,
                                                   const struct bleuprint_state *learned,
                                                   struct bleuprint_metric **out);

// Adds the statistics of segments of text to a state. If one segment is invalid, none is added.
//
// Threads: one call at a time for a state.
//
// # Safety
// `state` is a state that is not freed; `segments` points to `count` segments with correct pointers and
// lengths.
enum bleuprint_status bleuprint_state_observe(struct bleuprint_state *state,
                                              const struct bleuprint_segment *segments,
                                              size_t count);

// Adds the statistics of segments of token ids to a state. If one segment is invalid, none is added.
//
// Threads: one call at a time for a state.
//
// # Safety
// `state` is a state that is not freed; `segments` points to `count` segments with correct pointers and
// lengths.
enum bleuprint_status bleuprint_state_observe_ids(struct bleuprint_state *state,
                                                  const struct bleuprint_id_segment *segments,
                                                  size_t count);

// Adds the statistics of a batch of padded token ids to a state. Each row of `hypotheses` is a segment; its
// references are the next `references_each` rows of `references`. If one row is invalid, none is added.
//
// Threads: one call at a time for a state.
//
// # Safety
// `state` is a state that is not freed. In both batches, `data` points to `rows` times `width` ids.
enum bleuprint_status bleuprint_state_observe_rows(struct bleuprint_state *state,
                                                   const struct bleuprint_rows *hypotheses,
                                                   const struct bleuprint_rows *references,
                                                   size_t references_each);

// Adds the statistics of segments of structured data, numbers or vectors to a state. `json` is a list of
// objects with `hypothesis`, `references` (a list) and `source`. If one segment is invalid, none is added.
//
// The numbers of a segment are an object with a key for each column, such as `{"value": 1.5, "over": 2}`, or
// a single number. The vectors of a text are a list of vectors, or an object with `vectors`, `weights` and
// `ids` (one for each vector).
//
// Threads: one call at a time for a state.
//
// # Safety
// `state` is a state that is not freed; `json` points to `length` bytes.
enum bleuprint_status bleuprint_state_observe_json(struct bleuprint_state *state, const char *json, size_t length);

// Frees the bytes that a function has written, and sets `data` to null and `length` to 0. It does nothing if
// `bytes` or its `data` is null.
//
// Threads: any thread, but not two threads for the same bytes at the same time.
//
// # Safety
// `bytes` is null, or points to bytes that a function of this library wrote and the caller has not changed.
void bleuprint_bytes_free(struct bleuprint_bytes *bytes);

// Writes a JSON object that lists all metrics of this build with their options, and all tokenizers and
// normalizers.
//
// Threads: any thread at any time.
//
// # Safety
// `out` points to memory for the bytes.
enum bleuprint_status bleuprint_registry(struct bleuprint_bytes *out);

// Creates an empty state for a metric: the statistics of no segments. You must free it with
// [`bleuprint_state_free`].
//
// Threads: any thread at any time. A state may move between threads, but only one call may use it at a
// time; give each thread its own state and merge them.
//
// # Safety
// `metric` is a metric that is not freed; `out` points to memory for one pointer.
enum bleuprint_status bleuprint_state_new(const struct bleuprint_metric *metric, struct bleuprint_state **out);

// Frees a state. It does nothing with a null pointer.
//
// Threads: any thread, after all calls with this state have returned.
//
// # Safety
// `state` is null, or a state that is not freed.
void bleuprint_state_free(struct bleuprint_state *state);

// Resets a state to no segments. Its buffers are kept, so the next segments need fewer allocations.
//
// Threads: one call at a time for a state.
//
// # Safety
// `state` is a state that is not freed.
enum bleuprint_status bleuprint_state_clear(struct bleuprint_state *state);

// Adds the statistics of `other` to `state`, as if `state` had observed the segments of `other`, too. The
// metrics of both states must have equal state keys (`state_key` in `bleuprint_metric_describe`). `state`
// and `other` may be the same state.
//
// Threads: no other call may use either of the two states meanwhile.
//
// # Safety
// `state` and `other` are states that are not freed.
enum bleuprint_status bleuprint_state_merge(struct bleuprint_state *state, const struct bleuprint_state *other);

// Returns the number of segments that a state has observed; 0 for a null pointer.
//
// Threads: no other call may change the state meanwhile.
//
// # Safety
// `state` is null, or a state that is not freed.
uint64_t bleuprint_state_segments(const struct bleuprint_state *state);

// Writes a state as bytes, which Rust, Python and all other interfaces of bleuprint can read. The layout of
// the bytes is documented.
//
// Threads: no other call may change the state meanwhile.
//
// # Safety
// `state` is a state that is not freed; `out` points to memory for the bytes.
enum bleuprint_status bleuprint_state_to_bytes(const struct bleuprint_state *state, struct bleuprint_bytes *out);

// Creates a state from the bytes that [`bleuprint_state_to_bytes`] or another interface wrote. It checks the
// bytes, and returns an error if they are of a different metric.
//
// Threads: any thread at any time.
//
// # Safety
// `metric` is a metric that is not freed; `bytes` points to `length` bytes; `out` points to memory for one
// pointer.
enum bleuprint_status bleuprint_state_from_bytes(const struct bleuprint_metric *metric,
                                                 const char *bytes,
                                                 size_t length,
                                                 struct bleuprint_state **out);

// Computes the score of a state and writes it to `out`; after an error `out` is NaN. If a metric has several
// main numbers, the score is the first.
//
// Threads: no other call may change the state meanwhile.
//
// # Safety
// `state` is a state that is not freed; `out` points to memory for one number.
enum bleuprint_status bleuprint_state_score(const struct bleuprint_state *state, double *out);

// Computes the score of a state and writes it as a JSON object. Its keys are `name`, `score`, `signature`,
// `short_signature`, `line` (the score as the command line prints it), `details` (the end of that line),
// `higher_is_better`, `segments`, `headlines` (the main numbers) and `parts` (the numbers that make up the
// score). `headlines` and `parts` are lists of pairs of a name and a value.
//
// Numbers have all their digits. JSON has no NaN and no infinity, so they are written as objects, such as
// `{"$bleuprint::non_finite":"NaN"}`.
//
// Threads: no other call may change the state meanwhile.
//
// # Safety
// `state` is a state that is not freed; `out` points to memory for the bytes.
enum bleuprint_status bleuprint_state_score_json(const struct bleuprint_state *state, struct bleuprint_bytes *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BLEUPRINT_H */
