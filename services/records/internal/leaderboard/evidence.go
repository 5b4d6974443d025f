package leaderboard

import (
	"context"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"capzone.dev/game/racetime"
	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/readable"
	"capzone.dev/services/records/internal/record"
)

// Evidence is a record with what was checked of its replay before the record was accepted.
type Evidence struct {
	record.RankedRecord

	Checks replaycheck.List
}

// Download is a replay file with the name that it is saved as.
type Download struct {
	// File is closed by the caller.
	File io.ReadSeekCloser
	Name string
	// Hash is the hexadecimal SHA-256 of the file.
	Hash       string
	ModifiedAt time.Time
}

// EvidenceQueries find records with their checks.
type EvidenceQueries interface {
	// Evidence returns an active record, or also one that is not active, or ErrRecordUnknown.
	Evidence(ctx context.Context, recordID string, alsoInactive bool) (Evidence, error)
}

// EvidenceReader shows the checks and the replays of records.
type EvidenceReader struct {
	Queries EvidenceQueries
	Players record.Players
	Files   record.ReplayFiles
}

// Find returns an active record, or ErrRecordUnknown.
func (r *EvidenceReader) Find(ctx context.Context, recordID string) (Evidence, error) {
	return r.find(ctx, recordID, false)
}

// FindForModerator returns a record, also one that is removed, of a hidden player or on a removed map. It returns
// access.ErrForbidden for others than moderators, or ErrRecordUnknown.
func (r *EvidenceReader) FindForModerator(ctx context.Context, by access.Actor, recordID string) (Evidence, error) {
	_, _, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadEvidence, r.Players.Get)
	if err != nil {
		return Evidence{}, err
	}
	return r.find(ctx, recordID, true)
}

func (r *EvidenceReader) find(ctx context.Context, recordID string, alsoInactive bool) (Evidence, error) {
	if !event.IsID(recordID) {
		return Evidence{}, record.ErrRecordUnknown
	}
	return r.Queries.Evidence(ctx, recordID, alsoInactive)
}

// OpenReplay opens the replay of a record. It returns ErrRecordUnknown, or ErrReplayOfDeletedPlayer.
func (r *EvidenceReader) OpenReplay(ctx context.Context, of Evidence) (Download, error) {
	if of.Player.Deleted { // the file has the name
		return Download{}, record.ErrReplayOfDeletedPlayer
	}
	file, err := r.Files.Open(ctx, of.ReplayHash)
	if err != nil {
		return Download{}, err
	}
	return Download{File: file, Name: FileName(of.RankedRecord), Hash: of.ReplayHash, ModifiedAt: of.CreatedAt}, nil
}

// maxNamePart is the length of a map's or a player's name in a file name, in bytes. With
// both, a file name stays below the 255 bytes of file systems.
const maxNamePart = 80

// FileName returns the file name of a record's replay: map, player and time, without the
// characters that file systems refuse.
func FileName(r record.RankedRecord) string {
	finishTime := strings.ReplaceAll(racetime.Format(r.FinishTime), ":", "-")
	return namePart(r.Map.Name) + " - " + namePart(r.Player.Name) + " - " + finishTime + ".lbReplay"
}

// namePart removes what cannot be shown, replaces the characters that file systems refuse and cuts at maxNamePart.
func namePart(name string) string {
	part := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, readable.Printable(name))
	for len(part) > maxNamePart {
		_, size := utf8.DecodeLastRuneInString(part)
		part = part[:len(part)-size]
	}
	if part = strings.Trim(part, " ."); part == "" {
		return "_"
	}
	return part
}
