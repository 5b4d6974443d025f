package parkourmap

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/semaphore"
)

const (
	maxMapName      = 100 // characters
	maxContributors = 50  // more than that is noise
)

// readReplay reads the replay of a submission, whose submitter has the names, and
// returns the first thing wrong with it.
func readReplay(ctx context.Context, in Submission, names []string, now time.Time) (*lbreplay.Replay, error) {
	switch {
	case len(in.Replay) == 0:
		return nil, ErrReplayMissing
	case len(in.Replay) > MaxReplaySize:
		return nil, ErrReplayTooLarge
	}
	replay, err := parse(ctx, in.Replay, now)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, ErrReplayInvalid.Wrap(err)
	case !replay.Validated:
		return nil, ErrReplayNotValidated
	case len(replay.Disagreements) > 0:
		return nil, disagreement(replay)
	case !playername.OneOf(replay.PlayerName, names...):
		return nil, ErrReplayNotYours
	}
	return replay, nil
}

// parsing admits one replay at a time: a map of a few kilobytes may unfold into
// tens of megabytes.
var parsing = semaphore.New(1)

// parse is lbreplay.Parse, one file after the other, as long as ctx allows.
func parse(ctx context.Context, file []byte, now time.Time) (*lbreplay.Replay, error) {
	done, err := parsing.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return lbreplay.Parse(file, now)
}

// disagreement says what the labels claim and the map data denies.
func disagreement(replay *lbreplay.Replay) error {
	refused := ErrReplayDisagrees
	for _, d := range replay.Disagreements {
		refused = refused.WithField("replayFile", fmt.Sprintf("The %s is %q by its label and %q by the map data.",
			d.Subject, printable(d.Label, maxMapName), printable(d.Data, maxMapName)))
	}
	return refused
}

// checkMap returns the first reason why the map cannot be in the catalogue.
func checkMap(m *bonkmap.Map) error {
	switch {
	case m == nil:
		return ErrMapDataMissing
	case m.ID <= 0:
		return ErrMapIDMissing
	case !readable(m.Name) || utf8.RuneCountInString(strings.TrimSpace(m.Name)) > maxMapName:
		return ErrMapNameInvalid
	case playername.Check(m.Author) != nil:
		return ErrMapAuthorInvalid
	case !m.Mode.Parkour():
		return ErrModeUnsupported
	case !canBeFinished(m):
		return ErrFinishMissing
	case m.FinishIsAmbiguous():
		return ErrFinishAmbiguous
	}
	return nil
}

// canBeFinished tells whether any capture zone is somewhere.
func canBeFinished(m *bonkmap.Map) bool {
	for _, zone := range m.CapZones {
		if zone.Fixture != bonkmap.None {
			return true
		}
	}
	return false
}

// checkRun returns what is wrong with the time of the run.
func checkRun(replay *lbreplay.Replay) error {
	switch {
	case replay.FinishTime <= 0:
		return ErrFinishTimeMissing
	case replay.TimestampFault == lbreplay.TimestampUnreadable:
		return ErrTimestampUnreadable
	case replay.TimestampFault == lbreplay.TimestampAhead:
		return ErrReplayFromFuture
	case replay.TimestampFault == lbreplay.TimestampTooOld:
		return ErrReplayTooOld // which would win every tie
	}
	return nil
}

// mapOf drafts the map from what the game says of it.
func mapOf(m *bonkmap.Map) Map {
	draft := Map{
		BonkDBID:     int64(m.ID),
		Name:         strings.TrimSpace(m.Name),
		Mode:         m.Mode,
		Contributors: []string{},
		Fingerprint:  m.PhysicsFingerprint().String(),
	}
	for _, name := range m.Contributors {
		if playername.Check(name) == nil && len(draft.Contributors) < maxContributors {
			draft.Contributors = append(draft.Contributors, strings.TrimSpace(name))
		}
	}
	if original, ok := m.Remix(); ok {
		draft.RemixOf = &Remix{
			BonkDBID: int64(original.ID),
			Name:     printable(original.Name, maxMapName),
			Author:   printable(original.Author, playername.MaxLength),
		}
	}
	return draft
}

// readable tells whether a text can be shown, and has anything to show.
func readable(text string) bool {
	return utf8.ValidString(text) && strings.TrimSpace(text) != "" &&
		!strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// printable returns what can be shown of a text, at most limit characters.
func printable(text string, limit int) string {
	kept := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if runes := []rune(kept); len(runes) > limit {
		kept = string(runes[:limit])
	}
	return strings.TrimSpace(kept)
}
