package leaderboard_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

const cursorID = "01970000-0000-7000-8000-0000000000ab"

func TestPosition_Cursor(t *testing.T) {
	t.Parallel()
	r := record.Record{
		ID: cursorID, FinishTime: 41_267, FinishTimeStamp: time.Date(2026, 5, 11, 18, 30, 0, 123_456_000, time.UTC),
		CreatedAt: time.Date(2026, 5, 12, 6, 0, 0, 7_000, time.UTC),
	}
	cursors := map[string]bool{}
	for _, by := range []leaderboard.SortBy{leaderboard.ByUpdated, leaderboard.ByTime} {
		for _, descending := range []bool{false, true} {
			sort, want := leaderboard.Sort{By: by, Descending: descending}, leaderboard.PositionOf(r, by)
			cursor := want.Cursor(sort, annID)
			got, err := leaderboard.ParseCursor(cursor, sort, annID)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%+v: %v (-want +got):\n%s", sort, err, diff)
			}
			cursors[cursor] = true
			other := leaderboard.Sort{By: by, Descending: !descending}
			if _, err := leaderboard.ParseCursor(cursor, other, annID); !errors.Is(err, leaderboard.ErrCursorInvalid) {
				t.Errorf("%+v takes the cursor of %+v: %v", other, sort, err)
			}
			for _, of := range []string{"", bobID} {
				if _, err := leaderboard.ParseCursor(cursor, sort, of); !errors.Is(err, leaderboard.ErrCursorInvalid) {
					t.Errorf("the list of %q takes the cursor of another: %v", of, err)
				}
			}
		}
	}
	if len(cursors) != 4 {
		t.Errorf("the cursors of orders are the same: %v", cursors)
	}
}

func TestParseCursor_invalid(t *testing.T) {
	t.Parallel()
	encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for name, cursor := range map[string]string{
		"empty":                   "",
		"no base64":               "next page",
		"padded":                  base64.URLEncoding.EncodeToString([]byte("t  100 0 " + cursorID + " ")),
		"long":                    strings.Repeat("A", 200),
		"no order":                encode(" 100 0 " + cursorID),
		"unknown order":           encode("x  100 0 " + cursorID),
		"an id in capitals":       encode("t  100 0 " + strings.ToUpper(cursorID)),
		"no id":                   encode("t  100 0 skyline"),
		"a finish time below 0":   encode("t  -1 0 " + cursorID),
		"a finish time too great": encode("t  2147483648 0 " + cursorID),
		"a time out of range":     encode("t  100 9223372036854775807 " + cursorID),
		"another spelling":        encode("t  0100 0 " + cursorID),
		"a sign":                  encode("t  +100 0 " + cursorID),
		"more":                    encode("t  100 0 " + cursorID + " 1"),
	} {
		_, err := leaderboard.ParseCursor(cursor, leaderboard.FastestFirst, "")
		if !errors.Is(err, leaderboard.ErrCursorInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := leaderboard.ParseCursor(encode("t  100 0 "+cursorID), leaderboard.FastestFirst, ""); err != nil {
		t.Errorf("a cursor: %v", err)
	}
}

func FuzzParseCursor(f *testing.F) {
	f.Add(leaderboard.Position{ID: cursorID}.Cursor(leaderboard.Newest, ""))
	f.Fuzz(func(t *testing.T, cursor string) {
		for _, sort := range []leaderboard.Sort{leaderboard.Newest, leaderboard.FastestFirst} {
			if p, err := leaderboard.ParseCursor(cursor, sort, ""); err == nil && p.Cursor(sort, "") != cursor {
				t.Errorf("%q is %+v, whose cursor is %q", cursor, p, p.Cursor(sort, ""))
			}
		}
	})
}
