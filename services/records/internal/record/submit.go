package record

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/playername"
)

// Caller is the player who submits, according to the access token.
type Caller struct{ ID, Name string }

// Submission is what a player submits.
type Submission struct {
	By Caller
	// Replay is the file. Of a file that is too large, MaxReplaySize+1 bytes suffice.
	Replay []byte
	// SelectedMap is the id of the map that the player selected, or empty.
	SelectedMap string
}

// Submitted is an accepted record with its place on the leaderboard.
type Submitted struct {
	Entry
	Placement
}

// Accepted is a record with everything that is committed with it.
type Accepted struct {
	Record       Record
	Verification Verification
	// Replay is the stored file, which the transaction claims.
	Replay objectstore.Upload
	// Delivery is the message that the record came with, and empty for a player's submission.
	Delivery Delivery
}

// Delivery names a message and its consumer.
type Delivery struct{ Consumer, ID string }

// ErrDelivered is returned for a message that has had its effect before.
var ErrDelivered = errors.New("record: the message was delivered before")

// SubmissionStore stores accepted records.
type SubmissionStore interface {
	// FindDuplicate returns the record, removed or not, that has the replay of r or else its map in any version, its
	// finish time and its time stamp. If r is undated, a record of the same player, map and finish time is a duplicate
	// too. It returns ErrRecordUnknown where there is none.
	FindDuplicate(ctx context.Context, r Record) (Record, error)
	// Submit inserts the record, ranks it, counts it and appends its events in one transaction. Of concurrent
	// duplicates one is inserted, the others get what DuplicateProblem returns. It returns ErrMapRemoved and
	// event.ErrPlayerMerged where that has happened since the map and the player were read, and ErrDelivered.
	Submit(ctx context.Context, a Accepted) (Placement, error)
}

// ReplayStore stores replay files.
type ReplayStore interface {
	// Put stores a file under its hash. It returns a problem of kind unavailable.
	Put(ctx context.Context, hash string, file []byte) (objectstore.Upload, error)
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
	// Now is the clock, and NewID makes the ids of records.
	Now   func() time.Time
	NewID func() string

	mapCache mapCache
}

// Submit stores the replay and ranks the record. Map, player, finish time and time stamp
// are read from the replay. It returns the first problem in the order of the API's
// document. If the map or the player is not known here and their owner does not answer,
// the problem is of kind unavailable.
func (s *Submitter) Submit(ctx context.Context, in Submission) (Submitted, error) {
	player, err := s.submittingPlayer(ctx, in.By.ID)
	if err != nil {
		return Submitted{}, err
	}
	now := s.now()
	var checks checklist
	var replay parsedReplay
	err = checks.run(ReadByServer, func() (err error) {
		replay, err = s.mapCache.parseReplay(ctx, in.Replay, MaxReplaySize, now)
		return err
	})
	if err != nil {
		return Submitted{}, err
	}
	m, err := s.Maps.Version(ctx, int64(replay.MapID), replay.fingerprint)
	if errors.Is(err, ErrMapUnknown) {
		return Submitted{}, errMapFirst
	}
	if err != nil {
		return Submitted{}, err
	}
	return s.accept(ctx, draft{
		record: s.newRecord(replay, m, player, now), replay: replay, parkourMap: m, player: player, file: in.Replay,
		checks: checks,
		// The name in the token may be newer than the copy's, or that of a player who was merged since.
		isOwnReplay: isNamed(player, replay.PlayerName) || playername.Same(in.By.Name, replay.PlayerName),
		selectedMap: in.SelectedMap,
	})
}

// submittingPlayer returns the player of an id, or whom they were merged into. It
// returns ErrPlayerUnknown or event.ErrSubmitterBanned.
func (s *Submitter) submittingPlayer(ctx context.Context, id string) (Player, error) {
	player, err := s.Players.Get(ctx, id)
	if err != nil {
		return Player{}, err
	}
	if player.Banned {
		return Player{}, event.ErrSubmitterBanned
	}
	return player, nil
}

// isNamed reports whether the name is or was the player's.
func isNamed(p Player, name string) bool {
	return playername.Same(p.Name, name) || playername.OneOf(name, p.FormerNames...)
}

func (s *Submitter) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

func (s *Submitter) newRecord(replay parsedReplay, m Map, player Player, now time.Time) Record {
	return Record{
		ID: s.NewID(), MapID: m.ID, PlayerID: player.ID,
		FinishTime: replay.FinishTime, FinishTimeStamp: replay.Timestamp, Undated: replay.TimestampMissing,
		ReplayHash: replay.hash, CreatedAt: now,
	}
}

// draft is a record that is not accepted yet, with everything that decides about it.
type draft struct {
	record     Record
	replay     parsedReplay
	parkourMap Map
	player     Player
	file       []byte
	// checks are those that were made of the file.
	checks checklist
	// isOwnReplay is true when the player has recorded the replay.
	isOwnReplay bool
	// selectedMap is as in Submission.
	selectedMap string
	// first is the announcement of a map's first record, and nil for all other records.
	first *FirstRecord
}

// accept checks a draft, stores its replay and submits its record.
func (s *Submitter) accept(ctx context.Context, d draft) (Submitted, error) {
	verification, err := s.check(ctx, d)
	if err != nil {
		return Submitted{}, err
	}
	upload, err := s.Replays.Put(ctx, d.record.ReplayHash, d.file)
	if err != nil {
		return Submitted{}, err
	}
	accepted, player := Accepted{Record: d.record, Verification: verification, Replay: upload}, d.player
	if d.first != nil {
		accepted.Delivery = d.first.Delivery
	}
	placement, err := s.Records.Submit(ctx, accepted)
	for errors.Is(err, event.ErrPlayerMerged) {
		if player, err = s.submittingPlayer(ctx, accepted.Record.PlayerID); err != nil {
			return Submitted{}, err
		}
		accepted.Record.PlayerID = player.ID
		placement, err = s.Records.Submit(ctx, accepted)
	}
	if err != nil {
		return Submitted{}, err
	}
	entry := Entry{Record: accepted.Record, Map: d.parkourMap, Player: player, PersonalBest: placement.PersonalBest}
	if placement.PersonalBest {
		entry.Rank = placement.Rank
	}
	return Submitted{Entry: entry, Placement: placement}, nil
}

// check makes the checks in the order of the API's document. It returns the first problem.
func (s *Submitter) check(ctx context.Context, d draft) (Verification, error) {
	var existing *Record
	checks := d.checks
	for _, c := range []struct {
		name  CheckName
		check func() error
	}{
		{OwnReplay, d.checkPlayer},
		{WholeFrames, d.replay.checkFinishTime},
		{TimeStampPlausible, d.replay.checkTimeStamp},
		{FileNotSubmittedBefore, func() (err error) {
			existing, err = s.checkFile(ctx, d.record)
			return err
		}},
		{FinishNotSubmittedBefore, func() error { return s.checkSelectionAndFinish(ctx, d, existing) }},
		{MapUnchanged, d.checkFingerprint},
		{FinishUnambiguous, d.checkFinish},
		{FirstRecordOfAuthorOrValidator, d.checkFirstRecord},
	} {
		if err := checks.run(c.name, c.check); err != nil {
			return Verification{}, err
		}
	}
	return checks.verification(d.record.CreatedAt), nil
}

func (d draft) checkPlayer() error {
	if !d.isOwnReplay {
		return event.ErrReplayNotYours
	}
	return nil
}

// checkFile returns DuplicateProblem if the same file was submitted before. Otherwise it returns
// the record with the same finish in another file, or nil.
func (s *Submitter) checkFile(ctx context.Context, r Record) (sameFinish *Record, err error) {
	existing, err := s.Records.FindDuplicate(ctx, r)
	switch {
	case errors.Is(err, ErrRecordUnknown):
		return nil, nil
	case err != nil:
		return nil, err
	case existing.ReplayHash == r.ReplayHash:
		return nil, r.DuplicateProblem(existing)
	}
	return &existing, nil
}

// checkSelectionAndFinish returns an error of checkSelection, or DuplicateProblem if sameFinish is
// not nil. The selection comes first in the order of the API's document.
func (s *Submitter) checkSelectionAndFinish(ctx context.Context, d draft, sameFinish *Record) error {
	if d.selectedMap != "" && !strings.EqualFold(d.selectedMap, d.parkourMap.ID) {
		if err := s.checkSelection(ctx, d); err != nil {
			return err
		}
	}
	if sameFinish != nil {
		return d.record.DuplicateProblem(*sameFinish)
	}
	return nil
}

func (d draft) checkFingerprint() error {
	if d.replay.fingerprint != d.parkourMap.Fingerprint {
		return ErrMapVersionDiffers
	}
	return nil
}

func (d draft) checkFinish() error {
	if d.replay.finishIsAmbiguous {
		return ErrFinishAmbiguous
	}
	return nil
}

// checkFirstRecord returns errNotApplicable for a record that is not a map's announced first one.
// The maps service announces the replay of the map's author or of a validator.
func (d draft) checkFirstRecord() error {
	switch {
	case d.first == nil:
		return errNotApplicable
	case d.record.ReplayHash != d.first.ReplayHash:
		return event.ErrReplayInvalid.Wrap(fmt.Errorf("the replay of map %s does not have the hash %s",
			d.first.MapID, d.first.ReplayHash))
	}
	return nil
}

// checkSelection returns ErrWrongMap, with the name of the selected map, if that is no version of
// the replay's map. It returns ErrMapUnknown or ErrMapRemoved for the selected map.
func (s *Submitter) checkSelection(ctx context.Context, d draft) error {
	selected, err := s.Maps.Get(ctx, d.selectedMap)
	if err != nil {
		return err
	}
	if selected.GameMapID == d.parkourMap.GameMapID {
		return nil
	}
	message := ErrWrongMap.Message + ` "` + selected.Name + `"`
	return ErrWrongMap.WithMessage("%s", message).WithField("replayFile", message)
}
