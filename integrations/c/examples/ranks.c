/* BLEU of token ids on two ranks: each observes its batches, one sends its state as bytes, the other merges and scores.
 *
 *   cc ranks.c $(pkg-config --cflags --libs bleuprint) -o ranks && ./ranks
 */
#include <bleuprint.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bleuprint_status status) {
    if (status == BLEUPRINT_STATUS_OK) return;
    fprintf(stderr, "%s\n", bleuprint_last_error());
    exit(1);
}

int main(void) {
    const char *name = "bleu", *options = "{\"token_space\": \"my-vocabulary\"}";
    bleuprint_metric *bleu;
    check(bleuprint_metric_new(name, strlen(name), options, strlen(options), BLEUPRINT_IDS, &bleu));

    /* Rank 0 has sequences of ids. */
    const uint32_t hypothesis[] = {11, 12, 13, 14, 15, 16}, reference[] = {11, 12, 13, 14, 15, 17};
    const bleuprint_ids references[] = {{reference, 6}};
    const bleuprint_id_segment segment = {{hypothesis, 6}, references, 1};
    bleuprint_state *rank0, *rank1, *received;
    check(bleuprint_state_new(bleu, &rank0));
    check(bleuprint_state_observe_ids(rank0, &segment, 1));

    /* Rank 1 has a tensor with padding. */
    const int64_t rows[] = {21, 22, 23, 24, 0, 0, 31, 32, 33, 34, 35, 0};
    const bleuprint_rows tensor = {rows, 2, 6, 0};
    check(bleuprint_state_new(bleu, &rank1));
    check(bleuprint_state_observe_rows(rank1, &tensor, &tensor, 1));

    /* The state travels as bytes, by any transport. */
    bleuprint_bytes message;
    check(bleuprint_state_to_bytes(rank1, &message));
    check(bleuprint_state_from_bytes(bleu, message.data, message.length, &received));
    check(bleuprint_state_merge(rank0, received));

    double score;
    check(bleuprint_state_score(rank0, &score));
    printf("BLEU %.2f of %" PRIu64 " segments\n", score, bleuprint_state_segments(rank0));

    bleuprint_bytes_free(&message);
    bleuprint_state_free(received);
    bleuprint_state_free(rank1);
    bleuprint_state_free(rank0);
    bleuprint_metric_free(bleu);
    return 0;
}
