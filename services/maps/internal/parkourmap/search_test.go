package parkourmap_test

import (
	"errors"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestParseSort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		by, dir    string
		want       parkourmap.SortBy
		descending bool
		refused    bool
	}{
		{"", "", parkourmap.ByCreated, true, false},
		{"", "asc", parkourmap.ByCreated, false, false},
		{"name", "", parkourmap.ByName, false, false},
		{"name", "desc", parkourmap.ByName, true, false},
		{"createdAt", "", parkourmap.ByCreated, true, false},
		{"recordCount", "", parkourmap.ByRecords, true, false},
		{"recordCount", "asc", parkourmap.ByRecords, false, false},
		{"toNextMedal", "", parkourmap.ByNextMedal, false, false},
		{"myRank", "desc", parkourmap.ByRank, true, false},
		{"bonkDbId", "", "", false, true},
		{"NAME", "", "", false, true},
		{"name", "up", "", false, true},
		{"name; drop table maps", "", "", false, true},
	} {
		got, err := parkourmap.ParseSort(tt.by, tt.dir)
		want := parkourmap.Sort{By: tt.want, Descending: tt.descending}
		if got != want || errors.Is(err, parkourmap.ErrSortUnknown) != tt.refused {
			t.Errorf("ParseSort(%q, %q) = %+v, %v", tt.by, tt.dir, got, err)
		}
	}
}

func TestSearch_ParseCursor(t *testing.T) {
	t.Parallel()
	in := func(by parkourmap.SortBy, change func(*parkourmap.Search)) parkourmap.Search {
		s := parkourmap.Search{Name: "sky", Author: "ann", Sort: parkourmap.Sort{By: by}}
		change(&s)
		return s
	}
	same := func(*parkourmap.Search) {}
	sky := parkourmap.Position{ID: cloudstep.ID, Value: "sky"}
	first := parkourmap.Position{ID: cloudstep.ID, Value: "1"}
	byName, byCreated := in(parkourmap.ByName, same), in(parkourmap.ByCreated, same)
	if p, err := byCreated.ParseCursor(byCreated.Cursor(first)); err != nil || p != first {
		t.Errorf("the own cursor: %+v, %v", p, err)
	}
	for name, cursor := range map[string]string{
		"no cursor": "sky", "of another order": byName.Cursor(first),
		"of no time": byCreated.Cursor(sky), "of no id": byCreated.Cursor(parkourmap.Position{Value: "1"}),
		"of a year without end": byCreated.Cursor(parkourmap.Position{ID: cloudstep.ID, Value: "999999999999999999"}),
		"NUL":                   byCreated.Cursor(parkourmap.Position{ID: cloudstep.ID, Value: "1\x00"}),
	} {
		if p, err := byCreated.ParseCursor(cursor); !errors.Is(err, parkourmap.ErrAfterInvalid) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	for name, change := range map[string]func(*parkourmap.Search){
		"name":   func(s *parkourmap.Search) { s.Name = "ann" },
		"author": func(s *parkourmap.Search) { s.Author = "" },
		"id":     func(s *parkourmap.Search) { s.AuthorID = cloudstep.ID },
		"mode":   func(s *parkourmap.Search) { s.Mode = bonkmap.Grapple },
		"tags":   func(s *parkourmap.Search) { s.Tags = []string{"speed"} },
		"state":  func(s *parkourmap.Search) { s.Progress = event.Played },
	} {
		if p, err := byCreated.ParseCursor(in(parkourmap.ByCreated, change).Cursor(first)); err == nil {
			t.Errorf("of a search by another %s: %+v", name, p)
		}
	}
	paged := in(parkourmap.ByCreated, func(s *parkourmap.Search) { s.Page.Offset = 12 })
	checkError(t, "on the second page", parkourmap.ErrAfterInvalid, errorOf(paged.ParseCursor(byCreated.Cursor(first))))
	personal := in(parkourmap.ByRank, same)
	checkError(t, "in a personal order", parkourmap.ErrAfterInvalid, errorOf(personal.ParseCursor(personal.Cursor(sky))))
}

func TestParseMode(t *testing.T) {
	t.Parallel()
	for _, known := range []string{"", "Classic", "Grapple", "VTOL", "Arrows", "Death Arrows", "Simple"} {
		if mode, err := parkourmap.ParseMode(known); err != nil || known != "" && mode.String() != known {
			t.Errorf("ParseMode(%q) = %v, %v", known, mode, err)
		}
	}
	for _, unknown := range []string{"Football", "classic", "b", "View v1.3.0+"} {
		if _, err := parkourmap.ParseMode(unknown); !errors.Is(err, parkourmap.ErrModeUnknown) {
			t.Errorf("ParseMode(%q) = %v", unknown, err)
		}
	}
}

func TestParseProgress(t *testing.T) {
	t.Parallel()
	for _, known := range []event.ProgressFilter{"", event.Unplayed, event.Played, event.BelowGold, event.BelowAuthor,
		event.NotFirst, event.Near} {
		if filter, err := parkourmap.ParseProgress(string(known)); err != nil || filter != known {
			t.Errorf("ParseProgress(%q) = %v, %v", known, filter, err)
		}
	}
	for _, unknown := range []string{"Played", "belowSilver", "near,played"} {
		if _, err := parkourmap.ParseProgress(unknown); !errors.Is(err, parkourmap.ErrProgressUnknown) {
			t.Errorf("ParseProgress(%q) = %v", unknown, err)
		}
	}
}

func TestParseTags(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "tags", []string{"speed", "wall jump"}, parkourmap.ParseTags(" Speed,, wall jump ,"))
	if tags := parkourmap.ParseTags(""); tags != nil {
		t.Errorf("no tags = %v", tags)
	}
}

func TestReader_Search_long_term(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reader := parkourmap.Reader{Maps: b.maps}
	long := strings.Repeat("x", 101)
	for field, s := range map[string]parkourmap.Search{"name": {Name: long, Author: long}, "author": {Author: long}} {
		err := errorOf(reader.Search(t.Context(), s))
		checkError(t, "the error", parkourmap.ErrTermTooLong, err)
		if fields := problem.From(err).Fields; len(fields) != 1 || fields[0].Field != field {
			t.Errorf("the error is about %v, want %s", fields, field)
		}
	}
}
