package parkourmap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/readable"
	"capzone.dev/platform/replayproblem"
)

const (
	maxNameLength   = 100 // of a map, in characters
	maxContributors = 50  // the others are ignored
)

// Parser parses replays, and decodes and draws maps, one at a time: a map of a few kilobytes may decode to tens of
// megabytes. It may be used concurrently.
type Parser struct{ slots *semaphore.Weighted }

// NewParser returns a parser.
func NewParser() *Parser { return &Parser{semaphore.NewWeighted(1)} }

// parse parses a replay that a player with the names submits, and makes the checks that it and the
// map in it allow. It returns the first of the rules for every replay that it breaks.
func (p *Parser) parse(
	ctx context.Context, file []byte, names []string, now time.Time,
) (*lbreplay.Replay, replaycheck.List, error) {
	switch {
	case len(file) == 0:
		return nil, nil, ErrReplayMissing
	case len(file) > MaxReplaySize:
		return nil, nil, ErrReplayTooLarge
	}
	replay, err := p.parseFile(ctx, file, now)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		return nil, nil, ErrReplayInvalid.Wrap(err)
	}
	var inFile *replaycheck.Map
	if replay.Map != nil {
		inFile = replaycheck.MapOf(replay.Map)
	}
	checks := append(replaycheck.OfFile(replay, inFile),
		replaycheck.OfPlayer(playername.OneOf(replay.PlayerName, names...)))
	if err := problemOf(checks, replaycheck.Validated); err != nil {
		return nil, nil, err
	}
	if len(replay.Disagreements) > 0 {
		return nil, nil, disagreement(replay)
	}
	return replay, checks, problemOf(checks, replaycheck.OwnReplay, replaycheck.ReadByServer)
}

func (p *Parser) parseFile(ctx context.Context, file []byte, now time.Time) (*lbreplay.Replay, error) {
	if err := p.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer p.slots.Release(1)
	return lbreplay.Parse(file, now)
}

// disagreement names the labels of the replay that differ from its map data.
func disagreement(replay *lbreplay.Replay) error {
	refused := ErrReplayDisagrees
	for _, d := range replay.Disagreements {
		refused = refused.WithField("replayFile", "label_disagrees",
			fmt.Sprintf("The %s is %q by its label and %q by the map data.",
				d.Subject, printable(d.Label, maxNameLength), printable(d.Data, maxNameLength)))
	}
	return refused
}

// parsedReplay is a replay that its submitter may submit, with a map that is fit for the site.
type parsedReplay struct {
	replay    *lbreplay.Replay
	mode      bonkmap.Mode
	by        access.Attribution
	submitter Player
	// names are those that the submitter has or had.
	names       []string
	submittedAt time.Time
}

// drawn returns the map as it is drawn: in its mode, also where its data has none.
func (p parsedReplay) drawn() *bonkmap.Map {
	m := *p.replay.Map
	m.Mode = p.mode
	return &m
}

// parse parses a replay and checks it, the map in it and its submitter. The mode is that of a map for which neither its
// data nor the label of the replay names one.
func (s *Submitter) parse(
	ctx context.Context, by access.Attribution, action access.Action, file []byte, mode bonkmap.Mode,
) (parsedReplay, error) {
	named := by.Actor.Name // by the token, which may be that of a player who was merged since
	submitter, by, err := access.Authorize(ctx, by, action, s.Players.Get)
	switch {
	case errors.Is(err, access.ErrForbidden) && submitter.Banned:
		return parsedReplay{}, ErrSubmitterBanned
	case err != nil:
		return parsedReplay{}, err
	}
	now := event.InMillis(s.Now())
	names := append([]string{named, submitter.Name}, submitter.FormerNames...)
	replay, checks, err := s.Parser.parse(ctx, file, names, now)
	if err != nil {
		return parsedReplay{}, err
	}
	if mode, err = checkMap(replay, names, mode); err != nil {
		return parsedReplay{}, err
	}
	err = problemOf(checks, replaycheck.FinishUnambiguous, replaycheck.FinishTimeGiven, replaycheck.WholeFrames,
		replaycheck.TimeStampPlausible)
	switch {
	case errors.Is(err, ErrReplayFromFuture):
		return parsedReplay{}, replayproblem.Ahead(now, replaycheck.AcceptedFrom(now, replay.Ahead), replay.Ahead)
	case err != nil:
		return parsedReplay{}, err
	}
	return parsedReplay{replay: replay, mode: mode, by: by, submitter: submitter, names: names, submittedAt: now}, nil
}

// checkMap returns the mode of the map in a replay, or the first rule for maps that the map breaks, but for that of
// an ambiguous finish. The mode is that of the map data, else that of the label, else the asked one. The names are
// those that the submitter has and had.
func checkMap(replay *lbreplay.Replay, names []string, asked bonkmap.Mode) (bonkmap.Mode, error) {
	m := replay.Map
	switch {
	case m.ID <= 0:
		return bonkmap.NoMode, ErrMapIDMissing
	case !readable.Is(m.Name) || readable.Length(m.Name) > maxNameLength:
		return bonkmap.NoMode, ErrMapNameInvalid
	case playername.Check(m.Author) != nil:
		return bonkmap.NoMode, ErrMapAuthorInvalid
	}
	mode := cmp.Or(m.Mode, replay.LabelMode, asked)
	switch {
	case mode == bonkmap.NoMode:
		return bonkmap.NoMode, ErrModeMissing
	case !mode.Parkour():
		return bonkmap.NoMode, ErrModeUnsupported
	case replaycheck.OfMode(replay, mode).Failure == replaycheck.GameModeDiffers:
		return bonkmap.NoMode, modeDiffers(replay.LabelMode, mode)
	case isUnsavedEdit(m, names):
		return bonkmap.NoMode, ErrMapNotSaved
	case !m.HasFinish():
		return bonkmap.NoMode, ErrFinishMissing
	}
	return mode, nil
}

// modeDiffers returns ErrGameModeDiffers with both modes.
func modeDiffers(played, leaderboard bonkmap.Mode) error {
	return ErrGameModeDiffers.WithMessage("game_modes", "This replay was played in {played}; this leaderboard is for {mode}.").
		WithData("played", played.String()).WithData("mode", leaderboard.String())
}

// isUnsavedEdit reports whether the map is an edit of another author's map that was not saved in the game: it still has
// the game map id of the original. Both authors may be names of the submitter.
func isUnsavedEdit(m *bonkmap.Map, names []string) bool {
	original, isRemix := m.Remix()
	sameAuthor := playername.Same(original.Author, m.Author) ||
		playername.OneOf(original.Author, names...) && playername.OneOf(m.Author, names...)
	return isRemix && int64(original.ID) == int64(m.ID) && !sameAuthor
}

// newMap returns the first version of a map, by its submitter, with what the replay knows of it.
func newMap(id string, p parsedReplay) Map {
	game := p.replay.Map
	m := Map{
		ID: id, Version: 1, GameMapID: int64(game.ID), MapVersion: 1, Name: strings.TrimSpace(game.Name), Mode: p.mode,
		AuthorID: p.submitter.ID, SubmittedByID: p.submitter.ID, Tags: []string{}, Contributors: []string{},
		Fingerprint: game.PhysicsFingerprint().String(), CreatedAt: p.submittedAt, UpdatedAt: p.submittedAt,
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
