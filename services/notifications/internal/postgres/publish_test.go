package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/webhook"
)

// publishAt adds the deliveries of a record on the forest by a player, at a minute.
func (f fixture) publishAt(tb testing.TB, by string, n int) {
	tb.Helper()
	require.NoError(tb, f.tryPublish(tb.Context(), by, n))
}

func (f fixture) tryPublish(ctx context.Context, by string, n int) error {
	publisher := webhook.Publisher{Store: f.Store, NewID: event.NewID, Now: func() time.Time { return minute(n) }}
	publication, err := publisher.Prepare(ctx, &publicevent.Event{
		Kind: publicevent.KindRecord, Types: publicevent.TypeRecord, Data: publicevent.RecordEvent{},
		Maps: []string{forest}, Players: []string{by}, Mode: "Classic",
	}, minute(n))
	if err != nil || publication.IsEmpty() {
		return err
	}
	return f.AddDeliveries(ctx, publication)
}

// An event is for the webhooks whose whole filter selects it, that are on, are older, and whose owners are not banned.
func TestStore_AddDeliveries(t *testing.T) {
	t.Parallel()
	f := setup(t)
	const types = publicevent.TypeRecord
	want, got := map[string]int{}, map[string]int{}
	for i, tt := range []struct {
		owner  string
		filter publicevent.Filter
		count  int
	}{
		{anna, allRecords, 1}, {anna, publicevent.Filter{Types: publicevent.TypeMap}, 0},
		{anna, publicevent.Filter{Types: types, MapID: forest}, 1},
		{anna, publicevent.Filter{Types: types, MapID: tower}, 0},
		{anna, publicevent.Filter{Types: types, PlayerID: ben}, 1},
		{ben, publicevent.Filter{Types: types, PlayerID: cloe}, 0},
		{ben, publicevent.Filter{Types: types, Mode: "Classic"}, 1},
		{ben, publicevent.Filter{Types: types, Mode: "Grapple"}, 0},
		{ben, publicevent.Filter{Types: publicevent.AllTypes, MapID: forest, PlayerID: ben, Mode: "Classic"}, 1},
		{ben, publicevent.Filter{Types: publicevent.AllTypes, MapID: forest, PlayerID: cloe}, 0},
		{dora, allRecords, 0}, // is banned below
	} {
		want[f.hook(t, tt.owner, i, webhook.JSON, tt.filter)] = tt.count
	}
	off := f.hook(t, cloe, 20, webhook.JSON, allRecords)
	require.NoError(t, f.UpdateWebhook(t.Context(), by(cloe), off, webhook.Change{Enabled: new(false)}, minute(1)))
	f.apply(t, notification.Player{ID: dora, Version: 2, Name: "Dora", Banned: true})
	want[off], want[f.hook(t, emil, 31, webhook.JSON, allRecords)] = 0, 0
	f.publishAt(t, ben, 30)
	for hook := range want {
		got[hook] = len(f.deliveries(t, hook))
	}
	require.Equal(t, "deliveries", want, got)
}

// An event is also for the webhooks that name whom one of its players was merged into. Other events are for no webhook.
func TestStore_Selecting(t *testing.T) {
	t.Parallel()
	f := setup(t)
	check := func(name string, want ...string) {
		t.Helper()
		got, err := f.Selecting(t.Context(), &publicevent.Event{
			Types: publicevent.TypeRecord, Maps: []string{forest}, Players: []string{ben}, Mode: "Classic",
		}, minute(10))
		require.NoError(t, err)
		require.Equal(t, name, want, got, cmpopts.EquateEmpty())
	}
	f.hook(t, anna, 1, webhook.JSON, publicevent.Filter{Types: publicevent.TypeMap})
	check("another type")
	f.hook(t, anna, 2, webhook.JSON, publicevent.Filter{Types: publicevent.AllTypes, MapID: tower})
	check("another map")
	hook := f.hook(t, anna, 3, webhook.JSON, publicevent.Filter{Types: publicevent.AllTypes, PlayerID: cloe})
	check("another player")
	f.apply(t, notification.Player{ID: ben, Version: 2, Name: "Ben", MergedInto: cloe})
	check("whom the player was merged into", hook)
	require.NoError(t, f.UpdateWebhook(t.Context(), by(anna), hook, webhook.Change{Enabled: new(false)}, minute(4)))
	check("off")
	got, err := f.Selecting(t.Context(), &publicevent.Event{Types: publicevent.TypeMap}, minute(10))
	require.NoError(t, err)
	require.Equal(t, "an event that names nothing", []string{id(2001)}, got)
}

// A webhook that is switched off or deleted after it was selected gets nothing.
func TestStore_AddDeliveries_to_those_that_are_left(t *testing.T) {
	t.Parallel()
	f := setup(t)
	on, off, gone := f.hook(t, anna, 1, webhook.JSON, allRecords), f.hook(t, anna, 2, webhook.JSON, allRecords), id(2003)
	require.NoError(t, f.UpdateWebhook(t.Context(), by(anna), off, webhook.Change{Enabled: new(false)}, minute(4)))
	require.NoError(t, f.AddDeliveries(t.Context(), webhook.Publication{
		Delivery:   webhook.Delivery{Type: "record", Body: []byte("{}"), State: webhook.Waiting, NextTryAt: minute(5)},
		WebhookIDs: []string{on, off, gone}, IDs: []string{id(3001), id(3002), id(3003)},
	}))
	require.Equal(t, "deliveries", []string{id(3001)}, f.deliveries(t, on))
	if rows := pgtest.Value[int](t, f.pool, "select count(*) from webhook_deliveries"); rows != 1 {
		t.Errorf("%d deliveries, want 1", rows)
	}
}

// What is added while a sender is giving the webhook back is due at once, whatever became of the delivery before.
func TestStore_AddDeliveries_during_Finish(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		state    webhook.State
		failures int
		next     time.Time
	}{
		"delivered": {state: webhook.Delivered},
		"failed":    {state: webhook.Waiting, failures: 1, next: minute(24 * 60)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.hook(t, anna, 1, webhook.JSON, allRecords)
			f.publishAt(t, ben, 10)
			work := f.take(t, false, minute(11), minute(12))[0]
			work.Deliveries[0].State, work.Deliveries[0].NextTryAt = tt.state, tt.next
			out := webhook.Outcome{Deliveries: work.Deliveries, Failures: tt.failures}

			require.NoError(t, f.waits(t,
				func(f fixture) error { return f.Finish(t.Context(), work, out, minute(11)) },
				func() error { return f.tryPublish(t.Context(), ben, 11) }))
			works := f.take(t, tt.failures > 0, minute(12), minute(13))
			if len(works) != 1 || len(works[0].Deliveries) != 1 ||
				works[0].Deliveries[0].ID == work.Deliveries[0].ID {
				t.Errorf("taken: %+v, want the event that was added", works)
			}
		})
	}
}
