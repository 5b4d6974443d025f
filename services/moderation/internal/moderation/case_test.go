package moderation

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/problem"
)

var now = time.Date(2026, 5, 11, 18, 0, 0, 0, time.UTC)

// The cases of the tests: open and without a claim, claimed by ann until later, by ann before, and closed.
var (
	freeCase    = Case{ID: "c", Subject: Subject{ID: "s"}, State: CaseOpen}
	claimedCase = Case{ID: "c", State: CaseOpen, Claim: &Claim{PlayerID: "ann", Until: now.Add(time.Minute)}}
	endedCase   = Case{ID: "c", State: CaseOpen, Claim: &Claim{PlayerID: "ann", Until: now}}
	closedCase  = Case{ID: "c", State: CaseClosed}
)

func TestCase_ClaimBy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, by string
		c        Case
		takeOver bool
		isNew    bool
		want     error
	}{
		{"a free case", "bob", freeCase, false, true, nil},
		{"the own", "ann", claimedCase, false, false, nil},
		{"another one's", "bob", claimedCase, false, false, ErrCaseClaimed},
		{"another one's, taken over", "bob", claimedCase, true, true, nil},
		{"another one's that has ended", "bob", endedCase, false, true, nil},
		{"the own that has ended", "ann", endedCase, false, true, nil},
		{"a closed one", "bob", closedCase, true, false, ErrCaseClosed},
	} {
		change, err := tt.c.ClaimBy(
			access.Attribution{Actor: access.Player(tt.by, "Name", nil)}, tt.takeOver, Neighbour, now)
		claim, entries := change.Value, change.Entries
		if !errors.Is(err, tt.want) || (len(entries) == 1) != tt.isNew {
			t.Errorf("%s: %v, want %v; %d rows of the audit log", tt.name, err, tt.want, len(entries))
		}
		if errors.Is(err, ErrCaseClaimed) && problem.From(err).Data["claim"] == nil {
			t.Errorf("%s: who has the case is not said", tt.name)
		}
		if want := (Claim{tt.by, "Name", now.Add(ClaimPeriod), true}); err == nil && claim != want {
			t.Errorf("%s: %+v, want %+v", tt.name, claim, want)
		}
		if tt.isNew && (entries[0].After["conflictOverruled"] != Neighbour || entries[0].After["caseId"] != "c") {
			t.Errorf("%s: the audit log says %v", tt.name, entries[0].After)
		}
	}
}

func TestCase_checkDecider(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, by string
		c        Case
		want     error
	}{
		{"a free case", "bob", freeCase, ErrCaseNotClaimed},
		{"the own", "ann", claimedCase, nil},
		{"the own that has ended", "ann", endedCase, nil},
		{"another one's", "bob", claimedCase, ErrCaseClaimed},
		{"another one's that has ended", "bob", endedCase, ErrCaseNotClaimed},
		{"a closed one", "ann", closedCase, ErrCaseClosed},
	} {
		if err := tt.c.checkDecider(tt.by, now); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}
