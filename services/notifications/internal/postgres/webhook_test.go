package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/postgres"
	"capzone.dev/services/notifications/internal/webhook"
)

var allRecords = publicevent.Filter{Types: publicevent.TypeRecord}

// hook creates webhook n of a player, made n minutes after the beginning.
func (f fixture) hook(tb testing.TB, owner string, n int, format webhook.Format, filter publicevent.Filter) string {
	tb.Helper()
	err := f.webhooks().Create(tb.Context(), webhook.Webhook{
		ID: id(2000 + n), OwnerID: owner, URL: "https://webhook.invalid", Format: format, Filter: filter,
		CreatedAt: minute(n),
	}, webhook.Secret("secret"))
	require.NoError(tb, err)
	return id(2000 + n)
}

func (f fixture) webhooks() postgres.Webhooks { return postgres.Webhooks{Store: f.Store} }

// publishAt adds the deliveries of a record on the forest by a player, at a minute.
func (f fixture) publishAt(tb testing.TB, by string, n int) {
	tb.Helper()
	require.NoError(tb, f.tryPublish(tb.Context(), by, n))
}

func (f fixture) tryPublish(ctx context.Context, by string, n int) error {
	return webhook.Publish(ctx, f.webhooks(), &publicevent.Event{
		Kind: publicevent.KindRecord, Types: publicevent.TypeRecord, Data: publicevent.RecordEvent{},
		Maps: []string{forest}, Players: []string{by}, Mode: "Classic",
	}, minute(n), minute(n), event.NewID)
}

func (f fixture) take(tb testing.TB, failing bool, now, until time.Time) []webhook.Work {
	tb.Helper()
	works, err := f.webhooks().Take(tb.Context(), failing, now, until, 1000)
	require.NoError(tb, err)
	return works
}

// An event is for the webhooks whose whole filter selects it, that are on, are older, and whose owners are not banned.
func TestWebhooks_AddDeliveries(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
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
	require.NoError(t, f.webhooks().Update(t.Context(), cloe, off, webhook.Change{Enabled: new(false)}, minute(1)))
	f.apply(t, notification.Player{ID: dora, Version: 2, Name: "Dora", Banned: true})
	want[off], want[f.hook(t, emil, 31, webhook.JSON, allRecords)] = 0, 0
	f.publishAt(t, ben, 30)
	for hook := range want {
		got[hook] = len(f.deliveries(t, hook))
	}
	require.Equal(t, "deliveries", want, got)
}

// An event may be for the webhooks that are on and name its type and what it is about.
func TestWebhooks_MaySelect(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	check := func(name string, want bool) {
		t.Helper()
		got, err := f.webhooks().MaySelect(t.Context(), &publicevent.Event{
			Types: publicevent.TypeRecord, Maps: []string{forest}, Players: []string{ben}, Mode: "Classic",
		})
		require.NoError(t, err)
		require.Equal(t, name, want, got)
	}
	f.hook(t, anna, 1, webhook.JSON, publicevent.Filter{Types: publicevent.TypeMap})
	check("another type", false)
	f.hook(t, anna, 2, webhook.JSON, publicevent.Filter{Types: publicevent.AllTypes, MapID: tower})
	check("another map", false)
	hook := f.hook(t, anna, 3, webhook.JSON, publicevent.Filter{Types: publicevent.AllTypes, PlayerID: cloe})
	check("another player", false)
	f.apply(t, notification.Player{ID: ben, Version: 2, Name: "Ben", MergedInto: cloe})
	check("whom the player was merged into", true)
	require.NoError(t, f.webhooks().Update(t.Context(), anna, hook, webhook.Change{Enabled: new(false)}, minute(4)))
	check("off", false)
}

// What is added while a sender is giving the webhook back is due at once, whatever became of the delivery before.
func TestWebhooks_AddDeliveries_during_Finish(t *testing.T) {
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
			f := openWithPlayers(t)
			f.hook(t, anna, 1, webhook.JSON, allRecords)
			f.publishAt(t, ben, 10)
			work := f.take(t, false, minute(11), minute(12))[0]
			work.Deliveries[0].State, work.Deliveries[0].NextTryAt = tt.state, tt.next
			out := webhook.Outcome{Deliveries: work.Deliveries, Failures: tt.failures}

			require.NoError(t, f.waits(t,
				func(f fixture) error { return f.webhooks().Finish(t.Context(), work, out, minute(11)) },
				func() error { return f.tryPublish(t.Context(), ben, 11) }))
			works := f.take(t, tt.failures > 0, minute(12), minute(13))
			if len(works) != 1 || len(works[0].Deliveries) != 1 ||
				works[0].Deliveries[0].ID == work.Deliveries[0].ID {
				t.Errorf("taken: %+v, want the event that was added", works)
			}
		})
	}
}

// One sender has a webhook until it gives it back, or its lease ends. What is added meanwhile is due then.
func TestWebhooks_Take(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	f.hook(t, anna, 1, webhook.JSON, allRecords)
	f.hook(t, anna, 2, webhook.Discord, allRecords)
	for n := range 12 {
		f.publishAt(t, ben, 10+n)
	}
	works := f.take(t, false, minute(60), minute(61))
	if len(works) != 2 || len(works[0].Deliveries)+len(works[1].Deliveries) != 1+webhook.MaxEmbeds {
		t.Fatalf("taken: %+v", works)
	}
	if again := f.take(t, false, minute(60), minute(61)); len(again) != 0 {
		t.Errorf("taken twice: %+v", again)
	}
	later := f.take(t, false, minute(62), minute(63)) // the leases have ended
	if len(later) != 2 || len(later[0].Deliveries) == 0 {
		t.Fatalf("taken after the lease: %+v", later)
	}
	// The first sender has lost the webhooks.
	out := webhook.Outcome{Deliveries: works[0].Deliveries, Failures: 7}
	require.NoError(t, f.webhooks().Finish(t.Context(), works[0], out, minute(62)))
	if failures := pgtest.Value[int](t, f.pool, "select sum(failures) from webhooks"); failures != 0 {
		t.Errorf("the outcome of a sender without a lease was stored")
	}
	pgtest.Exec(t, f.pool, "delete from webhook_deliveries")
	f.publishAt(t, ben, 30)
	for _, work := range later {
		require.NoError(t, f.webhooks().GiveBack(t.Context(), work, minute(5)))
	}
	if works := f.take(t, false, minute(62), minute(63)); len(works) != 2 || len(works[0].Deliveries) != 1 {
		t.Errorf("what was added meanwhile: %+v", works)
	}
}

// What the attempt at an old address finds out is nothing that the new one has done. The new one gets the message, too.
func TestWebhooks_Update_during_an_attempt(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	hook := f.hook(t, anna, 1, webhook.JSON, allRecords)
	f.publishAt(t, ben, 10)
	attempt := f.take(t, false, minute(11), minute(12))[0]
	url := "https://new.invalid"
	require.NoError(t, f.webhooks().Update(t.Context(), anna, hook, webhook.Change{URL: &url}, minute(11)))
	out := webhook.Outcome{Deliveries: attempt.Deliveries, Failures: 1, Off: webhook.OffGone}
	require.NoError(t, f.webhooks().Finish(t.Context(), attempt, out, minute(11)))
	works := f.take(t, false, minute(11), minute(12))
	if len(works) != 1 || works[0].URL != url || works[0].Deliveries[0].ID != attempt.Deliveries[0].ID {
		t.Errorf("taken for the new address: %+v", works)
	}
}

// Webhooks have their turn one after the other, however much waits for some of them. Those with a slow receiver are
// taken with those that fail.
func TestWebhooks_Take_in_turn(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	busy := f.hook(t, anna, 1, webhook.JSON, allRecords)
	for n := range 3 {
		f.publishAt(t, ben, 10+n)
	}
	other := f.hook(t, ben, 13, webhook.JSON, allRecords)
	f.publishAt(t, ben, 14)
	taken := func(troubled bool, now int, slow bool) (hook string) {
		t.Helper()
		works, err := f.webhooks().Take(t.Context(), troubled, minute(now), minute(now+1), 1)
		if err != nil || len(works) == 0 {
			return ""
		}
		done := works[0].Deliveries[0]
		done.State, done.NextTryAt = webhook.Delivered, time.Time{}
		out := webhook.Outcome{Deliveries: []webhook.Delivery{done}, Slow: slow}
		require.NoError(t, f.webhooks().Finish(t.Context(), works[0], out, minute(now)))
		return works[0].WebhookID
	}
	for i, want := range []string{busy, other, busy} {
		if got := taken(false, 20+i, i == 2); got != want {
			t.Errorf("turn %d: %s, want %s", i, got, want)
		}
	}
	if healthy, troubled := taken(false, 23, false), taken(true, 23, false); healthy != "" || troubled != busy {
		t.Errorf("after a slow answer %q was taken with the healthy ones, %q with the others", healthy, troubled)
	}
}

// Events are sent in their order. One that has failed is sent again before later ones, until it is held no longer.
func TestWebhooks_Take_in_order(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	hook := f.hook(t, anna, 1, webhook.JSON, allRecords)
	f.hook(t, anna, 2, webhook.Discord, allRecords)
	for range 3 {
		f.publishAt(t, ben, 10) // within one moment
	}
	ids := f.deliveries(t, hook)
	at := minute(11)
	// next takes the next event at a time and fails it, or delivers it.
	next := func(fails bool) string {
		t.Helper()
		for _, work := range f.take(t, false, at, at.Add(time.Second)) {
			if work.WebhookID != hook {
				if len(work.Deliveries) != 3 {
					t.Errorf("%d events of Discord are one message", len(work.Deliveries))
				}
				continue
			}
			d := work.Deliveries[0]
			d.State, d.NextTryAt = webhook.Delivered, time.Time{}
			if fails {
				d.State, d.NextTryAt = webhook.Waiting, at.Add(5*time.Second)
				if d.HeldUntil.IsZero() {
					d.HeldUntil = at.Add(time.Minute)
				}
			}
			out := webhook.Outcome{Deliveries: []webhook.Delivery{d}}
			require.NoError(t, f.webhooks().Finish(t.Context(), work, out, at))
			return d.ID
		}
		return ""
	}
	for i, tt := range []struct {
		after time.Duration
		fails bool
		want  int
	}{
		{0, false, 0}, {time.Second, true, 1},
		{10 * time.Second, true, 1}, {10 * time.Second, true, 1}, // it is first as long as it is held
		{time.Minute, false, 2}, {0, false, 1},
	} {
		at = at.Add(tt.after)
		if got := next(tt.fails); got != ids[tt.want] {
			t.Errorf("turn %d: %s, want event %d of %v", i, got, tt.want, ids)
		}
	}
}

// deliveries returns the ids of all deliveries of a webhook, the oldest first.
func (f fixture) deliveries(tb testing.TB, hook string) (ids []string) {
	tb.Helper()
	all, err := f.webhooks().Deliveries(tb.Context(), pgtest.Value[string](tb, f.pool,
		"select owner_id::text from webhooks where id = $1", hook), hook)
	require.NoError(tb, err)
	for _, d := range all {
		ids = append([]string{d.ID}, ids...)
	}
	return ids
}

// Uses of a player are counted, whichever webhooks they are of.
func TestWebhooks_CountUse(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	for range webhook.MaxUses {
		require.NoError(t, f.webhooks().CountUse(t.Context(), anna, minute(0)))
	}
	if err := f.webhooks().CountUse(t.Context(), anna, minute(0)); !errors.Is(err, webhook.ErrTooOften) {
		t.Errorf("one more: %v", err)
	}
	for player, at := range map[string]time.Time{ben: minute(0), anna: minute(1)} {
		require.NoError(t, f.webhooks().CountUse(t.Context(), player, at))
	}
}

// The owner is told each time that a webhook is switched off, also by the same delivery.
func TestWebhooks_Finish_off_again(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	hook := f.hook(t, anna, 1, webhook.JSON, allRecords)
	f.publishAt(t, ben, 10)
	for i := range 2 {
		work := f.take(t, false, minute(20+i), minute(30))[0]
		out := webhook.Outcome{Deliveries: work.Deliveries, Failures: 1, Off: webhook.OffGone}
		require.NoError(t, f.webhooks().Finish(t.Context(), work, out, minute(20+i)))
		if told := pgtest.Value[int](t, f.pool, "select count(*) from notifications"); told != i+1 {
			t.Errorf("switched off %d times, told %d times", i+1, told)
		}
		enabled := true
		require.NoError(t, f.webhooks().Update(t.Context(), anna, hook, webhook.Change{Enabled: &enabled}, minute(20+i)))
		_, err := f.webhooks().SendAgain(t.Context(), anna, hook, work.Deliveries[0].ID, minute(20+i))
		require.NoError(t, err)
	}
}

// A webhook that is being taken is passed over by other senders, and one that is failing is for others.
func TestWebhooks_Take_at_once(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	for n := range 3 {
		f.hook(t, anna, n, webhook.JSON, allRecords)
	}
	f.publishAt(t, ben, 5)
	pgtest.Exec(t, f.pool, "update webhooks set failures = 1 where id = $1", id(2002))
	tx, err := f.pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	first, err := fixture{f.In(tx), f.pool}.webhooks().Take(t.Context(), false, minute(10), minute(11), 1)
	require.NoError(t, err)
	second, failing := f.take(t, false, minute(10), minute(11)), f.take(t, true, minute(10), minute(11))
	if len(first) != 1 || len(second) != 1 || first[0].WebhookID == second[0].WebhookID || len(failing) != 1 {
		t.Errorf("taken %+v, at once %+v, and failing %+v", first, second, failing)
	}
}

// Of the webhooks of a merged player and of whom the player was merged into, the 5 oldest are left. Filters name whom a
// player was merged into.
func TestStore_merge_webhooks(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	filter := publicevent.Filter{Types: publicevent.TypeRecord, PlayerID: ben}
	for n := range 4 {
		f.hook(t, anna, 2*n, webhook.JSON, allRecords)
		f.hook(t, ben, 2*n+1, webhook.JSON, filter)
	}
	f.hook(t, cloe, 20, webhook.JSON, filter)
	f.merge(t, ben, anna)
	type hook struct{ ID, Owner, Player string }
	got := pgtest.Rows[hook](t, f.pool, `
		select id::text, owner_id::text as owner, coalesce(player_id::text, '') as player from webhooks order by id`)
	var want []hook
	for n := range webhook.Max {
		player := []string{"", anna}[n%2]
		want = append(want, hook{id(2000 + n), anna, player})
	}
	require.Equal(t, "webhooks", append(want, hook{id(2020), cloe, anna}), got)
	f.publishAt(t, anna, 30)
	if rows := pgtest.Value[int](t, f.pool, "select count(*) from webhook_deliveries"); rows != 6 {
		t.Errorf("%d deliveries of a record of whom the player was merged into", rows)
	}
	f.publishAt(t, ben, 31)
	if rows := pgtest.Value[int](t, f.pool, "select count(*) from webhook_deliveries"); rows != 12 {
		t.Errorf("%d deliveries after a record that names the merged player", rows)
	}
	// Who was merged still gets at the own webhooks.
	require.NoError(t, f.webhooks().Delete(t.Context(), ben, id(2001)))
}

func TestWebhooks_Purge(t *testing.T) {
	t.Parallel()
	f := openWithPlayers(t)
	hook := f.hook(t, anna, 1, webhook.JSON, allRecords)
	now := minute(0).Add(40 * day)
	fill := func(first, count int, at time.Time, waits bool) {
		pgtest.Exec(t, f.pool, `
			insert into webhook_deliveries (webhook_id, id, type, body, state, created_at, next_try_at)
			select $1, ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'record', '{}', 'waiting',
				$4::timestamptz + n * interval '1 millisecond', case when $5 then $4::timestamptz end
			from generate_series($2::int, $2::int + $3::int - 1) n`, hook, first, count, at, waits)
	}
	fill(1001, 5, now.Add(-31*day), false)
	fill(1, 300, now.Add(-time.Hour), false)
	if deleted, err := f.webhooks().Purge(t.Context(), now); err != nil || deleted != 205 {
		t.Errorf("deleted %d rows (%v), want those above 100", deleted, err)
	}
	fill(2001, webhook.MaxWaiting+7, now, true)
	pgtest.Exec(t, f.pool, "update webhooks set due_at = $1", now)
	_, err := f.webhooks().Purge(t.Context(), now)
	require.NoError(t, err)
	for sql, want := range map[string]int{
		"select count(*) from webhook_deliveries where next_try_at is not null": webhook.MaxWaiting,
		"select count(*) from webhook_deliveries where failure = 'dropped'":     0, // they are not among the newest 100
		"select count(*) from webhook_deliveries where next_try_at is null":     0,
	} {
		if got := pgtest.Value[int](t, f.pool, sql); got != want {
			t.Errorf("%s: %d, want %d", sql, got, want)
		}
	}
	deliveries, err := f.webhooks().Deliveries(t.Context(), anna, hook)
	if err != nil || len(deliveries) != webhook.MaxShown {
		t.Errorf("%d deliveries are listed, %v", len(deliveries), err)
	}
}
