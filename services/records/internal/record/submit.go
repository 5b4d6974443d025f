package record

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

// Caller is who submits, as the access token says.
type Caller struct{ ID, Name string }

// Submission is what came in.
type Submission struct {
	By Caller
	// Replay is the file. Of one that is too large it is enough to hold one byte
	// more than MaxReplaySize.
	Replay []byte
	// SelectedMap is the id of the map that the submitter means; empty when they
	// leave that to the replay.
	SelectedMap string
}

// Outcome is what came of a submission.
type Outcome struct {
	Entry
	Standing
}

// Addition is a run with everything that commits with it.
type Addition struct {
	Run    Run
	Replay Upload
	// Delivery is the message that the run came with, and empty when a player
	// handed it in.
	Delivery Delivery
}

// Delivery names a message and who consumes it.
type Delivery struct{ Consumer, ID string }

// Found is what a submission meets. Each is nil where there is none.
type Found struct {
	// Player is the copy of who submits, also a tombstone.
	Player *Player
	// Map is the copy of the standing map with the game's id that the replay tells.
	Map *Map
	// Twin is the run's twin on that map (see Runs.Twin).
	Twin *Run
}

// Runs is where runs are kept.
type Runs interface {
	// LookUp looks for everything that a submission is judged by at once. Of the run
	// its hash, time and moment are known; mapID is the game's own id of its map.
	LookUp(ctx context.Context, playerID string, mapID int64, r Run) (Found, error)
	// Twin returns the run, removed or not, that has the replay of r or, where there is none, its moment. It returns
	// ErrRecordUnknown where there is neither.
	Twin(ctx context.Context, r Run) (Run, error)
	// Add keeps the run, ranks it, counts it and tells of it in one transaction. Of several twins at once one wins, the
	// others get what AgainstTwin returns. Returns ErrMapRemoved for a map that has just been taken down, ErrPlayerMerged
	// for a player who has just been merged into another, and ErrDelivered.
	Add(ctx context.Context, a Addition) (Standing, error)
}

// ErrDelivered says that a message has had its effect before.
var ErrDelivered = errors.New("record: the message was delivered before")

// Replays is where replay files are kept.
type Replays interface {
	// Keep stores a file under its hash until a run names it. Returns a problem of kind unavailable.
	Keep(ctx context.Context, hash string, file []byte) (Upload, error)
}

// Upload is a stored file that no run names yet.
type Upload interface {
	Key() string
}

// Submitter takes runs in.
type Submitter struct {
	Maps    *Maps
	Players *Players
	Runs    Runs
	Replays Replays
	// Now is the clock, and NewID makes the ids of runs.
	Now   func() time.Time
	NewID func() string
	// Steps is told how long submissions take; it may be nil.
	Steps Steps

	courses courses
}

// Submit checks a replay and ranks its run. Map, time and player come from the
// server's own reading of the file. It returns the first problem in the order of
// the API's document; a refused submission leaves nothing behind. Where the map
// or the submitter is not known here and their owner cannot be asked, the problem
// is of kind unavailable.
func (s *Submitter) Submit(ctx context.Context, in Submission) (Outcome, error) {
	watch := s.startWatch()
	now := s.now()
	replay, fingerprint, unreadable := s.courses.readReplay(ctx, in.Replay, MaxReplaySize, now)
	if unreadable != nil {
		// That they may not submit at all is the first to tell.
		_, err := s.player(ctx, in.By.ID)
		return Outcome{}, cmp.Or(err, unreadable)
	}
	watch.done(StepRead)
	c, err := s.look(ctx, in, candidate{
		replay: replay, fingerprint: fingerprint, file: in.Replay, selected: in.SelectedMap, at: now,
	})
	if err != nil {
		return Outcome{}, err
	}
	watch.done(StepLook)
	return s.accept(ctx, c, watch)
}

// look completes a candidate by what is known of its player, map and run.
func (s *Submitter) look(ctx context.Context, in Submission, c candidate) (candidate, error) {
	if !event.IsID(in.By.ID) {
		return c, ErrPlayerUnknown
	}
	c.run = runOf(c.replay, hashOf(c.file), c.at)
	found, err := s.Runs.LookUp(ctx, in.By.ID, int64(c.replay.MapID), c.run)
	if err != nil {
		return c, err
	}
	if found.Player == nil || found.Player.Removed {
		c.player, err = s.player(ctx, in.By.ID)
	} else {
		c.player, err = admitted(*found.Player, nil)
	}
	if err != nil {
		return c, err
	}
	// The name in a token may be younger than the copy's, or that of a player who was merged since.
	c.own = c.player.IsNamed(c.replay.PlayerName) || playername.Same(in.By.Name, c.replay.PlayerName)
	if found.Map != nil {
		c.m, c.twin = *found.Map, found.Twin
		return c, nil
	}
	c.m, err = s.Maps.ByGameID(ctx, int64(c.replay.MapID))
	if errors.Is(err, ErrMapUnknown) {
		return c, errMapFirst
	}
	if err != nil {
		return c, err
	}
	return s.withTwin(ctx, c)
}

// player returns who hands a run in, unless they are banned.
func (s *Submitter) player(ctx context.Context, id string) (Player, error) {
	return admitted(s.Players.ByID(ctx, id))
}

func admitted(p Player, err error) (Player, error) {
	if err == nil && p.Banned {
		return Player{}, ErrPlayerBanned
	}
	return p, err
}

// withTwin completes a candidate by its twin.
func (s *Submitter) withTwin(ctx context.Context, c candidate) (candidate, error) {
	c.run.MapID = c.m.ID
	twin, err := s.Runs.Twin(ctx, c.run)
	switch {
	case err == nil:
		c.twin = &twin
	case !errors.Is(err, ErrRecordUnknown):
		return c, err
	}
	return c, nil
}

func (s *Submitter) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

// candidate is a run that is not accepted yet.
type candidate struct {
	player Player
	// own tells whether the replay is the player's own.
	own bool
	m   Map
	// run has neither an id nor a player yet.
	run Run
	// twin is one that was accepted before, or nil.
	twin   *Run
	replay *lbreplay.Replay
	// fingerprint is that of the replay's map.
	fingerprint string
	file        []byte
	selected    string
	delivery    Delivery
	at          time.Time
}

func runOf(replay *lbreplay.Replay, hash string, at time.Time) Run {
	return Run{ReplayHash: hash, FinishTime: replay.FinishTime, FinishTimeStamp: replay.Timestamp, CreatedAt: at}
}

// accept checks what the file alone does not tell, and keeps the run.
func (s *Submitter) accept(ctx context.Context, c candidate, watch *stopwatch) (Outcome, error) {
	if !c.own {
		return Outcome{}, ErrReplayNotYours
	}
	if err := checkTime(c.replay); err != nil {
		return Outcome{}, err
	}
	run := c.run
	run.ID, run.MapID, run.PlayerID = s.NewID(), c.m.ID, c.player.ID
	if err := s.checkTwin(ctx, run, c); err != nil {
		return Outcome{}, err
	}
	if c.fingerprint != c.m.Fingerprint {
		return Outcome{}, ErrMapVersionDiffers
	}
	upload, err := s.Replays.Keep(ctx, run.ReplayHash, c.file)
	if err != nil {
		return Outcome{}, err
	}
	watch.done(StepStore)
	standing, err := s.Runs.Add(ctx, Addition{Run: run, Replay: upload, Delivery: c.delivery})
	for errors.Is(err, ErrPlayerMerged) {
		if c.player, err = s.player(ctx, run.PlayerID); err != nil {
			return Outcome{}, err
		}
		run.PlayerID = c.player.ID
		standing, err = s.Runs.Add(ctx, Addition{Run: run, Replay: upload, Delivery: c.delivery})
	}
	if err != nil {
		return Outcome{}, err
	}
	watch.done(StepAdd)
	entry := Entry{Run: run, Map: c.m, Player: c.player, PersonalBest: standing.PersonalBest}
	if standing.PersonalBest {
		entry.Rank = standing.Rank
	}
	return Outcome{Entry: entry, Standing: standing}, nil
}

// checkTwin returns, in this order, whether the same file was submitted before,
// whether the replay is for another map than the selected one, and whether the
// run was submitted before in another file.
func (s *Submitter) checkTwin(ctx context.Context, run Run, c candidate) error {
	if c.twin != nil && c.twin.ReplayHash == run.ReplayHash {
		return run.AgainstTwin(*c.twin)
	}
	if c.selected != "" && !strings.EqualFold(c.selected, c.m.ID) {
		return s.wrongMap(ctx, c.selected)
	}
	if c.twin != nil {
		return run.AgainstTwin(*c.twin)
	}
	return nil
}

func (s *Submitter) wrongMap(ctx context.Context, selected string) error {
	m, err := s.Maps.ByID(ctx, selected)
	if err != nil {
		return err
	}
	message := ErrWrongMap.Message + ` "` + m.Name + `"`
	return ErrWrongMap.WithMessage("%s", message).WithField("replayFile", message)
}
