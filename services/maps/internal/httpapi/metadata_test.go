package httpapi

import (
	"errors"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/problem"
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
		{"nulls", `{"description":null,"tags":null,"medalTimes":null,"gameMode":null,"wrongOwnerReason":null}`, parkourmap.Metadata{}},
		{"medal times of null", `{"medalTimes":{"author":null,"gold":null,"silver":null,"bronze":null}}`,
			parkourmap.Metadata{}},
		{"everything", `{"description":"Wet.","tags":["rain"],"medalTimes":{"author":1,"gold":2,"silver":3,"bronze":4},
			"gameMode":"Death Arrows","wrongOwnerReason":" a copy "}`,
			parkourmap.Metadata{
				Description: new("Wet."), Tags: []string{"rain"}, Mode: bonkmap.DeathArrows, WrongOwnerReason: " a copy ",
				Medals: parkourmap.RequestedMedals{Author: ms(1), Gold: ms(2), Silver: ms(3), Bronze: ms(4)},
			}},
		{"unknown fields", `{"colour":"red"}`, parkourmap.Metadata{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := readMetadata("MapSubmissionMetadata", []byte(tt.text))
			require.NoError(t, err)
			assert.Equal(t, "metadata", tt.want, got)
		})
	}
}

func TestReadMetadata_malformed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, field string }{
		{"no JSON", "description=Wet.", "metadata"},
		{"a list", "[]", "metadata"},
		{"null", "null", "metadata"},
		{"a half object", `{"tags":`, "metadata"},
		{"two objects", "{}{}", "metadata"},
		{"a description that is a number", `{"description":7}`, "description"},
		{"tags that are a string", `{"tags":"rain"}`, "tags"},
		{"a tag that is a number", `{"tags":[7]}`, "tags.0"},
		{"a tag that is null", `{"tags":[null]}`, "tags.0"},
		{"a medal time that is a string", `{"medalTimes":{"gold":"1000"}}`, "medalTimes.gold"},
		{"a medal time with a fraction", `{"medalTimes":{"gold":1000.5}}`, "medalTimes.gold"},
		{"a medal time without end", `{"medalTimes":{"gold":1e30}}`, "medalTimes.gold"},
		{"broken UTF-8", "{\"description\":\"\xff\"}", "metadata"},
		{"too much", `{"description":"` + strings.Repeat("x", maxMetadata) + `"}`, "metadata"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := readMetadata("MapSubmissionMetadata", []byte(tt.text))
			if !errors.Is(err, parkourmap.ErrMetadataMalformed) {
				t.Fatalf("error = %v, want %v", err, parkourmap.ErrMetadataMalformed)
			}
			if fields := problem.From(err).Fields; len(fields) != 1 || fields[0].Field != tt.field {
				t.Errorf("fields %v, want %s", fields, tt.field)
			}
		})
	}
}
