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
	insert into check_lists (hash, checks) values (@hash, @checks)
	on conflict (hash) do nothing`

// storeChecks stores the list of a verification's checks and returns its hash. There are only a few
// lists, which are never deleted, so a list that this store has stored before is not inserted again.
// The time of the checks is that of the record.
func (s *Store) storeChecks(ctx context.Context, v record.Verification) (hash []byte, err error) {
	var stored checkList
	for _, c := range v.Checks {
		stored.Checks = append(stored.Checks, storedCheck(c))
	}
	for _, c := range v.NotChecked {
		stored.NotChecked = append(stored.NotChecked, missingCheck(c))
	}
	list, err := json.Marshal(stored)
	if err != nil {
		return nil, fmt.Errorf("list of checks: %w", err)
	}
	sum := sha256.Sum256(list)
	if _, known := s.checkLists.Load(sum); known {
		return sum[:], nil
	}
	_, err = s.pool.Exec(ctx, insertCheckListSQL, pgx.NamedArgs{"hash": sum[:], "checks": list})
	if err != nil {
		return nil, fmt.Errorf("store a list of checks: %w", err)
	}
	s.checkLists.Store(sum, true)
	return sum[:], nil
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
