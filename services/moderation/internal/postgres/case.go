package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const caseColumns = `id, ` + subjectColumns + `, case when open then 'open' else 'closed' end, priority, reports, flags,
	opened_at, closed_at, coalesce(claimed_by::text, ''),
	coalesce((select name from players p where p.id = claimed_by), ''), claimed_until`

func scanCase(row pgx.CollectableRow) (c moderation.Case, err error) {
	var claim moderation.Claim
	targets := append([]any{&c.ID}, subjectTargets(&c.Subject)...)
	err = row.Scan(append(targets, &c.State, &c.Priority, &c.Reports, &c.Flags, &c.OpenedAt,
		(*zeronull.Timestamptz)(&c.ClosedAt), &claim.PlayerID, &claim.Name, (*zeronull.Timestamptz)(&claim.Until))...)
	if !claim.Until.IsZero() {
		c.Claim = &claim
	}
	return c, err
}

const (
	ofKind     = `(@kind = '' or subject_kind = @kind)`
	assignedTo = `(@assigned = ''
		or @assigned = 'mine' and claimed_by = @player and claimed_until > @now
		or @assigned = 'claimed' and claimed_until > @now
		or @assigned = 'free' and (claimed_until is null or claimed_until <= @now))`

	fromOpenCases       = ` from cases where open and ` + ofKind + ` and ` + assignedTo
	fromClosedCases     = ` from cases where not open and ` + ofKind
	page                = ` limit @limit offset @offset`
	casesByPrioritySQL  = `select ` + caseColumns + fromOpenCases + ` order by priority desc, opened_at, id` + page
	casesByAgeSQL       = `select ` + caseColumns + fromOpenCases + ` order by opened_at, id` + page
	closedCasesSQL      = `select ` + caseColumns + fromClosedCases + ` order by closed_at desc, id` + page
	countOpenCasesSQL   = `select count(*)` + fromOpenCases
	countClosedCasesSQL = `select count(*)` + fromClosedCases
)

// Cases implements moderation.CaseStore.
func (s *Store) Cases(ctx context.Context, f moderation.CaseFilter) ([]moderation.Case, int64, error) {
	listSQL, countSQL := casesByPrioritySQL, countOpenCasesSQL
	args := pgx.NamedArgs{
		"kind": f.Kind, "assigned": f.Assigned, "player": zeronull.Text(f.PlayerID), "now": f.Now,
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
	cases, err := postgres.Collect(ctx, s.db, scanCase, listSQL, args)
	return cases, total, postgres.Wrap(err, "cases")
}

const casesAboutSQL = `
	select ` + caseColumns + ` from cases where player_id = @player order by opened_at desc limit @limit`

// CasesAbout implements moderation.CaseStore.
func (s *Store) CasesAbout(ctx context.Context, playerID string, limit int) ([]moderation.Case, error) {
	cases, err := postgres.Collect(ctx, s.db, scanCase, casesAboutSQL, pgx.NamedArgs{"player": playerID, "limit": limit})
	return cases, postgres.Wrap(err, "cases about player %s", playerID)
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
func (s *Store) CaseFile(ctx context.Context, id string) (file moderation.CaseFile, err error) {
	args := pgx.NamedArgs{"id": id, "window": moderation.AccuracyWindow}
	if file.Case, err = postgres.CollectOne(ctx, s.db, scanCase, caseSQL, args); err == nil {
		file.Reported, err = postgres.Collect(ctx, s.db, scanReport, caseReportsSQL, args)
	}
	if err == nil {
		file.Flagged, err = postgres.Collect(ctx, s.db, pgx.RowToStructByPos[moderation.Flag], caseFlagsSQL, args)
	}
	return file, postgres.ReadError(err, moderation.ErrCaseUnknown, "case %s", id)
}

func scanReport(row pgx.CollectableRow) (r moderation.Report, err error) {
	err = row.Scan(&r.ID, &r.CaseID, &r.ReporterID, &r.Reason, &r.Text, &r.At, &r.Accuracy.Confirmed, &r.Accuracy.Closed)
	return r, err
}

const reportersSQL = `
	select distinct r.reporter_id
	from cases c join reports r on r.case_id = c.id
	where c.subject_id = @subject and c.subject_kind = @subject_kind`

// Reporters implements moderation.CaseStore.
func (s *Store) Reporters(ctx context.Context, kind moderation.SubjectKind, id string) ([]string, error) {
	reporters, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], reportersSQL,
		pgx.NamedArgs{"subject": id, "subject_kind": kind})
	return reporters, postgres.Wrap(err, "reporters of %s %s", kind, id)
}

const (
	lockCaseSQL = `select ` + caseColumns + ` from cases where id = @id for update of cases`
	claimSQL    = `update cases set claimed_by = @player, claimed_until = @until where id = @id`
	releaseSQL  = `update cases set claimed_by = null, claimed_until = null where id = @id and claimed_by = @player`
)

// lockCase locks a case and returns it, or moderation.ErrCaseUnknown.
func lockCase(ctx context.Context, tx pgx.Tx, id string) (*moderation.Case, error) {
	c, err := postgres.CollectOne(ctx, tx, scanCase, lockCaseSQL, pgx.NamedArgs{"id": id})
	if err != nil {
		return nil, postgres.ReadError(err, moderation.ErrCaseUnknown, "lock case %s", id)
	}
	return &c, nil
}

// Claim implements moderation.CaseStore.
func (s *Store) Claim(
	ctx context.Context, by access.Attribution, id string, takeOver bool, overruled moderation.Conflict, at time.Time,
) (claim moderation.Claim, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if by.Actor.ID, err = copies.LockWriter(ctx, tx, by.Actor.ID); err != nil {
			return err
		}
		c, err := lockCase(ctx, tx, id)
		if err != nil {
			return err
		}
		change, err := c.ClaimBy(by, takeOver, overruled, at)
		if claim = change.Value; err != nil {
			return err
		}
		args := pgx.NamedArgs{"id": id, "player": claim.PlayerID, "until": claim.Until}
		if _, err := tx.Exec(ctx, claimSQL, args); err != nil {
			return err
		}
		return audit.Append(ctx, tx, change.Entries...)
	})
	return claim, postgres.Wrap(err, "claim case %s", id)
}

// Release implements moderation.CaseStore.
func (s *Store) Release(ctx context.Context, by access.Attribution, id string) error {
	err := s.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		if by.Actor.ID, err = copies.LockWriter(ctx, tx, by.Actor.ID); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, releaseSQL, pgx.NamedArgs{"id": id, "player": by.Actor.ID})
		return err
	})
	return postgres.Wrap(err, "release case %s", id)
}

const (
	// openCaseSQL inserts a case, or locks the open one, also where it waits for one that is closed meanwhile.
	openCaseSQL = `
		insert into cases (id, subject_kind, subject_id, player_id, map_id, finish_time, opened_at)
		values (@id, @subject_kind, @subject, @player, @map, @finish_time, @now)
		on conflict (subject_kind, subject_id) where open do update set opened_at = cases.opened_at
		returning id`
	findOpenCaseSQL = `
		select id from cases
		where subject_kind = @subject_kind and subject_id = @subject and open and id is distinct from @case
		for update`
)

// openCase returns the id of the open case about a subject, and locks it. Where there is none it opens one with newID.
func openCase(
	ctx context.Context, tx pgx.Tx, newID string, subject moderation.Subject, now time.Time,
) (id string, err error) {
	err = tx.QueryRow(ctx, openCaseSQL, subjectArgs(subject, pgx.NamedArgs{"id": newID, "now": now})).Scan(&id)
	return id, postgres.Wrap(err, "open a case")
}

// findOpenCase locks an open case about the thing of a decision other than the decision's own, and returns its id, or
// an empty one.
func findOpenCase(ctx context.Context, tx pgx.Tx, d moderation.Decision) (id string, err error) {
	err = tx.QueryRow(ctx, findOpenCaseSQL, pgx.NamedArgs{
		"subject_kind": d.Subject.Kind, "subject": d.Subject.ID, "case": zeronull.Text(d.CaseID),
	}).Scan(&id)
	return id, postgres.ReadError(err, nil, "open case about %s", d.Subject.ID)
}
