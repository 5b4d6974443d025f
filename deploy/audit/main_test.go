package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// answer is a search with a result of the test's choice.
type answer struct {
	of    string
	found []weakness
	err   error
}

func (a answer) kind() string                             { return a.of }
func (a answer) find(context.Context) ([]weakness, error) { return a.found, a.err }

func TestWhatARunSays(t *testing.T) {
	t.Parallel()
	weak := []weakness{{ID: "GHSA-1", In: "left-pad", Summary: "Pads to the right"}}
	away := noDatabase{errors.New("no route to host")}
	for _, tt := range []struct {
		name     string
		searches []search
		required bool
		fails    string // a part of the error, "" for none
		says     string
	}{
		{"all is well", []search{answer{of: "go"}, answer{of: "npm"}}, false, "", "go: checked, 0 known weaknesses"},
		{"a weakness", []search{answer{of: "go"}, answer{of: "npm", found: weak}}, false, "GHSA-1 in left-pad: Pads to the right", "npm: checked, 1 known weaknesses, 1 of them fail"},
		{"no database is said loudly", []search{answer{of: "go", err: away}, answer{of: "npm"}}, false, "", "go WAS NOT CHECKED, there is no database: no route to host"},
		{"and does not hide what another finds", []search{answer{of: "go", err: away}, answer{of: "npm", found: weak}}, false, "GHSA-1", "go WAS NOT CHECKED"},
		{"it fails where a check is required", []search{answer{of: "go", err: away}}, true, "go: no database: no route to host", ""},
		{"a search that breaks fails", []search{answer{of: "go", err: errors.New("it does not compile")}}, false, "go: it does not compile", ""},
	} {
		var out strings.Builder
		err := audit{searches: tt.searches, required: tt.required, today: time.Now(), out: &out}.run(t.Context())
		if (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.fails)
		}
		if !strings.Contains(out.String(), tt.says) {
			t.Errorf("%s: it says %q, want %q", tt.name, out.String(), tt.says)
		}
	}
}
