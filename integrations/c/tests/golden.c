/* The golden rows of crates/testkit/data through the C interface: scores, parts, signatures and sentences; two parts that merge
 * to the bytes of the whole, one of which has travelled as bytes. `flatten.py` writes the file of rows. */
#include "bleuprint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SEGMENTS 4096
#define MOST_FIELDS 16384

typedef struct {
    const char *name;
    bleuprint_text value;
} field;

static field fields[MOST_FIELDS];
static size_t field_count;
static bleuprint_segment segments[MOST_SEGMENTS];
static bleuprint_text json_segments[MOST_SEGMENTS];
static bleuprint_text references[MOST_FIELDS];
static bleuprint_text sources[MOST_SEGMENTS];
static size_t segment_count;
static const char *row_name;
static int row_length;
static int failures;

static void fail(const char *what) {
    fprintf(stderr, "%.*s: %s: %s\n", row_length, row_name, what, bleuprint_last_error());
    failures++;
}

static const bleuprint_text *find(const char *name) {
    for (size_t at = 0; at < field_count; at++)
        if (strcmp(fields[at].name, name) == 0) return &fields[at].value;
    return NULL;
}

/* Reads the next number of a text that is separated by spaces; values end with a line. */
static int next_number(const char **from, const char *end, double *number) {
    char *behind;
    if (*from >= end) return 0;
    *number = strtod(*from, &behind);
    if (behind == *from) return 0;
    *from = behind;
    return 1;
}

static int near(double ours, double theirs, double tolerance) {
    if (isnan(theirs)) return isnan(ours);
    return ours == theirs || fabs(ours - theirs) <= tolerance * fmax(fabs(theirs), 1.0);
}

/* Returns the place behind `start` in a text, or NULL. */
static const char *behind(const char *text, const char *start) {
    const char *found = text ? strstr(text, start) : NULL;
    return found ? found + strlen(start) : NULL;
}

static const char non_finite[] = "{\"$bleuprint::non_finite\":\"";

/* Compares the numbers of a JSON value, in order, with the expected ones. Names and brackets are skipped; a part ends with its
 * list, headlines with the list of all. */
static int same_numbers(const char *json, int depth, const bleuprint_text *expected, double tolerance) {
    const char *from = expected->data, *end = from + expected->length;
    double theirs, ours;
    if (!json) return 0;
    while (depth > 0) {
        char *next;
        switch (*json) {
        case '\0': return 0;
        case '[': depth++, json++; break;
        case ']': depth--, json++; break;
        case ',': json++; break;
        case '{':
            /* Only a number without digits is an object. */
            if (strncmp(json, non_finite, strlen(non_finite)) != 0) return 0;
            json += strlen(non_finite);
            ours = *json == 'N' ? NAN : *json == '-' ? -INFINITY : INFINITY;
            if (!next_number(&from, end, &theirs) || !near(ours, theirs, tolerance)) return 0;
            json = strchr(json, '}') + 1;
            break;
        case '"':
            for (json++; *json != '"'; json++)
                if (*json == '\\') json++;
            json++;
            break;
        default:
            ours = strtod(json, &next);
            if (next == json || !next_number(&from, end, &theirs) || !near(ours, theirs, tolerance)) return 0;
            json = next;
        }
    }
    return !next_number(&from, end, &theirs);
}

static int is_own(const bleuprint_metric *metric) {
    bleuprint_bytes about;
    if (bleuprint_metric_describe(metric, &about) != BLEUPRINT_STATUS_OK) return -1;
    int own = strstr(about.data, "\"view\":\"own\"") != NULL;
    own |= strstr(about.data, "\"two_passes\":true") ? 2 : 0;
    bleuprint_bytes_free(&about);
    return own;
}

static bleuprint_status observe(bleuprint_state *state, int own, size_t from, size_t to) {
    if (!own) return bleuprint_state_observe(state, segments + from, to - from);
    for (size_t at = from; at < to; at++) {
        bleuprint_status status = bleuprint_state_observe_json(state, json_segments[at].data, json_segments[at].length);
        if (status != BLEUPRINT_STATUS_OK) return status;
    }
    return BLEUPRINT_STATUS_OK;
}

/* Replaces a metric of two passes by the one that has learned from all segments. */
static bleuprint_status learn(bleuprint_metric **metric, int own) {
    bleuprint_metric *first = NULL, *second = NULL;
    bleuprint_state *learned = NULL;
    bleuprint_status status = bleuprint_metric_first_pass(*metric, &first);
    if (status == BLEUPRINT_STATUS_OK) status = bleuprint_state_new(first, &learned);
    if (status == BLEUPRINT_STATUS_OK) status = observe(learned, own, 0, segment_count);
    if (status == BLEUPRINT_STATUS_OK) status = bleuprint_metric_second_pass(*metric, learned, &second);
    bleuprint_state_free(learned);
    bleuprint_metric_free(first);
    if (status == BLEUPRINT_STATUS_OK) {
        bleuprint_metric_free(*metric);
        *metric = second;
    }
    return status;
}

static void check_parts(const bleuprint_metric *metric, bleuprint_state *whole, int own, size_t cut) {
    bleuprint_state *left = NULL, *right = NULL, *travelled = NULL;
    bleuprint_bytes bytes = {0}, all = {0};
    if (bleuprint_state_new(metric, &left) || bleuprint_state_new(metric, &right) || observe(left, own, 0, cut) ||
        observe(right, own, cut, segment_count) || bleuprint_state_to_bytes(right, &bytes) ||
        bleuprint_state_from_bytes(metric, bytes.data, bytes.length, &travelled) || bleuprint_state_merge(left, travelled))
        fail("parts do not merge");
    bleuprint_bytes_free(&bytes);
    if (bleuprint_state_to_bytes(left, &bytes) || bleuprint_state_to_bytes(whole, &all) || bytes.length != all.length ||
        memcmp(bytes.data, all.data, all.length) != 0)
        fail("the merged parts have other bytes than the whole");
    double merged, score;
    if (bleuprint_state_score(left, &merged) != bleuprint_state_score(whole, &score) ||
        memcmp(&merged, &score, sizeof score) != 0)
        fail("the merged parts have another score than the whole");
    bleuprint_bytes_free(&bytes);
    bleuprint_bytes_free(&all);
    bleuprint_state_free(left);
    bleuprint_state_free(right);
    bleuprint_state_free(travelled);
}

static void check_sentences(const bleuprint_metric *metric, int own, double tolerance) {
    bleuprint_metric *sentence = NULL;
    bleuprint_state *state = NULL;
    size_t at = 0;
    if (bleuprint_metric_for_sentences(metric, &sentence) || bleuprint_state_new(sentence, &state)) {
        fail("no metric for sentences");
    } else {
        for (size_t place = 0; place < field_count; place++) {
            bleuprint_bytes json = {0};
            if (strcmp(fields[place].name, "sentence") != 0) continue;
            if (bleuprint_state_clear(state) || observe(state, own, at, at + 1) || bleuprint_state_score_json(state, &json))
                fail("a sentence has no score");
            /* Rows of families have the score alone. */
            const char *headlines = behind(json.data, "\"headlines\":[");
            double score, theirs;
            const char *from = fields[place].value.data;
            if (!same_numbers(headlines, 1, &fields[place].value, tolerance) &&
                !(json_segments[at].data && next_number(&from, from + fields[place].value.length, &theirs) &&
                  bleuprint_state_score(state, &score) == BLEUPRINT_STATUS_OK && near(score, theirs, tolerance)))
                fail("a sentence has another score");
            bleuprint_bytes_free(&json);
            at++;
        }
    }
    bleuprint_state_free(state);
    bleuprint_metric_free(sentence);
}

static void check_score(bleuprint_state *whole) {
    const bleuprint_text *expected, *tolerated = find("tolerance");
    double tolerance = tolerated ? strtod(tolerated->data, NULL) : 0.0, score;
    bleuprint_bytes json = {0};
    if (bleuprint_state_score(whole, &score) || bleuprint_state_score_json(whole, &json)) {
        fail("no score");
        return;
    }
    const char *text = json.data;
    if ((expected = find("score")) && !near(score, strtod(expected->data, NULL), tolerance))
        fail("another score");
    if ((expected = find("headlines")) && !same_numbers(behind(text, "\"headlines\":["), 1, expected, tolerance))
        fail("other headlines");
    for (size_t at = 0; at + 1 < field_count; at++) {
        char key[256];
        if (strcmp(fields[at].name, "part") != 0) continue;
        snprintf(key, sizeof key, "[\"%.*s\",", (int)fields[at].value.length, fields[at].value.data);
        /* A headline that is no part has the same form. */
        const char *part = behind(behind(text, "\"parts\":["), key);
        if (!part) part = behind(behind(text, "\"headlines\":["), key);
        if (!same_numbers(part, 1, &fields[at + 1].value, tolerance)) fail(key);
    }
    if ((expected = find("signature"))) {
        const char *signature = behind(text, ",\"signature\":\"");
        /* Names of metrics differ: rows of BLEU have the signature without the name. */
        const char *found = signature ? strstr(signature, expected->data) : NULL;
        size_t length = expected->length;
        if (!signature || (!found && strncmp(signature, expected->data, length) != 0)) fail("another signature");
    }
    bleuprint_bytes_free(&json);
}

static void check_row(void) {
    static const char options[] = "{\"empty_references\":\"keep\"}";
    const bleuprint_text *spec = find("spec"), *error = find("error"), *tolerated = find("sentence_tolerance");
    bleuprint_metric *metric = NULL;
    bleuprint_state *whole = NULL;
    if (field_count == 0) return;
    bleuprint_status status = bleuprint_metric_new(spec->data, spec->length, options, sizeof options - 1,
                                                   BLEUPRINT_TEXT, &metric);
    int kind = status == BLEUPRINT_STATUS_OK ? is_own(metric) : 0, own = kind & 1;
    if (status == BLEUPRINT_STATUS_OK && kind & 2) status = learn(&metric, own);
    if (status == BLEUPRINT_STATUS_OK) status = bleuprint_state_new(metric, &whole);
    if (status == BLEUPRINT_STATUS_OK) status = observe(whole, own, 0, segment_count);
    if (error) {
        double score;
        if (status == BLEUPRINT_STATUS_OK) status = bleuprint_state_score(whole, &score);
        if (status != BLEUPRINT_STATUS_CONFIG && status != BLEUPRINT_STATUS_INPUT) fail("no error");
    } else if (status != BLEUPRINT_STATUS_OK) {
        fail("no state");
    } else {
        check_score(whole);
        check_parts(metric, whole, own, segment_count / 2);
        check_sentences(metric, own, tolerated ? strtod(tolerated->data, NULL) : 0.0);
    }
    bleuprint_state_free(whole);
    bleuprint_metric_free(metric);
}

/* Adds a field to the row that is being read. */
static void add(const char *name, bleuprint_text value, size_t *reference_count, size_t *source_count) {
    if (strcmp(name, "hypothesis") == 0) {
        json_segments[segment_count] = (bleuprint_text){0};
        segments[segment_count++] = (bleuprint_segment){value, references + *reference_count, 0, NULL};
    } else if (strcmp(name, "reference") == 0) {
        references[(*reference_count)++] = value;
        segments[segment_count - 1].reference_count++;
    } else if (strcmp(name, "source") == 0) {
        sources[*source_count] = value;
        segments[segment_count - 1].source = &sources[(*source_count)++];
    } else if (strcmp(name, "json") == 0) {
        json_segments[segment_count - 1] = value;
    }
    fields[field_count++] = (field){name, value};
}

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END) != 0) return fprintf(stderr, "usage: golden FILE-OF-ROWS\n"), 2;
    long size = ftell(file);
    char *text = malloc((size_t)size + 1);
    if (!text || fseek(file, 0, SEEK_SET) != 0 || fread(text, 1, (size_t)size, file) != (size_t)size) return 2;
    fclose(file);
    text[size] = '\0';
    size_t rows = 0, reference_count = 0, source_count = 0;
    for (char *at = text; at < text + size;) {
        char *space = strchr(at, ' '), *line = strchr(at, '\n');
        *space = '\0';
        bleuprint_text value = {line + 1, strtoul(space + 1, NULL, 10)};
        line[1 + value.length] = '\0';
        if (strcmp(at, "row") == 0) {
            check_row();
            rows++;
            row_name = value.data, row_length = (int)value.length;
            field_count = segment_count = reference_count = source_count = 0;
        }
        add(at, value, &reference_count, &source_count);
        at = line + value.length + 2;
    }
    check_row();
    free(text);
    printf("  %zu golden rows, %d failures\n", rows, failures);
    return failures != 0 || (rows < 3000 && !getenv("BLEUPRINT_SOME_ROWS"));
}
