package postgres_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
	"capzone.dev/services/moderation/internal/postgres"
)

func entry(actor string, action access.Action, target string, at time.Time) event.AuditWritten {
	return event.AuditWritten{
		At: at, Attribution: by(actor), Action: action, TargetID: target, Before: json.RawMessage(`{}`),
		After: json.RawMessage(`{"removed": true}`),
	}
}

// Rows are listed by their time, whatever the order of their arrival.
func TestStore_AuditLog(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for _, e := range []event.AuditWritten{
		entry(mod, access.RemoveRecord, id(1), minute(3)), entry(emil, access.BanPlayer, anna, minute(1)),
		entry(mod, access.RestoreRecord, id(1), minute(2)), entry(mod, access.RemoveRecord, id(2), minute(4)),
	} {
		require.NoError(t, f.AddAuditEntry(t.Context(), e))
	}
	for _, tt := range []struct {
		name   string
		filter moderation.AuditFilter
		want   []int // minutes
	}{
		{"all", moderation.AuditFilter{}, []int{4, 3, 2, 1}},
		{"of an actor", moderation.AuditFilter{ActorID: mod}, []int{4, 3, 2}},
		{"of a subject", moderation.AuditFilter{TargetID: id(1)}, []int{3, 2, 1}},
		{"of an action", moderation.AuditFilter{Action: access.RemoveRecord}, []int{4, 3}},
		{"of an actor, subject and action",
			moderation.AuditFilter{ActorID: mod, TargetID: id(1), Action: access.RestoreRecord}, []int{2}},
		{"of a time", moderation.AuditFilter{From: minute(2), To: minute(4)}, []int{3, 2}},
		{"after the first page", moderation.AuditFilter{Before: 1}, []int{2, 1}},
	} {
		tt.filter.Limit = 10
		rows, err := f.AuditLog(t.Context(), tt.filter)
		var got []int
		for _, r := range rows {
			got = append(got, int(r.At.Sub(minute(0)).Minutes()))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s, %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
	for before, want := range map[int64]error{3: nil, 99: moderation.ErrRowUnknown} { // 3 is the last
		filter := moderation.AuditFilter{TargetID: id(2), Before: before, Limit: 10}
		if rows, err := f.AuditLog(t.Context(), filter); len(rows) > 0 || !errors.Is(err, want) {
			t.Errorf("after row %d: %d rows, %v, want %v", before, len(rows), err, want)
		}
	}
}

// Who is reported does not see by whom, also under a former id.
func TestStore_AuditLog_of_reports_about_the_viewer(t *testing.T) {
	t.Parallel()
	f := setup(t)
	report := func(target, playerID string) event.AuditWritten {
		e := entry(ben, access.Report, target, minute(1))
		e.After = json.RawMessage(`{"playerId": "` + playerID + `"}`)
		return e
	}
	f.merge(cloe, anna)
	claim := entry(ben, access.ClaimCase, id(1), minute(2)) // by an admin who has reported it
	claim.After = json.RawMessage(`{"conflictOverruled": "reporter", "playerId": "` + anna + `"}`)
	for _, e := range []event.AuditWritten{
		report(id(1), anna), report(id(2), cloe), report(id(3), emil), claim,
		entry(mod, access.RemoveRecord, anna, minute(2)),
	} {
		require.NoError(t, f.AddAuditEntry(t.Context(), e))
	}
	for viewer, want := range map[string]int{anna: 2, emil: 4, mod: 5} {
		rows, err := f.AuditLog(t.Context(), moderation.AuditFilter{ViewerID: viewer, Limit: 10})
		if len(rows) != want || err != nil {
			t.Errorf("%s sees %d rows, %v, want %d", viewer, len(rows), err, want)
		}
	}
}

// The application's role adds rows to the audit logs and reads them, and can do nothing else with them.
func TestStore_AuditLog_append_only(t *testing.T) {
	t.Parallel()
	f := setup(t)
	owner := f.pool.Config().ConnString()
	application := pgtest.Application(t, owner)
	require.NoError(t, platform.Grant(t.Context(), owner, application))
	pool, err := platform.Open(t.Context(), application)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	require.NoError(t, postgres.NewStore(pool).AddAuditEntry(t.Context(), entry(mod, access.BanPlayer, anna, minute(1))))
	for _, table := range []string{"audit", "audit_log"} {
		for _, sql := range []string{
			"update " + table + " set reason = 'none'", "delete from " + table, "truncate " + table,
			"drop table " + table, "alter table " + table + " owner to current_user", "select * from " + table + " for update",
		} {
			_, err := pool.Exec(t.Context(), sql)
			if refusal, ok := errors.AsType[*pgconn.PgError](err); !ok || refusal.Code != "42501" {
				t.Errorf("%s: %v", sql, err)
			}
		}
	}
	rows, err := postgres.NewStore(pool).AuditLog(t.Context(), moderation.AuditFilter{Limit: 10})
	if err != nil || len(rows) != 1 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}
