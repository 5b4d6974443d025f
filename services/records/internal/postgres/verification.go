package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

// checkList is the value of the column check_lists.checks.
type checkList struct {
	Checks []storedCheck `json:"checks"`
}

type storedCheck struct {
	Name   replaycheck.Name   `json:"name"`
	Result replaycheck.Result `json:"result"`
}

func (l checkList) list() replaycheck.List {
	list := make(replaycheck.List, len(l.Checks))
	for i, c := range l.Checks {
		list[i] = replaycheck.Check{Name: c.Name, Result: c.Result}
	}
	return list
}

const verificationSQL = `
	select r.map_id, r.player_id, r.created_at, l.checks
	from records r join check_lists l on l.hash = r.checks_hash
	where r.id = $1 and ` + isActive

// Verification implements leaderboard.Queries.
func (s *Store) Verification(ctx context.Context, id string) (leaderboard.Verification, error) {
	var found leaderboard.Verification
	var stored checkList
	err := s.db.QueryRow(ctx, verificationSQL, id).Scan(&found.MapID, &found.PlayerID, &found.CheckedAt, &stored)
	found.Checks = stored.list()
	return found, postgres.ReadError(err, record.ErrRecordUnknown, "verification of record %s", id)
}

const evidenceSQL = `
	select ` + rankedColumns + `, l.checks
	from records r ` + rankedJoins + `
		join check_lists l on l.hash = r.checks_hash
	where r.id = @id`

// Evidence implements leaderboard.EvidenceQueries.
func (s *Store) Evidence(ctx context.Context, recordID string) (leaderboard.Evidence, error) {
	var found leaderboard.Evidence
	var stored checkList
	err := s.db.QueryRow(ctx, evidenceSQL, pgx.NamedArgs{"id": recordID}).
		Scan(append(rankedTargets(&found.RankedRecord), &stored)...)
	if err != nil {
		return leaderboard.Evidence{}, postgres.ReadError(err, record.ErrRecordUnknown, "evidence of record %s", recordID)
	}
	found.RankedRecord, found.Checks = completed(found.RankedRecord), stored.list()
	return found, nil
}

const (
	lockChecksSQL = `
		select r.id, l.checks
		from records r join check_lists l on l.hash = r.checks_hash
		where r.map_id = @map and r.replay_hash = @replay_hash
		for update of r`
	replaceChecksSQL = `update records set checks_hash = @checks_hash where id = @id`
	setFirstSQL      = `
		insert into first_records (map_id, record_id) values (@map, @id) on conflict (map_id) do nothing`
)

// MarkFirst implements record.SubmissionStore.
func (s *Store) MarkFirst(ctx context.Context, mapID, replayHash string) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) error {
		var id string
		var stored checkList
		args := pgx.NamedArgs{"map": mapID, "replay_hash": replayHash}
		err := tx.QueryRow(ctx, lockChecksSQL, args).Scan(&id, &stored)
		if err != nil {
			return postgres.ReadError(err, nil, "lock the checks")
		}
		checks, hash, err := marshalChecks(record.MarkFirst(stored.list()))
		if err != nil {
			return err
		}
		args = pgx.NamedArgs{"id": id, "map": mapID, "checks": checks, "checks_hash": hash}
		return postgres.ExecBatch(ctx, tx, args, insertCheckListSQL, replaceChecksSQL, setFirstSQL)
	})
	return postgres.Wrap(err, "mark the first record of map %s", mapID)
}
