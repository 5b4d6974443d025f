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

const evidenceSQL = `
	select ` + rankedColumns + `, l.checks, exists (select from first_records where map_id = r.map_id and record_id = r.id)
	from records r ` + rankedJoins + `
		join check_lists l on l.hash = r.checks_hash
	where r.id = @id and (@also_inactive::boolean or ` + isActive + `)`

// Evidence implements leaderboard.EvidenceQueries.
func (s *Store) Evidence(
	ctx context.Context, recordID string, alsoInactive bool,
) (found leaderboard.Evidence, err error) {
	var stored checkList
	var isFirst bool
	args := pgx.NamedArgs{"id": recordID, "also_inactive": alsoInactive}
	err = s.db.QueryRow(ctx, evidenceSQL, args).Scan(append(rankedTargets(&found.RankedRecord), &stored, &isFirst)...)
	found.Checks = stored.list()
	if isFirst {
		found.Checks = record.MarkFirst(found.Checks)
	}
	return found, postgres.ReadError(err, record.ErrRecordUnknown, "evidence of record %s", recordID)
}
