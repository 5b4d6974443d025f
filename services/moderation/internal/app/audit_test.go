package app_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// The audit log has the rows of all services, in pages and as NDJSON.
func TestDesk_audit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	eventually.WaitFor(t, "readiness", func() bool {
		return servicetest.Do(t, http.MethodGet, b.OpsURL+"/readyz", nil).Status == http.StatusOK
	})
	mod := b.moderator("mod")
	target := newID()
	at := time.Date(2026, 5, 11, 18, 0, 0, 0, time.UTC)
	for i := range 5 {
		require.NoError(t, b.PublishFact(t.Context(), newID(), event.AuditWritten{
			Attribution: access.Attribution{Actor: access.Operator("root"), Reason: "a test"}, Action: access.RemoveRecord,
			TargetID: target, Before: json.RawMessage(`{"removed": false}`), After: json.RawMessage(`{"removed": true}`),
			At: at.Add(time.Duration(i) * time.Minute),
		}))
	}
	rows := b.awaitAudit(mod, "subject="+target+"&actor=root", 5)
	if r := rows[0]; r.Actor.Kind != "operator" || r.Reason != "a test" || r.Before["removed"] != false ||
		r.After["removed"] != true {
		t.Errorf("a row: %+v", r)
	}
	page := b.awaitAudit(mod, "subject="+target+"&limit=2&before="+rows[1].UnderscoreId, 2)
	require.Equal(t, "the second page", rows[2:4], page)
	a := b.want(mod, http.MethodGet, "/desk/audit/export?subject="+target, nil, http.StatusOK, "")
	lines := bytes.Split(bytes.TrimSpace(a.Raw), []byte("\n"))
	if len(lines) != 5 || a.Header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("%d lines, %s:\n%s", len(lines), a.Header.Get("Content-Type"), a.Raw)
	}
	for i, line := range lines {
		var row auditView
		require.NoError(t, json.Unmarshal(line, &row))
		if row.UnderscoreId != rows[i].UnderscoreId {
			t.Errorf("line %d has row %s, want %s", i, row.UnderscoreId, rows[i].UnderscoreId)
		}
	}
}
