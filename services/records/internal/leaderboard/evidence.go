package leaderboard

import (
	"context"

	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// Evidence is a record with what was checked of its replay.
type Evidence struct {
	record.RankedRecord

	Checks replaycheck.List
}

// EvidenceQueries find records, also those that are not shown.
type EvidenceQueries interface {
	// Evidence returns ErrRecordUnknown.
	Evidence(ctx context.Context, recordID string) (Evidence, error)
}

// EvidenceReader shows moderators the checks and the replay of a record, also while the record is removed, its player
// is hidden or its map is removed. All methods return access.ErrForbidden for others, and ErrRecordUnknown.
type EvidenceReader struct {
	Queries EvidenceQueries
	Players record.Players
	Files   ReplayFiles
}

// Verification returns what was checked of a record's replay.
func (r *EvidenceReader) Verification(ctx context.Context, by access.Actor, recordID string) (Verification, error) {
	found, err := r.find(ctx, by, recordID)
	if err != nil {
		return Verification{}, err
	}
	return Verification{
		MapID: found.MapID, PlayerID: found.PlayerID, CheckedAt: found.CreatedAt, Checks: found.Checks,
	}, nil
}

// Download opens a record's replay. It returns ErrReplayOfDeletedPlayer, too.
func (r *EvidenceReader) Download(ctx context.Context, by access.Actor, recordID string) (Download, error) {
	found, err := r.find(ctx, by, recordID)
	if err != nil {
		return Download{}, err
	}
	return openReplay(ctx, r.Files, found.RankedRecord)
}

func (r *EvidenceReader) find(ctx context.Context, by access.Actor, recordID string) (Evidence, error) {
	_, _, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadEvidence, r.Players.Get)
	if err != nil {
		return Evidence{}, err
	}
	if !event.IsID(recordID) {
		return Evidence{}, record.ErrRecordUnknown
	}
	return r.Queries.Evidence(ctx, recordID)
}
