package moderation

import (
	"errors"
	"strings"
	"testing"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/problem"
)

func TestNewReport(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		kind   SubjectKind
		reason access.PublicReason
		text   string
		want   string
		err    error
	}{
		{"a reason of records", OfRecord, access.Edited, "", "", nil},
		{"a reason of maps", OfMap, access.Stolen, " by me \n", "by me", nil},
		{"a reason of players", OfPlayer, access.AltAccount, "", "", nil},
		{"a reason of another kind", OfRecord, access.Stolen, "", "", ErrReportReason},
		{"a reason of decisions", OfRecord, access.Mistake, "", "", ErrReportReason},
		{"another reason", OfMap, access.Other, "it is not a map", "it is not a map", nil},
		{"another reason without a text", OfMap, access.Other, "          ", "", ErrReportText},
		{"nine characters", OfMap, access.Other, "123456789", "", ErrReportText},
		{"the longest text", OfMap, access.Broken, strings.Repeat("é", 1000), strings.Repeat("é", 1000), nil},
		{"a text that is too long", OfMap, access.Broken, strings.Repeat("é", 1001), "", ErrReportText},
		{"NUL", OfMap, access.Broken, "a\x00b", "", ErrReportText},
		{"not UTF-8", OfMap, access.Broken, "a\xffb", "", ErrReportText},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := NewReport(tt.kind, tt.reason, tt.text)
			if !errors.Is(err, tt.err) || err == nil && (got.Text != tt.want || got.Reason != tt.reason) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestAccuracy_Weight(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ confirmed, closed, want int }{
		{0, 0, 20}, {0, 3, 20}, {3, 3, 20}, // unknown
		{0, 4, 4}, {2, 4, 20}, {4, 4, 36}, {20, 20, 39}, {0, 20, 1}, {10, 20, 20},
	} {
		if got := (Accuracy{tt.confirmed, tt.closed}).Weight(); got != tt.want {
			t.Errorf("%d of %d: %d, want %d", tt.confirmed, tt.closed, got, tt.want)
		}
	}
}

func TestReporter_May(t *testing.T) {
	t.Parallel()
	report := Report{Reason: access.Edited, Text: "It is.", At: now}
	about := Subject{Kind: OfRecord, PlayerID: "ann"}
	own := func(text string) *Report { return &Report{ID: "first", Reason: access.Edited, Text: text} }
	oldest := now.Add(-23 * time.Hour)
	for _, tt := range []struct {
		name     string
		reporter Reporter
		want     error
	}{
		{"the first", Reporter{ID: "bob"}, nil},
		{"the tenth of a day", Reporter{ID: "bob", Today: 9, Oldest: oldest}, nil},
		{"the eleventh of a day", Reporter{ID: "bob", Today: 10, Oldest: oldest}, ErrReportsFull},
		{"the own", Reporter{ID: "ann"}, ErrReportOwn},
		{"another one of the same", Reporter{ID: "bob", Own: own("It is not.")}, ErrReportExists},
		{"the same again", Reporter{ID: "bob", Own: own("It is."), Today: 10, Oldest: oldest}, nil},
	} {
		err := tt.reporter.May(report, about)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if errors.Is(err, ErrReportsFull) && problem.From(err).RetryAfter != time.Hour {
			t.Errorf("%s: try again after %s", tt.name, problem.From(err).RetryAfter)
		}
	}
}
