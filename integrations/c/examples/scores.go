// Scores by the C library with cgo: CGO_CFLAGS and CGO_LDFLAGS are those of pkg-config.
package main

/*
#include <bleuprint.h>
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"unsafe"
)

func check(status uint32) error {
	if status == C.BLEUPRINT_STATUS_OK {
		return nil
	}
	return errors.New(C.GoString(C.bleuprint_last_error()))
}

// text copies a string to memory of C, because Go's own memory may move.
func text(s string) C.bleuprint_text {
	return C.bleuprint_text{data: C.CString(s), length: C.size_t(len(s))}
}

func score(name, hypothesis, reference string) (score float64, err error) {
	var metric *C.bleuprint_metric
	var state *C.bleuprint_state
	named, given := text(name), text(hypothesis)
	references := (*C.bleuprint_text)(C.malloc(C.size_t(unsafe.Sizeof(C.bleuprint_text{}))))
	*references = text(reference)
	defer func() {
		for _, s := range []C.bleuprint_text{named, given, *references} {
			C.free(unsafe.Pointer(s.data))
		}
		C.free(unsafe.Pointer(references))
		C.bleuprint_state_free(state)
		C.bleuprint_metric_free(metric)
	}()
	if err = check(C.bleuprint_metric_new(named.data, named.length, nil, 0, C.BLEUPRINT_TEXT, &metric)); err != nil {
		return
	}
	if err = check(C.bleuprint_state_new(metric, &state)); err != nil {
		return
	}
	segment := C.bleuprint_segment{hypothesis: given, references: references, reference_count: 1}
	if err = check(C.bleuprint_state_observe(state, &segment, 1)); err != nil {
		return
	}
	err = check(C.bleuprint_state_score(state, (*C.double)(&score)))
	return
}

func main() {
	for _, name := range []string{"chrf", "blue"} {
		number, err := score(name, "The dog bit the man.", "The dog had bit the man.")
		fmt.Fprintln(os.Stdout, number, err)
	}
}
