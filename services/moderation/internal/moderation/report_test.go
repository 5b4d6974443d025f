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

func TestReporter_Report(t *testing.T) {
	t.Parallel()
	report := Report{ID: "r", CaseID: "c", Reason: access.Edited, Text: "It is.", At: now}
	about := Subject{Kind: OfRecord, ID: "s", PlayerID: "ann"}
	own := func(text string) *Report { return &Report{ID: "first", Reason: access.Edited, Text: text} }
	oldest := now.Add(-23 * time.Hour)
	for _, tt := range []struct {
		name, by string
		reporter Reporter
		// id is that of the report that there is then.
		id   string
		want error
	}{
		{"the first", "bob", Reporter{Accuracy: Accuracy{1, 2}}, "r", nil},
		{"the tenth of a day", "bob", Reporter{Today: 9, Oldest: oldest}, "r", nil},
		{"the eleventh of a day", "bob", Reporter{Today: 10, Oldest: oldest}, "", ErrReportsFull},
		{"the own", "ann", Reporter{}, "", ErrReportOwn},
		{"another one of the same", "bob", Reporter{Own: own("It is not.")}, "", ErrReportExists},
		{"the same again", "bob", Reporter{Own: own("It is."), Today: 10, Oldest: oldest}, "first", nil},
	} {
		change, err := tt.reporter.Report(access.Attribution{Actor: access.Player(tt.by, "", nil)}, about, report)
		got, entries := change.Value, change.Entries
		isNew, isRepeated := tt.id == "r", tt.id == "first"
		if !errors.Is(err, tt.want) || got.ID != tt.id || (len(entries) == 1) != isNew || change.IsRepeated != isRepeated {
			t.Errorf("%s: %+v, %v, want %v; %d rows of the audit log", tt.name, got, err, tt.want, len(entries))
		}
		if tt.id == "r" && (got.ReporterID != tt.by || got.Accuracy != tt.reporter.Accuracy || entries[0].Target != "s") {
			t.Errorf("%s: %+v, %+v", tt.name, got, entries)
		}
		if errors.Is(err, ErrReportsFull) && problem.From(err).RetryAfter != time.Hour {
			t.Errorf("%s: try again after %s", tt.name, problem.From(err).RetryAfter)
		}
	}
}
