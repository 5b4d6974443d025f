package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/record"
)

// checkList is the value of the column check_lists.checks.
type checkList struct {
	Checks     []storedCheck  `json:"checks"`
	NotChecked []missingCheck `json:"notChecked"`
}

type storedCheck struct {
	Name     record.CheckName   `json:"name"`
	Result   record.CheckResult `json:"result"`
	Sentence string             `json:"sentence"`
}

type missingCheck struct {
	Name     string `json:"name"`
	Sentence string `json:"sentence"`
}

const insertCheckListSQL = `
	insert into check_lists (hash, checks) values (@checks_hash, @checks)
	on conflict (hash) do nothing`

// marshalChecks returns the list of a verification's checks as it is stored, and its hash. The time
// of the checks is that of the record.
func marshalChecks(v record.Verification) (list, hash []byte, err error) {
	var stored checkList
	for _, c := range v.Checks {
		stored.Checks = append(stored.Checks, storedCheck(c))
	}
	for _, c := range v.NotChecked {
		stored.NotChecked = append(stored.NotChecked, missingCheck(c))
	}
	list, err = json.Marshal(stored)
	sum := sha256.Sum256(list)
	return list, sum[:], err
}

const verificationSQL = `
	select r.map_id, r.player_id, r.created_at, l.checks
	from records r left join check_lists l on l.hash = r.checks_hash
	where r.id = $1 and r.removed_at is null and r.map_id not in (select id from maps where removed)`

// Verification implements record.Queries.
func (s *Store) Verification(ctx context.Context, id string) (record.StoredVerification, error) {
	var found record.StoredVerification
	var stored *checkList
	err := s.pool.QueryRow(ctx, verificationSQL, id).Scan(&found.MapID, &found.PlayerID, &found.CheckedAt, &stored)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return record.StoredVerification{}, record.ErrRecordUnknown
	case err != nil:
		return record.StoredVerification{}, fmt.Errorf("verification of record %s: %w", id, err)
	case stored == nil:
		return record.StoredVerification{}, record.ErrVerificationMissing
	}
	found.CheckedAt = found.CheckedAt.UTC()
	for _, c := range stored.Checks {
		found.Checks = append(found.Checks, record.Check(c))
	}
	for _, c := range stored.NotChecked {
		found.NotChecked = append(found.NotChecked, record.MissingCheck(c))
	}
	return found, nil
}
