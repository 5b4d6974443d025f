package record

import (
	"context"
	"errors"
	"strings"
	"time"

	"capzone.dev/game/lbreplay"
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

// Runs is where runs are kept.
type Runs interface {
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
}

// Submit checks a replay and ranks its run. Map, time and player come from the
// server's own reading of the file. It returns the first problem in the order of
// the API's document; a refused submission leaves nothing behind. Where the map
// or the submitter is not known here and their owner cannot be asked, the problem
// is of kind unavailable.
func (s *Submitter) Submit(ctx context.Context, in Submission) (Outcome, error) {
	watch := s.startWatch()
	player, err := s.player(ctx, in.By.ID)
	if err != nil {
		return Outcome{}, err
	}
	watch.done(StepPlayer)
	now := s.now()
	replay, err := readReplay(in.Replay, MaxReplaySize, now)
	if err != nil {
		return Outcome{}, err
	}
	watch.done(StepRead)
	m, err := s.Maps.ByGameID(ctx, int64(replay.MapID))
	if errors.Is(err, ErrMapUnknown) {
		return Outcome{}, errMapFirst
	}
	if err != nil {
		return Outcome{}, err
	}
	watch.done(StepMap)
	return s.accept(ctx, candidate{
		player: player, m: m, replay: replay, file: in.Replay, selected: in.SelectedMap, at: now,
		// The name in a token may be younger than the copy's, or that of a player who was merged since.
		own: player.IsNamed(replay.PlayerName) || playername.Same(in.By.Name, replay.PlayerName),
	}, watch)
}

// player returns who hands a run in, unless they are banned.
func (s *Submitter) player(ctx context.Context, id string) (Player, error) {
	player, err := s.Players.ByID(ctx, id)
	if err == nil && player.Banned {
		return Player{}, ErrPlayerBanned
	}
	return player, err
}

func (s *Submitter) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

// candidate is a run that is not accepted yet.
type candidate struct {
	player Player
	// own tells whether the replay is the player's own.
	own      bool
	m        Map
	replay   *lbreplay.Replay
	file     []byte
	selected string
	delivery Delivery
	at       time.Time
}

// accept checks what the file alone does not tell, and keeps the run.
func (s *Submitter) accept(ctx context.Context, c candidate, watch *stopwatch) (Outcome, error) {
	if !c.own {
		return Outcome{}, ErrReplayNotYours
	}
	if err := checkTime(c.replay, c.at); err != nil {
		return Outcome{}, err
	}
	run := Run{
		ID:              s.NewID(),
		MapID:           c.m.ID,
		PlayerID:        c.player.ID,
		FinishTime:      c.replay.FinishTime,
		FinishTimeStamp: c.replay.Timestamp,
		ReplayHash:      hashOf(c.file),
		CreatedAt:       c.at,
	}
	if err := s.checkTwin(ctx, run, c); err != nil {
		return Outcome{}, err
	}
	watch.done(StepTwin)
	if c.replay.Map.PhysicsFingerprint().String() != c.m.Fingerprint {
		return Outcome{}, ErrMapVersionDiffers
	}
	watch.done(StepCheck)
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
	twin, err := s.Runs.Twin(ctx, run)
	known := err == nil
	if !known && !errors.Is(err, ErrRecordUnknown) {
		return err
	}
	if known && twin.ReplayHash == run.ReplayHash {
		return run.AgainstTwin(twin)
	}
	if c.selected != "" && !strings.EqualFold(c.selected, c.m.ID) {
		return s.wrongMap(ctx, c.selected)
	}
	if known {
		return run.AgainstTwin(twin)
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
