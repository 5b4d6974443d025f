package record

import (
	"context"
	"errors"
	"strings"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/replayproblem"
	"capzone.dev/platform/storedfile"
)

// Submission is what a player submits.
type Submission struct {
	// Replay is the file, or the first MaxReplaySize+1 bytes of one that is too large.
	Replay []byte
	// SelectedMap is the id of the map that the player selected, or empty.
	SelectedMap string
}

// Submitted is an accepted record with its place on the leaderboard.
type Submitted struct {
	Record    RankedRecord
	Placement Placement
}

// Accepted is a record with everything that is committed with it.
type Accepted struct {
	Record Record
	// GameMapID is the game's own id of the map, whose versions share finishes.
	GameMapID int64
	// Mode is the map's, as its copy has it.
	Mode string
	// Medal is what the finish time earns.
	Medal racetime.Medal
	// First is true for the record that a map was submitted with. It is accepted whatever other versions of the map
	// have, so that no version is without its first record, and also while its map is removed or its player hidden,
	// banned or deleted.
	First  bool
	Checks replaycheck.List
	File   FileFacts
	// Replay is the stored file, which the transaction attaches.
	Replay storedfile.Upload
}

// SubmissionStore stores accepted records.
type SubmissionStore interface {
	// FindDuplicate returns the record, removed or not, that has the replay of r or else its map in any version, its
	// finish time and its time stamp. If r is undated, a record of the same player, map and finish time is a duplicate
	// too. It returns ErrRecordUnknown where there is none.
	FindDuplicate(ctx context.Context, r Record) (Record, error)
	// Submit inserts the record, for whom its player was merged into meanwhile, ranks it, counts it and appends its events
	// in one transaction, under the locks of the game's map and of the map. What it reads there decides (see
	// LeaderboardState.Place). Of concurrent duplicates one is inserted, the others get what DuplicateProblem returns. A
	// first record may also get ErrMapRestoring.
	Submit(ctx context.Context, a Accepted) (Placement, error)
}

// ReplayStore stores replay files.
type ReplayStore interface {
	// Put stores a file under its hash. It returns a problem of kind unavailable.
	Put(ctx context.Context, hash string, file []byte) (storedfile.Upload, error)
}

// Players finds players.
type Players interface {
	// Get returns the player, or the player they were merged into, or ErrPlayerUnknown. If there is
	// no copy and the owner does not answer, the problem is of kind unavailable.
	Get(ctx context.Context, id string) (Player, error)
}

// Submitter accepts records.
type Submitter struct {
	Maps    *Maps
	Players Players
	Records SubmissionStore
	Replays ReplayStore
	Parser  *Parser
	// Now is the clock, and NewID makes the ids of records.
	Now   func() time.Time
	NewID func() string
}

// Submit stores the replay and ranks the record. Map, player, finish time and time stamp are read from the replay. It
// returns the first problem in the order of the API's document. If the map or the player is not known here and their
// owner does not answer, the problem is of kind unavailable.
func (s *Submitter) Submit(ctx context.Context, by access.Attribution, in Submission) (Submitted, error) {
	player, _, err := access.Authorize(ctx, by, access.SubmitRecord, s.Players.Get)
	switch {
	case errors.Is(err, access.ErrForbidden) && player.Banned:
		return Submitted{}, ErrSubmitterBanned
	case err != nil:
		return Submitted{}, err
	}
	now := event.InMillis(s.Now())
	replay, err := s.Parser.parse(ctx, in.Replay, MaxReplaySize, now)
	if err != nil {
		return Submitted{}, err
	}
	m, err := s.Maps.Version(ctx, int64(replay.MapID), replay.inFile.Fingerprint)
	if errors.Is(err, ErrMapUnknown) {
		return Submitted{}, errMapNotSubmitted
	}
	if err != nil {
		return Submitted{}, err
	}
	return s.accept(ctx, draft{
		record: s.newRecord(replay, m, player), replay: replay, parkourMap: m, player: player, file: in.Replay,
		// The name in the token may be newer than the copy's, or that of a player who was merged since.
		isOwnReplay: isNamed(player, replay.PlayerName) || playername.Same(by.Actor.Name, replay.PlayerName),
		selectedMap: in.SelectedMap,
	})
}

// isNamed reports whether the name is or was the player's.
func isNamed(p Player, name string) bool {
	return playername.Same(p.Name, name) || playername.OneOf(name, p.FormerNames...)
}

// newRecord returns the record of a draft. It has no CreatedAt until prepare has accepted it.
func (s *Submitter) newRecord(replay parsedReplay, m Map, player Player) Record {
	return Record{
		ID: s.NewID(), MapID: m.ID, PlayerID: player.ID,
		FinishTime: replay.FinishTime, FinishTimeStamp: replay.Timestamp,
		Undated: replay.TimestampMissing || replay.Ahead > 0, ReplayHash: replay.hash,
	}
}

// draft is a record that is not accepted yet, with everything that decides about it.
type draft struct {
	record     Record
	replay     parsedReplay
	parkourMap Map
	player     Player
	file       []byte
	// isOwnReplay is true when the player has recorded the replay.
	isOwnReplay bool
	// selectedMap is as in Submission.
	selectedMap string
	// isFirst is true for the record that the map was submitted with.
	isFirst bool
}

// accept checks a draft, stores its replay and submits its record.
func (s *Submitter) accept(ctx context.Context, d draft) (Submitted, error) {
	accepted, err := s.prepare(ctx, d)
	if err != nil {
		return Submitted{}, err
	}
	placement, err := s.Records.Submit(ctx, accepted)
	if err == nil && placement.PlayerID != d.player.ID {
		d.player, err = s.Players.Get(ctx, placement.PlayerID)
	}
	if err != nil {
		return Submitted{}, err
	}
	accepted.Record.PlayerID = placement.PlayerID
	submitted := RankedRecord{
		Record: accepted.Record, Map: d.parkourMap, Player: d.player, PersonalBest: placement.PersonalBest,
		IsWorldRecord: placement.WorldRecord, EqualsWorldRecord: placement.EqualsWorldRecord,
	}
	if placement.PersonalBest {
		submitted.Rank = placement.Rank
	}
	return Submitted{Record: submitted, Placement: placement}, nil
}

// prepare checks a draft, stores its replay and accepts its record.
func (s *Submitter) prepare(ctx context.Context, d draft) (Accepted, error) {
	checks, err := s.check(ctx, d)
	if err != nil {
		return Accepted{}, err
	}
	upload, err := s.Replays.Put(ctx, d.record.ReplayHash, d.file)
	if err != nil {
		return Accepted{}, err
	}
	// As late as possible: points that are read before the record is stored are as of an earlier time then.
	d.record.CreatedAt = event.InMillis(s.Now())
	return Accepted{
		Record: d.record, GameMapID: d.parkourMap.GameMapID, Mode: d.parkourMap.Mode,
		Medal: d.parkourMap.Medals.Of(d.record.FinishTime), First: d.isFirst,
		Checks: checks, File: d.replay.fileFacts(), Replay: upload,
	}, nil
}

// check returns the checks of a draft, or the first problem in the order of the API's document.
func (s *Submitter) check(ctx context.Context, d draft) (replaycheck.List, error) {
	leaderboardMode, _ := bonkmap.ModeNamed(d.parkourMap.Mode)
	checks := append(replaycheck.List{}, d.replay.checks...)
	checks = append(checks, replaycheck.OfPlayer(d.isOwnReplay),
		replaycheck.OfMap(d.replay.inFile, d.parkourMap.Fingerprint), replaycheck.OfMode(d.replay.Replay, leaderboardMode))
	err := problemOf(checks, replaycheck.OwnReplay, replaycheck.FinishTimeGiven, replaycheck.WholeFrames,
		replaycheck.TimeStampPlausible)
	switch {
	case errors.Is(err, ErrReplayFromFuture):
		now, ahead := event.InMillis(s.Now()), d.replay.Ahead
		return nil, replayproblem.Ahead(now, replaycheck.AcceptedFrom(now, ahead), ahead)
	case err != nil:
		return nil, err
	}
	duplicate, err := s.findDuplicate(ctx, d)
	if err != nil {
		return nil, err
	}
	if duplicate != nil && duplicate.ReplayHash == d.record.ReplayHash {
		return nil, d.record.DuplicateProblem(*duplicate)
	}
	if err := s.checkSelection(ctx, d); err != nil {
		return nil, err
	}
	if duplicate != nil {
		return nil, d.record.DuplicateProblem(*duplicate)
	}
	err = problemOf(checks, replaycheck.MapUnchanged, replaycheck.GameModeMatches, replaycheck.FinishUnambiguous)
	switch {
	case errors.Is(err, ErrGameModeDiffers):
		return nil, ErrGameModeDiffers.WithMessage("game_modes", "This replay was played in {played}; this leaderboard is for {mode}.").
			WithData("played", d.replay.LabelMode.String()).WithData("mode", leaderboardMode.String())
	case err != nil:
		return nil, err
	}
	return append(checks,
		replaycheck.Check{Name: FileNotSubmittedBefore, Result: replaycheck.Passed},
		replaycheck.Check{Name: FinishNotSubmittedBefore, Result: replaycheck.Passed},
		firstRecordCheck(d.isFirst)), nil
}

// The checks of a record that need the other records, besides those of package replaycheck.
const (
	FileNotSubmittedBefore         replaycheck.Name = "file_not_submitted_before"
	FinishNotSubmittedBefore       replaycheck.Name = "finish_not_submitted_before"
	FirstRecordOfAuthorOrValidator replaycheck.Name = "first_record_of_author_or_validator"
)

// firstRecordCheck returns the check of whether a record is the one that its map was submitted with. The maps service
// accepts the replay of the map's author or of a validator.
func firstRecordCheck(isFirst bool) replaycheck.Check {
	check := replaycheck.Check{Name: FirstRecordOfAuthorOrValidator, Result: replaycheck.NotApplicable}
	if isFirst {
		check.Result = replaycheck.Passed
	}
	return check
}

// findDuplicate returns the record that has the replay or the finish of a draft, or nil. A map's first record may have
// the finish of a record on another version.
func (s *Submitter) findDuplicate(ctx context.Context, d draft) (*Record, error) {
	existing, err := s.Records.FindDuplicate(ctx, d.record)
	switch {
	case errors.Is(err, ErrRecordUnknown):
		return nil, nil
	case err != nil:
		return nil, err
	case d.isFirst && existing.MapID != d.record.MapID:
		return nil, nil
	}
	return &existing, nil
}

// checkSelection returns ErrWrongMap, with the name of the selected map, if that is no version of
// the replay's map. It returns ErrMapUnknown or ErrMapRemoved for the selected map.
func (s *Submitter) checkSelection(ctx context.Context, d draft) error {
	if d.selectedMap == "" || strings.EqualFold(d.selectedMap, d.parkourMap.ID) {
		return nil
	}
	selected, err := s.Maps.Get(ctx, d.selectedMap)
	if err != nil {
		return err
	}
	if selected.GameMapID == d.parkourMap.GameMapID {
		return nil
	}
	return ErrWrongMap.WithMessage("wrong_map_named", `This replay is not for the selected map "{map}"`).
		About("replayFile").WithData("map", selected.Name)
}
