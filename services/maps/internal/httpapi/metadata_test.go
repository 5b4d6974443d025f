package httpapi

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/services/maps/internal/parkourmap"
)

func TestReadMetadata(t *testing.T) {
	t.Parallel()
	ms := func(v int64) *int64 { return &v }
	for _, tt := range []struct {
		name, text string
		want       parkourmap.Metadata
	}{
		{"nothing", "", parkourmap.Metadata{}},
		{"white space", " \n", parkourmap.Metadata{}},
		{"an empty object", "{}", parkourmap.Metadata{}},
		{"nulls", `{"description":null,"tags":null,"medalTimes":null}`, parkourmap.Metadata{}},
		{"medal times of null", `{"medalTimes":{"author":null,"gold":null,"silver":null,"bronze":null}}`,
			parkourmap.Metadata{}},
		{"everything", `{"description":"Wet.","tags":["rain"],"medalTimes":{"author":1,"gold":2,"silver":3,"bronze":4}}`,
			parkourmap.Metadata{
				Description: "Wet.", Tags: []string{"rain"},
				Medals: parkourmap.RequestedMedals{Author: ms(1), Gold: ms(2), Silver: ms(3), Bronze: ms(4)},
			}},
		{"unknown fields", `{"colour":"red"}`, parkourmap.Metadata{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := readMetadata([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("metadata (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadMetadata_malformed(t *testing.T) {
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
		{"too much", `{"description":"` + strings.Repeat("x", maxMetadata) + `"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := readMetadata([]byte(tt.text)); !errors.Is(err, parkourmap.ErrMetadataMalformed) {
				t.Errorf("error = %v, want %v", err, parkourmap.ErrMetadataMalformed)
			}
		})
	}
}
