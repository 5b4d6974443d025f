package parkourmap

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadMetadata(t *testing.T) {
	t.Parallel()
	ms := func(v int64) *int64 { return &v }
	for _, tt := range []struct {
		name, text string
		want       metadata
	}{
		{"nothing", "", metadata{}},
		{"white space", " \n", metadata{}},
		{"an empty object", "{}", metadata{}},
		{"nulls", `{"description":null,"tags":null,"medalTimes":null}`, metadata{}},
		{"medal times of null", `{"medalTimes":{"author":null,"gold":null,"silver":null,"bronze":null}}`, metadata{}},
		{"everything", `{"description":"Wet.","tags":["rain"],"medalTimes":{"author":1,"gold":2,"silver":3,"bronze":4}}`,
			metadata{description: "Wet.", tags: []string{"rain"}, medals: RequestedMedals{ms(1), ms(2), ms(3), ms(4)}}},
		{"unknown fields", `{"colour":"red"}`, metadata{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := readMetadata([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(metadata{})); diff != "" {
				t.Errorf("metadata (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadMetadataRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text string }{
		{"no JSON", "description=Wet."},
		{"a list", "[]"},
		{"null", "null"},
		{"a half object", `{"tags":`},
		{"two objects", "{}{}"},
		{"a description that is a number", `{"description":7}`},
		{"tags that are a string", `{"tags":"rain"}`},
		{"a tag that is a number", `{"tags":[7]}`},
		{"a tag that is null", `{"tags":[null]}`},
		{"a medal time that is a string", `{"medalTimes":{"gold":"1000"}}`},
		{"a medal time with a fraction", `{"medalTimes":{"gold":1000.5}}`},
		{"a medal time without end", `{"medalTimes":{"gold":1e30}}`},
		{"broken UTF-8", "{\"description\":\"\xff\"}"},
		{"too much", `{"description":"` + strings.Repeat("x", MaxMetadataSize) + `"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := readMetadata([]byte(tt.text)); !errors.Is(err, ErrMetadataMalformed) {
				t.Errorf("error = %v, want %v", err, ErrMetadataMalformed)
			}
		})
	}
}

func TestDescription(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, given, want string
		fault             bool
	}{
		{"trimmed", " Jump. \n", "Jump.", false},
		{"line breaks of one kind", "a\r\nb\rc\nd", "a\nb\nc\nd", false},
		{"tabs", "a\tb", "a\tb", false},
		{"signs stay what they are", "<b>&amp;</b>", "<b>&amp;</b>", false},
		{"2,000 characters of any script", strings.Repeat("é", 2000), strings.Repeat("é", 2000), false},
		{"2,001 characters", strings.Repeat("x", 2001), "", true},
		{"a NUL", "a\x00b", "", true},
		{"an escape", "a\x1b[31m", "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, faults := plainDescription(tt.given)
			if (len(faults) > 0) != tt.fault {
				t.Fatalf("faults = %v, want any: %v", faults, tt.fault)
			}
			if !tt.fault && got != tt.want {
				t.Errorf("description = %q, want %q", got, tt.want)
			}
		})
	}
}
