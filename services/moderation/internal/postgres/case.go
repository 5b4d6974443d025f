package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const caseColumns = `id, ` + subjectColumns + `, open, priority, reports, flags, opened_at, closed_at,
	coalesce(claimed_by::text, ''), claimed_until, coalesce(decision_id::text, '')`

// scanCase returns a function that scans a row of caseColumns. A claim that has ended at now is left out.
func scanCase(now time.Time) pgx.RowToFunc[moderation.Case] {
	return func(row pgx.CollectableRow) (c moderation.Case, err error) {
		var open bool
		var closedAt, until *time.Time
		var claimedBy string
		targets := append([]any{&c.ID}, subjectTargets(&c.Subject)...)
		err = row.Scan(append(targets, &open, &c.Priority, &c.Reports, &c.Flags, &c.OpenedAt, &closedAt, &claimedBy, &until,
			&c.DecisionID)...)
		c.OpenedAt, c.ClosedAt = c.OpenedAt.UTC(), timeOrZero(closedAt)
		c.State = moderation.CaseClosed
		if open {
			c.State = moderation.CaseOpen
		}
		if until != nil && until.After(now) {
			c.Claim = &moderation.Claim{PlayerID: claimedBy, Until: until.UTC()}
		}
		return c, err
	}
}

const (
	ofKind     = `(@kind = '' or subject_kind = @kind)`
	assignedTo = `(@assigned = ''
		or @assigned = 'mine' and claimed_by = @player and claimed_until > @now
		or @assigned = 'claimed' and claimed_until > @now
		or @assigned = 'free' and (claimed_until is null or claimed_until <= @now))`

	casesByPrioritySQL = `
		select ` + caseColumns + ` from cases where open and ` + ofKind + ` and ` + assignedTo + `
		order by priority desc, opened_at, id
		limit @limit offset @offset`
	casesByAgeSQL = `
		select ` + caseColumns + ` from cases where open and ` + ofKind + ` and ` + assignedTo + `
		order by opened_at, id
		limit @limit offset @offset`
	closedCasesSQL = `
		select ` + caseColumns + ` from cases where not open and ` + ofKind + `
		order by closed_at desc, id
		limit @limit offset @offset`
	countOpenCasesSQL   = `select count(*) from cases where open and ` + ofKind + ` and ` + assignedTo
	countClosedCasesSQL = `select count(*) from cases where not open and ` + ofKind
)

// Cases implements moderation.CaseStore.
func (s *Store) Cases(ctx context.Context, f moderation.CaseFilter) ([]moderation.Case, int64, error) {
	listSQL, countSQL := casesByPrioritySQL, countOpenCasesSQL
	args := pgx.NamedArgs{
		"kind": f.Kind, "assigned": f.Assigned, "player": orNull(f.PlayerID), "now": f.Now,
		"limit": f.Limit, "offset": f.Offset,
	}
	switch {
	case f.State == moderation.CaseClosed:
		listSQL, countSQL = closedCasesSQL, countClosedCasesSQL
	case f.ByAge:
		listSQL = casesByAgeSQL
	}
	var total int64
	if err := s.db.QueryRow(ctx, countSQL, args).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count cases: %w", err)
	}
	cases, err := postgres.Collect(ctx, s.db, scanCase(f.Now), listSQL, args)
	if err != nil {
		return nil, 0, fmt.Errorf("cases: %w", err)
	}
	return cases, total, nil
}

const casesAboutSQL = `
	select ` + caseColumns + ` from cases where player_id = @player order by opened_at desc limit @limit`

// CasesAbout implements moderation.CaseStore.
func (s *Store) CasesAbout(
	ctx context.Context, playerID string, now time.Time, limit int,
) ([]moderation.Case, error) {
	cases, err := postgres.Collect(ctx, s.db, scanCase(now), casesAboutSQL,
		pgx.NamedArgs{"player": playerID, "limit": limit})
	if err != nil {
		return nil, fmt.Errorf("cases about player %s: %w", playerID, err)
	}
	return cases, nil
}

const (
	caseSQL        = `select ` + caseColumns + ` from cases where id = @id`
	caseReportsSQL = `
		select r.id, r.case_id, r.reporter_id, r.reason, r.text, r.created_at, a.confirmed, a.closed
		from reports r cross join lateral (
			select count(*) filter (where last.confirmed) as confirmed, count(*) as closed
			from (
				select confirmed from reports
				where reporter_id = r.reporter_id and closed_at is not null
				order by closed_at desc
				limit @window
			) last
		) a
		where r.case_id = @id
		order by r.created_at, r.id
		limit 1000`
	caseFlagsSQL = `
		select id, kind, silent, numbers, created_at from flags where case_id = @id order by created_at, id limit 100`
)

// CaseFile implements moderation.CaseStore.
func (s *Store) CaseFile(ctx context.Context, id string, now time.Time) (file moderation.CaseFile, err error) {
	args := pgx.NamedArgs{"id": id, "window": moderation.AccuracyWindow}
	file.Case, err = postgres.CollectOne(ctx, s.db, scanCase(now), caseSQL, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return moderation.CaseFile{}, moderation.ErrCaseUnknown
	}
	if err == nil {
		file.Reported, err = postgres.Collect(ctx, s.db, scanReport, caseReportsSQL, args)
	}
	if err == nil {
		file.Flagged, err = postgres.Collect(ctx, s.db, scanFlag, caseFlagsSQL, args)
	}
	if err != nil {
		return moderation.CaseFile{}, fmt.Errorf("case %s: %w", id, err)
	}
	return file, nil
}

func scanReport(row pgx.CollectableRow) (r moderation.Report, err error) {
	err = row.Scan(&r.ID, &r.CaseID, &r.ReporterID, &r.Reason, &r.Text, &r.At, &r.Accuracy.Confirmed, &r.Accuracy.Closed)
	r.At = r.At.UTC()
	return r, err
}

func scanFlag(row pgx.CollectableRow) (f moderation.Flag, err error) {
	err = row.Scan(&f.ID, &f.Kind, &f.Silent, &f.Numbers, &f.At)
	f.At = f.At.UTC()
	return f, err
}

const reportersSQL = `
	select distinct r.reporter_id
	from cases c join reports r on r.case_id = c.id
	where c.subject_id = @subject and c.subject_kind = @subject_kind`

// Reporters implements moderation.CaseStore.
func (s *Store) Reporters(ctx context.Context, kind moderation.SubjectKind, id string) ([]string, error) {
	reporters, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], reportersSQL,
		pgx.NamedArgs{"subject": id, "subject_kind": kind})
	if err != nil {
		return nil, fmt.Errorf("reporters of %s %s: %w", kind, id, err)
	}
	return reporters, nil
}

const (
	renewClaimSQL = `
		update cases set claimed_until = @until
		where id = @id and open and claimed_by = @player and claimed_until > @now`
	// claimSQL is the whole race: of several moderators at once one changes the row.
	claimSQL = `
		update cases set claimed_by = @player, claimed_until = @until
		where id = @id and open and (claimed_until is null or claimed_until <= @now or claimed_by = @player or @take_over)
		returning ` + subjectColumns
	releaseSQL = `update cases set claimed_by = null, claimed_until = null where id = @id and claimed_by = @player`
)

// Claim implements moderation.CaseStore.
func (s *Store) Claim(
	ctx context.Context, id string, by access.Attribution, now time.Time, takeOver bool, note map[string]any,
) (moderation.Claim, error) {
	claim := moderation.Claim{Until: now.Add(moderation.ClaimPeriod)}
	err := s.inTx(ctx, func(tx pgx.Tx) (err error) {
		if claim.PlayerID, err = mergedInto(ctx, tx, by.Actor.ID); err != nil {
			return err
		}
		args := pgx.NamedArgs{
			"id": id, "player": claim.PlayerID, "until": claim.Until, "now": now, "take_over": takeOver,
		}
		renewed, err := tx.Exec(ctx, renewClaimSQL, args)
		if err != nil || renewed.RowsAffected() == 1 {
			return err
		}
		var subject moderation.Subject
		err = tx.QueryRow(ctx, claimSQL, args).Scan(subjectTargets(&subject)...)
		if errors.Is(err, pgx.ErrNoRows) {
			return whyNotClaimed(ctx, tx, id, now)
		}
		if err != nil {
			return err
		}
		note["caseId"] = id
		return audit.Append(ctx, tx, audit.Entry{By: by, Action: access.ClaimCase, Target: subject.ID, After: note})
	})
	if err != nil {
		return moderation.Claim{}, fmt.Errorf("claim case %s: %w", id, err)
	}
	return claim, nil
}

const claimantNameSQL = `select name from players where id = @player`

// whyNotClaimed returns why a case cannot be claimed or decided by another moderator.
func whyNotClaimed(ctx context.Context, tx pgx.Tx, id string, now time.Time) error {
	c, err := postgres.CollectOne(ctx, tx, scanCase(now), caseSQL, pgx.NamedArgs{"id": id})
	switch {
	case err != nil:
		return orMissing(err, moderation.ErrCaseUnknown)
	case c.State == moderation.CaseClosed:
		return moderation.ErrCaseClosed
	case c.Claim == nil:
		return moderation.ErrCaseNotClaimed
	}
	var name string
	err = tx.QueryRow(ctx, claimantNameSQL, pgx.NamedArgs{"player": c.Claim.PlayerID}).Scan(&name)
	if err != nil {
		return orMissing(err, moderation.ErrCaseClaimed)
	}
	return moderation.ErrCaseClaimed.WithData("claim", map[string]any{
		"player": map[string]any{"_id": c.Claim.PlayerID, "name": name}, "until": c.Claim.Until,
	})
}

// Release implements moderation.CaseStore.
func (s *Store) Release(ctx context.Context, id, playerID string) error {
	if _, err := s.db.Exec(ctx, releaseSQL, pgx.NamedArgs{"id": id, "player": playerID}); err != nil {
		return fmt.Errorf("release case %s: %w", id, err)
	}
	return nil
}

const (
	insertCaseSQL = `
		insert into cases (id, subject_kind, subject_id, player_id, map_id, finish_time, opened_at)
		values (gen_random_uuid(), @subject_kind, @subject, @player, @map, @finish_time, @now)
		on conflict (subject_kind, subject_id) where open do nothing`
	lockOpenCaseSQL = `
		select id from cases where subject_kind = @subject_kind and subject_id = @subject and open for update`
)

// openCase returns the id of the open case about a subject, which it opens where there is none, and locks it.
func openCase(ctx context.Context, tx pgx.Tx, subject moderation.Subject, now time.Time) (id string, err error) {
	args := subjectArgs(subject, pgx.NamedArgs{"now": now})
	for { // it may be closed in between
		if _, err := tx.Exec(ctx, insertCaseSQL, args); err != nil {
			return "", fmt.Errorf("open a case: %w", err)
		}
		err := tx.QueryRow(ctx, lockOpenCaseSQL, args).Scan(&id)
		if !errors.Is(err, pgx.ErrNoRows) {
			return id, err
		}
	}
}
