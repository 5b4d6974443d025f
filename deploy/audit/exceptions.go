package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// exceptions are weaknesses that are known and lived with, each for a reason
// and until a day on which somebody looks again.
type exceptions []exception

type exception struct {
	// ID and In are those of the weakness.
	ID string `json:"id"`
	In string `json:"in"`
	// Kind is "go" or "npm".
	Kind string `json:"kind"`
	// Reason says why the weakness does no harm here.
	Reason string `json:"reason"`
	// Until is the last day of the exception: 2026-12-31.
	Until day `json:"until"`
}

const (
	// leastReason is the length below which a reason is none.
	leastReason = 20
	// longest is how far ahead the last day may be: longer, and nobody looks again.
	longest = 366 * 24 * time.Hour
)

// day is a date in UTC.
type day struct{ begins time.Time }

// UnmarshalText reads 2026-12-31.
func (d *day) UnmarshalText(text []byte) error {
	parsed, err := time.Parse(time.DateOnly, string(text))
	d.begins = parsed
	return err
}

func readExceptions(file string) (exceptions, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseExceptions(text)
}

// parseExceptions names every exception that says too little.
func parseExceptions(text []byte) (exceptions, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var list exceptions
	if err := decoder.Decode(&list); err != nil {
		return nil, fmt.Errorf("exceptions: %w", err)
	}
	var mistakes []error
	for i, e := range list {
		if e.ID == "" || e.In == "" || e.Kind != "go" && e.Kind != "npm" || e.Until.begins.IsZero() || len(strings.TrimSpace(e.Reason)) < leastReason {
			mistakes = append(mistakes, fmt.Errorf("exception %d (%s): id, in, kind (go or npm), until and a reason of at least %d characters are needed", i+1, e.ID, leastReason))
		}
		if slices.ContainsFunc(list[:i], func(before exception) bool {
			return before.covers(weakness{ID: e.ID, In: e.In}) && before.Kind == e.Kind
		}) {
			mistakes = append(mistakes, fmt.Errorf("exception %d (%s) is there twice", i+1, e.ID))
		}
	}
	return list, errors.Join(mistakes...)
}

func (e exception) covers(w weakness) bool { return e.ID == w.ID && e.In == w.In }

// judge returns a line for each weakness of a kind that has no exception, and
// for each exception that is over or that nothing needs any more.
func (x exceptions) judge(kind string, found []weakness, today time.Time) (wrong []string) {
	for _, w := range found {
		if !slices.ContainsFunc(x, func(e exception) bool { return e.Kind == kind && e.covers(w) }) {
			wrong = append(wrong, fmt.Sprintf("%s in %s: %s", w.ID, w.In, w.Summary))
		}
	}
	for _, e := range x {
		if e.Kind != kind {
			continue
		}
		if left := e.Until.begins.AddDate(0, 0, 1).Sub(today); left <= 0 {
			wrong = append(wrong, fmt.Sprintf("the exception of %s in %s ended with %s: %s", e.ID, e.In, e.Until.begins.Format(time.DateOnly), e.Reason))
		} else if left > longest {
			wrong = append(wrong, fmt.Sprintf("the exception of %s in %s is for longer than a year", e.ID, e.In))
		}
		if !slices.ContainsFunc(found, e.covers) {
			wrong = append(wrong, fmt.Sprintf("the exception of %s in %s is not needed any more", e.ID, e.In))
		}
	}
	return wrong
}
