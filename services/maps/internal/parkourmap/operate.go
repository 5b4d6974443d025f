package parkourmap

import (
	"context"
	"strings"
	"unicode/utf8"
)

const maxReasonLength = 500 // characters

// Attribution is who changes a map and why, for the audit log.
type Attribution struct {
	// Operator is an account on the machine.
	Operator string
	// Reason may be empty where none is required.
	Reason string
}

// Editor changes maps of the catalogue. Each change stores its events and an entry of the
// audit log.
type Editor interface {
	// Remove removes one version of a map: it is no longer found and its images are deleted. After
	// the newest version, the newest remaining one is found by searches. It returns ErrMapUnknown,
	// also for an invalid id, or ErrAlreadyRemoved.
	Remove(ctx context.Context, id string, by Attribution) error
	// Reassign makes the player the author of the map and of its other versions by the same
	// author, without removed ones. It returns ErrMapUnknown, also for a removed map,
	// ErrAlreadyAuthor, or event.ErrPlayerMerged.
	Reassign(ctx context.Context, id string, author Player, by Attribution) error
}

// Operator runs the commands of the site's operator.
type Operator struct {
	// Account is the operator's account, for the audit log.
	Account string
	Maps    Editor
	Players *Players
}

// Remove removes one version of a map. The version cannot be submitted again, and when all versions
// are removed, no other can. Replay and map data are kept for an appeal. It returns ErrMapUnknown,
// ErrAlreadyRemoved, ErrReasonMissing or ErrReasonInvalid.
func (o *Operator) Remove(ctx context.Context, id, reason string) error {
	reason, err := parseReason(reason)
	if err != nil {
		return err
	}
	if reason == "" {
		return ErrReasonMissing
	}
	return o.Maps.Remove(ctx, id, Attribution{Operator: o.Account, Reason: reason})
}

// Reassign corrects the author of a map and of its other versions by the same author. It returns
// the new author, created as a placeholder where no player has the name. Medal times and submitter
// do not change. It returns ErrMapUnknown, ErrAlreadyAuthor, event.ErrPlayerMerged,
// ErrReasonInvalid, playername.ErrInvalid, or a problem of kind unavailable where the name has no
// copy and the players service cannot be asked.
func (o *Operator) Reassign(ctx context.Context, id, name, reason string) (Player, error) {
	reason, err := parseReason(reason)
	if err != nil {
		return Player{}, err
	}
	author, err := o.Players.ByName(ctx, name)
	if err != nil {
		return Player{}, err
	}
	return author, o.Maps.Reassign(ctx, id, author, Attribution{Operator: o.Account, Reason: reason})
}

func parseReason(text string) (string, error) {
	reason := strings.TrimSpace(text)
	if !utf8.ValidString(reason) || utf8.RuneCountInString(reason) > maxReasonLength || strings.ContainsRune(reason, 0) {
		return "", ErrReasonInvalid
	}
	return reason, nil
}
