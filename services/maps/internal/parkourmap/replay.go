package parkourmap

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/semaphore"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

const (
	maxNameLength   = 100 // of a map, in characters
	maxContributors = 50  // the others are ignored
)

// parseReplay parses a replay that a player with the names submits. It returns the
// first rule that the replay breaks.
func parseReplay(ctx context.Context, file []byte, names []string, now time.Time) (*lbreplay.Replay, error) {
	switch {
	case len(file) == 0:
		return nil, event.ErrReplayMissing
	case len(file) > MaxReplaySize:
		return nil, ErrReplayTooLarge
	}
	replay, err := parseFile(ctx, file, now)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, event.ErrReplayInvalid.Wrap(err)
	case !replay.Validated:
		return nil, event.ErrReplayNotValidated
	case len(replay.Disagreements) > 0:
		return nil, disagreement(replay)
	case !playername.OneOf(replay.PlayerName, names...):
		return nil, event.ErrReplayNotYours
	}
	return replay, nil
}

// parseSlots limits the parsing and drawing to one replay at a time: a map of a few kilobytes may
// decode to tens of megabytes.
var parseSlots = semaphore.NewWeighted(1)

func parseFile(ctx context.Context, file []byte, now time.Time) (*lbreplay.Replay, error) {
	if err := parseSlots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer parseSlots.Release(1)
	return lbreplay.Parse(file, now)
}

// disagreement names the labels of the replay that differ from its map data.
func disagreement(replay *lbreplay.Replay) error {
	refused := event.ErrReplayDisagrees
	for _, d := range replay.Disagreements {
		refused = refused.WithField("replayFile", fmt.Sprintf("The %s is %q by its label and %q by the map data.",
			d.Subject, printable(d.Label, maxNameLength), printable(d.Data, maxNameLength)))
	}
	return refused
}

// checkMap returns the first rule that the map breaks.
func checkMap(m *bonkmap.Map) error {
	switch {
	case m == nil:
		return event.ErrMapDataMissing
	case m.ID <= 0:
		return ErrMapIDMissing
	case !isReadable(m.Name) || utf8.RuneCountInString(strings.TrimSpace(m.Name)) > maxNameLength:
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

// canBeFinished reports whether a capture zone of the map has a fixture.
func canBeFinished(m *bonkmap.Map) bool {
	for _, zone := range m.CapZones {
		if zone.Fixture != bonkmap.None {
			return true
		}
	}
	return false
}

// checkTimes checks the replay's finish time and time stamp.
func checkTimes(replay *lbreplay.Replay) error {
	switch {
	case replay.FinishTime <= 0:
		return event.ErrFinishTimeMissing
	case replay.TimestampFault == lbreplay.TimestampUnreadable:
		return event.ErrTimestampUnreadable
	case replay.TimestampFault == lbreplay.TimestampAhead:
		return event.ErrReplayFromFuture
	case replay.TimestampFault == lbreplay.TimestampTooOld:
		return event.ErrReplayTooOld // it would win every tie
	}
	return nil
}

// newMap returns the first version of a map, by its submitter, with what the replay knows of it.
func newMap(id string, p parsedReplay) Map {
	game := p.replay.Map
	m := Map{
		ID:            id,
		Version:       1,
		GameMapID:     int64(game.ID),
		MapVersion:    1,
		Name:          strings.TrimSpace(game.Name),
		Mode:          game.Mode,
		AuthorID:      p.submitter.ID,
		SubmittedByID: p.submitter.ID,
		Tags:          []string{},
		Contributors:  []string{},
		Fingerprint:   game.PhysicsFingerprint().String(),
		CreatedAt:     p.submittedAt,
		UpdatedAt:     p.submittedAt,
	}
	for _, name := range game.Contributors {
		if playername.Check(name) == nil && len(m.Contributors) < maxContributors {
			m.Contributors = append(m.Contributors, strings.TrimSpace(name))
		}
	}
	if original, ok := game.Remix(); ok {
		m.RemixOf = &Remix{
			GameMapID: int64(original.ID),
			Name:      printable(original.Name, maxNameLength),
			Author:    printable(original.Author, playername.MaxLength),
		}
	}
	return m
}
