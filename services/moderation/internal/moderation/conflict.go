package moderation

import (
	"context"
	"slices"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// Conflict is why somebody should not decide about a thing, as the API names it.
type Conflict string

// The conflicts of interest.
const (
	// OwnCase is a case about the moderator.
	OwnCase Conflict = "own"
	// OwnReport is a case about what the moderator has reported.
	OwnReport Conflict = "reporter"
	// Neighbour is a case about a record next to the moderator's on its leaderboard.
	Neighbour Conflict = "neighbour"
)

// Parties are a thing that somebody decides about, by a decision, by undoing one or by answering an appeal, and all who
// have a part in it.
type Parties struct {
	Thing Thing
	// Reporters are all who have ever reported the thing, also in cases that are closed.
	Reporters []string
	// Others are whom it concerns besides the thing's player: whom a decision has concerned, or whom a player is merged
	// into.
	Others []string
	// IsReview is true for undoing a decision and for an appeal. What is about themselves admins do not overrule there.
	IsReview bool
	// BarredModerator is who may not answer the appeal (see func barredModerator). It is empty where none is answered.
	BarredModerator string
}

// checkConflict returns the conflict of interest that an actor has and overrules, if there is one. For a conflict that
// the actor may not overrule, or does not want to, it returns ErrConflict besides.
func checkConflict(by access.Actor, parties Parties, override bool) (Conflict, error) {
	var conflict Conflict
	switch {
	case parties.BarredModerator == by.ID:
		return "", ErrConflict
	case parties.Thing.Subject.PlayerID == by.ID || slices.Contains(parties.Others, by.ID):
		conflict = OwnCase
	case slices.Contains(parties.Reporters, by.ID):
		conflict = OwnReport
	case parties.Thing.isNextTo(by.ID):
		conflict = Neighbour
	default:
		return "", nil
	}
	isFinal := conflict == OwnCase && parties.IsReview
	if override && !isFinal && by.Can(access.OverruleConflict) {
		return conflict, nil
	}
	return conflict, ErrConflict.WithData("conflict", conflict)
}

// isNextTo reports whether the thing is a record next to one of a player's on its leaderboard.
func (t Thing) isNextTo(playerID string) bool {
	return t.Record != nil && slices.ContainsFunc(t.Record.Neighbours, func(n event.RankedFinish) bool {
		return n.PlayerID == playerID
	})
}

// parties returns a thing as it is now, with who has reported it. It returns ErrSubjectUnknown, or a problem of kind
// unavailable.
func (d *Desk) parties(ctx context.Context, kind SubjectKind, id string) (Parties, error) {
	thing, err := d.Things.Get(ctx, kind, id)
	if err != nil {
		return Parties{}, err
	}
	return d.partiesOf(ctx, thing)
}

// partiesOf returns a thing with who has reported it.
func (d *Desk) partiesOf(ctx context.Context, thing Thing) (Parties, error) {
	reporters, err := d.Cases.Reporters(ctx, thing.Subject.Kind, thing.Subject.ID)
	return Parties{Thing: thing, Reporters: reporters}, err
}

// reviewParties returns what a decision was made about, for who undoes it or answers an appeal against it.
func (d *Desk) reviewParties(ctx context.Context, about Decision) (Parties, error) {
	parties, err := d.parties(ctx, about.Subject.Kind, about.Subject.ID)
	parties.Others, parties.IsReview = []string{about.Subject.PlayerID}, true
	return parties, err
}

// noteOf returns what the audit log says of an overruled conflict in what concerns a player. Where it tells who has
// reported, it names the player, who does not see the row.
func noteOf(overruled Conflict, playerID string) map[string]any {
	note := map[string]any{}
	if overruled != "" {
		note["conflictOverruled"] = overruled
	}
	if overruled == OwnReport {
		note["playerId"] = playerID
	}
	return note
}
