package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/record"
)

// storedVerification is the value of the column verifications.verification.
type storedVerification struct {
	CheckedAt  time.Time      `json:"checkedAt"`
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

const insertVerificationSQL = `insert into verifications (record_id, verification) values (@id, @verification)`

// verificationJSON returns the value that is stored of a verification.
func verificationJSON(v record.Verification) ([]byte, error) {
	stored := storedVerification{CheckedAt: v.CheckedAt}
	for _, c := range v.Checks {
		stored.Checks = append(stored.Checks, storedCheck(c))
	}
	for _, c := range v.NotChecked {
		stored.NotChecked = append(stored.NotChecked, missingCheck(c))
	}
	return json.Marshal(stored)
}

const verificationSQL = `
	select r.map_id, r.player_id, v.verification
	from records r left join verifications v on v.record_id = r.id
	where r.id = $1 and r.removed_at is null and r.map_id not in (select id from maps where removed)`

// Verification implements record.Queries.
func (s *Store) Verification(ctx context.Context, id string) (record.StoredVerification, error) {
	var found record.StoredVerification
	var stored *storedVerification
	err := s.pool.QueryRow(ctx, verificationSQL, id).Scan(&found.MapID, &found.PlayerID, &stored)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return record.StoredVerification{}, record.ErrRecordUnknown
	case err != nil:
		return record.StoredVerification{}, fmt.Errorf("verification of record %s: %w", id, err)
	case stored == nil:
		return record.StoredVerification{}, record.ErrVerificationMissing
	}
	found.CheckedAt = stored.CheckedAt.UTC()
	for _, c := range stored.Checks {
		found.Checks = append(found.Checks, record.Check(c))
	}
	for _, c := range stored.NotChecked {
		found.NotChecked = append(found.NotChecked, record.MissingCheck(c))
	}
	return found, nil
}
