package parkourmap

import (
	"context"
	"strings"
	"unicode/utf8"
)

const maxReason = 500 // characters

// Attribution says for the audit who changes something, and why.
type Attribution struct {
	// Operator is an account on the machine.
	Operator string
	// Reason may be empty where none is asked for.
	Reason string
}

// Corrections changes maps that are in the catalogue.
type Corrections interface {
	// Remove takes the map down for good: it is found no more, its pictures go, its tombstone and the fact are told,
	// and the audit says who did it and why. Returns ErrMapUnknown, also for what is no id at all, or ErrRemovedAlready.
	Remove(ctx context.Context, id string, by Attribution) error
	// Reassign makes the player the map's author, tells the new state and the fact, and leaves an audit row. Returns
	// ErrMapUnknown, also for a removed map, ErrAuthorAlready, or ErrPlayerMerged.
	Reassign(ctx context.Context, id string, author Player, by Attribution) error
}

// Operator acts for whoever runs the site, on the machine itself. Each act leaves
// an entry in the audit log.
type Operator struct {
	// Account is who acts, for the audit log.
	Account string
	Maps    Corrections
	Players *Players
}

// Remove takes a map down. Its id in the game cannot be submitted again; the replay
// and the map's data stay for an appeal. Returns ErrMapUnknown, ErrRemovedAlready,
// ErrReasonMissing or ErrReasonInvalid.
func (o *Operator) Remove(ctx context.Context, id, reason string) error {
	reason, err := readReason(reason)
	if err != nil {
		return err
	}
	if reason == "" {
		return ErrReasonMissing
	}
	return o.Maps.Remove(ctx, id, Attribution{Operator: o.Account, Reason: reason})
}

// Reassign corrects a map's author and returns them. Medal times stay as they are,
// and so does who submitted the map. A name that nobody has becomes a placeholder.
// Returns ErrMapUnknown, ErrAuthorAlready, ErrPlayerMerged, ErrReasonInvalid,
// playername.ErrInvalid, or a problem of kind unavailable where the name is not known here and players
// cannot be asked.
func (o *Operator) Reassign(ctx context.Context, id, name, reason string) (Player, error) {
	reason, err := readReason(reason)
	if err != nil {
		return Player{}, err
	}
	author, err := o.Players.ByName(ctx, name)
	if err != nil {
		return Player{}, err
	}
	return author, o.Maps.Reassign(ctx, id, author, Attribution{Operator: o.Account, Reason: reason})
}

func readReason(text string) (string, error) {
	reason := strings.TrimSpace(text)
	if !utf8.ValidString(reason) || utf8.RuneCountInString(reason) > maxReason || strings.ContainsRune(reason, 0) {
		return "", ErrReasonInvalid
	}
	return reason, nil
}
