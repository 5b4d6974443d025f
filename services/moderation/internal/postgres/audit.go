package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const (
	logColumns = `id, at, actor_kind, actor, actor_name, action, subject, reason, public_reason, decision_id, before, after`
	// logFilter are the filters that no index needs. Those that one serves have a statement each.
	logFilter = `(@before = 0 or (at, id) < (select at, id from audit_log where id = @before))
		and (@actor = '' or actor = @actor) and (@subject = '' or subject = @subject)
		and (@action = '' or action = @action) and at >= coalesce(@from::timestamptz, '-infinity')
		and at < coalesce(@to::timestamptz, 'infinity')
		and not ((action = 'report' or coalesce(after ->> 'conflictOverruled', '') = 'reporter')
			and coalesce(after ->> 'playerId', subject) = any (@viewer))`
	hasRowSQL = `select exists (select from audit_log where id = @before)`
	viewerSQL = `select id::text from players where id = @viewer or merged_into = @viewer`

	selectLog       = `select ` + logColumns + ` from audit_log where ` + logFilter
	newestFirst     = ` order by at desc, id desc limit @limit`
	logSQL          = selectLog + newestFirst
	logOfSubjectSQL = selectLog + ` and subject = @subject` + newestFirst
	logOfActorSQL   = selectLog + ` and actor = @actor` + newestFirst
	logOfActionSQL  = selectLog + ` and action = @action` + newestFirst
	addLogSQL       = `
		insert into audit_log (at, actor_kind, actor, actor_name, action, subject, reason, public_reason, decision_id, before,
			after)
		values (@at, @actor_kind, @actor, @actor_name, @action, @subject, @reason, @public_reason, @decision, @before, @after)`
)

// Log implements moderation.LogStore.
func (s *Store) Log(ctx context.Context, f moderation.LogFilter) ([]moderation.LogEntry, error) {
	sql := logSQL
	switch {
	case f.TargetID != "":
		sql = logOfSubjectSQL
	case f.ActorID != "":
		sql = logOfActorSQL
	case f.Action != "":
		sql = logOfActionSQL
	}
	viewer, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], viewerSQL,
		pgx.NamedArgs{"viewer": zeronull.Text(f.ViewerID)})
	if err != nil {
		return nil, fmt.Errorf("audit log: %w", err)
	}
	rows, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (e moderation.LogEntry, err error) {
		err = row.Scan(&e.ID, &e.At, &e.Actor.Kind, &e.Actor.ID, &e.Actor.Name, &e.Action, &e.TargetID, &e.Reason,
			&e.PublicReason, &e.DecisionID, &e.Before, &e.After)
		return e, err
	}, sql, pgx.NamedArgs{
		"actor": f.ActorID, "subject": f.TargetID, "action": f.Action, "from": zeronull.Timestamptz(f.From),
		"to":     zeronull.Timestamptz(f.To),
		"before": f.Before, "limit": f.Limit, "viewer": viewer,
	})
	if err == nil && len(rows) == 0 && f.Before > 0 {
		err = s.checkRow(ctx, f.Before)
	}
	return rows, postgres.Wrap(err, "audit log")
}

// checkRow returns moderation.ErrRowUnknown for a row that is not in the log.
func (s *Store) checkRow(ctx context.Context, id int64) error {
	has, err := postgres.CollectOne(ctx, s.db, pgx.RowTo[bool], hasRowSQL, pgx.NamedArgs{"before": id})
	if err == nil && !has {
		return moderation.ErrRowUnknown
	}
	return err
}

// AddLog adds a row to the audit log of all services.
func (s *Store) AddLog(ctx context.Context, e event.AuditWritten) error {
	_, err := s.db.Exec(ctx, addLogSQL, pgx.NamedArgs{
		"at": e.At, "actor_kind": e.Actor.Kind, "actor": e.Actor.ID, "actor_name": e.Actor.Name, "action": e.Action,
		"subject": e.TargetID, "reason": e.Reason, "public_reason": e.PublicReason, "decision": e.DecisionID,
		"before": e.Before, "after": e.After,
	})
	return postgres.Wrap(err, "audit log")
}
