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
	auditColumns = `id, at, actor_kind, actor, actor_name, action, subject, reason, public_reason, decision_id, before, after`
	// auditFilter are the filters that no index needs. Those that one serves have a statement each.
	auditFilter = `(@before = 0 or (at, id) < (select at, id from audit_log where id = @before))
		and (@actor = '' or actor = @actor) and (@subject = '' or subject = @subject)
		and (@action = '' or action = @action) and at >= coalesce(@from::timestamptz, '-infinity')
		and at < coalesce(@to::timestamptz, 'infinity')
		and not ((action = 'report' or coalesce(after ->> 'conflictOverruled', '') = 'reporter')
			and coalesce(after ->> 'playerId', subject) = any (@viewer))`
	hasRowSQL = `select exists (select from audit_log where id = @before)`
	viewerSQL = `select id::text from players where id = @viewer or merged_into = @viewer`

	selectAudit       = `select ` + auditColumns + ` from audit_log where ` + auditFilter
	newestFirst       = ` order by at desc, id desc limit @limit`
	auditSQL          = selectAudit + newestFirst
	auditOfSubjectSQL = selectAudit + ` and subject = @subject` + newestFirst
	auditOfActorSQL   = selectAudit + ` and actor = @actor` + newestFirst
	auditOfActionSQL  = selectAudit + ` and action = @action` + newestFirst
	addAuditSQL       = `
		insert into audit_log (at, actor_kind, actor, actor_name, action, subject, reason, public_reason, decision_id, before,
			after)
		values (@at, @actor_kind, @actor, @actor_name, @action, @subject, @reason, @public_reason, @decision, @before, @after)`
)

// AuditLog implements moderation.AuditStore.
func (s *Store) AuditLog(ctx context.Context, f moderation.AuditFilter) ([]moderation.AuditEntry, error) {
	sql := auditSQL
	switch {
	case f.TargetID != "":
		sql = auditOfSubjectSQL
	case f.ActorID != "":
		sql = auditOfActorSQL
	case f.Action != "":
		sql = auditOfActionSQL
	}
	viewer, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], viewerSQL,
		pgx.NamedArgs{"viewer": zeronull.Text(f.ViewerID)})
	if err != nil {
		return nil, fmt.Errorf("audit log: %w", err)
	}
	rows, err := postgres.Collect(ctx, s.db, func(row pgx.CollectableRow) (e moderation.AuditEntry, err error) {
		err = row.Scan(&e.ID, &e.At, &e.Actor.Kind, &e.Actor.ID, &e.Actor.Name, &e.Action, &e.TargetID, &e.Reason,
			&e.PublicReason, &e.DecisionID, &e.Before, &e.After)
		return e, err
	}, sql, pgx.NamedArgs{
		"actor": f.ActorID, "subject": f.TargetID, "action": f.Action, "from": zeronull.Timestamptz(f.From),
		"to": zeronull.Timestamptz(f.To), "before": f.Before, "limit": f.Limit, "viewer": viewer,
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

// AddAuditEntry implements moderation.AuditStore.
func (s *Store) AddAuditEntry(ctx context.Context, e event.AuditWritten) error {
	_, err := s.db.Exec(ctx, addAuditSQL, pgx.NamedArgs{
		"at": e.At, "actor_kind": e.Actor.Kind, "actor": e.Actor.ID, "actor_name": e.Actor.Name, "action": e.Action,
		"subject": e.TargetID, "reason": e.Reason, "public_reason": e.PublicReason, "decision": e.DecisionID,
		"before": e.Before, "after": e.After,
	})
	return postgres.Wrap(err, "audit log")
}
