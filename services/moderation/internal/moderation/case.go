package moderation

import (
	"slices"
	"time"

	"capzone.dev/platform/access"
)

// CaseState is whether a case is decided.
type CaseState string

// The states of cases.
const (
	CaseOpen   CaseState = "open"
	CaseClosed CaseState = "closed"
)

// ClaimPeriod is how long a claim lasts after the last work on its case.
const ClaimPeriod = 20 * time.Minute

// Claim is whom a case belongs to, and until when.
type Claim struct {
	PlayerID string
	Until    time.Time
}

// Case is everything that was reported of one thing until it was decided.
type Case struct {
	ID string
	Subject
	State    CaseState
	Priority int
	// Reports and Flags count the reports and the flags that are not silent.
	Reports, Flags     int
	OpenedAt, ClosedAt time.Time
	// Claim is nil where nobody has claimed the case, or the claim has ended.
	Claim *Claim
	// DecisionID is the decision that has closed the case.
	DecisionID string
}

// Conflict is why somebody should not judge a case, as the API names it.
type Conflict string

// The conflicts of interest.
const (
	// OwnCase is a case about the moderator.
	OwnCase Conflict = "own"
	// OwnReport is a case that the moderator has reported.
	OwnReport Conflict = "reporter"
	// Neighbour is a case about a record next to the moderator's on its leaderboard.
	Neighbour Conflict = "neighbour"
)

// FindConflict returns why a player should not judge a thing that reporters have reported, or an empty text.
func FindConflict(playerID string, thing Thing, reporters []string) Conflict {
	switch {
	case thing.PlayerID == playerID:
		return OwnCase
	case slices.Contains(reporters, playerID):
		return OwnReport
	case thing.Record != nil:
		for _, n := range thing.Record.Neighbours {
			if n.PlayerID == playerID {
				return Neighbour
			}
		}
	}
	return ""
}

// checkConflict returns ErrConflict for a conflict that the actor may not overrule, or does not want to.
func checkConflict(by access.Actor, conflict Conflict, override bool) error {
	if conflict == "" || override && by.Can(access.OverruleConflict) {
		return nil
	}
	return ErrConflict.WithData("conflict", conflict)
}
