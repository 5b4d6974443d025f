package postgres_test

import (
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/webhook"
)

var allRecords = publicevent.Filter{Types: publicevent.TypeRecord}

// hook creates webhook n of a player, made n minutes after the beginning.
func (f fixture) hook(tb testing.TB, owner string, n int, format webhook.Format, filter publicevent.Filter) string {
	tb.Helper()
	err := f.CreateWebhook(tb.Context(), by(owner), webhook.Webhook{
		ID: id(2000 + n), Enabled: true, URL: "https://webhook.invalid", Format: format, Filter: filter,
		CreatedAt: minute(n),
	}, webhook.Secret("secret"))
	require.NoError(tb, err)
	return id(2000 + n)
}

// What the attempt at an old address finds out is nothing that the new one has done. The new one gets the message, too.
func TestStore_UpdateWebhook_during_an_attempt(t *testing.T) {
	t.Parallel()
	f := setup(t)
	hook := f.hook(t, anna, 1, webhook.JSON, allRecords)
	f.publishAt(t, ben, 10)
	attempt := f.take(t, false, minute(11), minute(12))[0]
	url := "https://new.invalid"
	require.NoError(t, f.UpdateWebhook(t.Context(), by(anna), hook, webhook.Change{URL: &url}, minute(11)))
	out := webhook.Outcome{Deliveries: attempt.Deliveries, Failures: 1, Off: webhook.OffGone}
	require.NoError(t, f.Finish(t.Context(), attempt, out, minute(11)))
	works := f.take(t, false, minute(11), minute(12))
	if len(works) != 1 || works[0].URL != url || works[0].Deliveries[0].ID != attempt.Deliveries[0].ID {
		t.Errorf("taken for the new address: %+v", works)
	}
}
