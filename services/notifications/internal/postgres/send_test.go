package postgres_test

import (
	"context"
	"testing"
	"time"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/notifications/internal/webhook"
)

func (f fixture) take(tb testing.TB, troubled bool, at, until time.Time) []webhook.Work {
	tb.Helper()
	works, err := f.Take(tb.Context(), leaseOf(troubled, 1000, at, until))
	require.NoError(tb, err)
	return works
}

// leaseOf returns a new lease.
func leaseOf(troubled bool, limit int, at, until time.Time) webhook.Lease {
	return webhook.Lease{ID: event.NewID(), Troubled: troubled, Limit: limit, At: at, Until: until}
}

// One sender has a webhook until it gives it back, or its lease ends. What is added meanwhile is due then.
func TestStore_Take(t *testing.T) {
	t.Parallel()
	f := setup(t)
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
	require.NoError(t, f.Finish(t.Context(), works[0], out, minute(62)))
	if failures := pgtest.Value[int](t, f.pool, "select sum(failures) from webhooks"); failures != 0 {
		t.Errorf("the outcome of a sender without a lease was stored")
	}
	pgtest.Exec(t, f.pool, "delete from webhook_deliveries")
	f.publishAt(t, ben, 30)
	for _, work := range later {
		require.NoError(t, f.GiveBack(t.Context(), work, minute(5)))
	}
	if works := f.take(t, false, minute(62), minute(63)); len(works) != 2 || len(works[0].Deliveries) != 1 {
		t.Errorf("what was added meanwhile: %+v", works)
	}
}

// Webhooks have their turn one after the other, however much waits for some of them. Those with a slow receiver are
// taken with those that fail.
func TestStore_Take_in_turn(t *testing.T) {
	t.Parallel()
	f := setup(t)
	busy := f.hook(t, anna, 1, webhook.JSON, allRecords)
	for n := range 3 {
		f.publishAt(t, ben, 10+n)
	}
	other := f.hook(t, ben, 13, webhook.JSON, allRecords)
	f.publishAt(t, ben, 14)
	taken := func(troubled bool, now int, slow bool) (hook string) {
		t.Helper()
		works, err := f.Take(t.Context(), leaseOf(troubled, 1, minute(now), minute(now+1)))
		if err != nil || len(works) == 0 {
			return ""
		}
		done := works[0].Deliveries[0]
		done.State, done.NextTryAt = webhook.Delivered, time.Time{}
		out := webhook.Outcome{Deliveries: []webhook.Delivery{done}, Slow: slow}
		require.NoError(t, f.Finish(t.Context(), works[0], out, minute(now)))
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
func TestStore_Take_in_order(t *testing.T) {
	t.Parallel()
	f := setup(t)
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
			require.NoError(t, f.Finish(t.Context(), work, out, at))
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

// The owner is told each time that a webhook is switched off, also by the same delivery.
func TestStore_Finish_off_again(t *testing.T) {
	t.Parallel()
	f := setup(t)
	hook := f.hook(t, anna, 1, webhook.JSON, allRecords)
	f.publishAt(t, ben, 10)
	for i := range 2 {
		work := f.take(t, false, minute(20+i), minute(30))[0]
		out := webhook.Outcome{Deliveries: work.Deliveries, Failures: 1, Off: webhook.OffGone, NoticeID: id(3000 + i)}
		require.NoError(t, f.Finish(t.Context(), work, out, minute(20+i)))
		if added := pgtest.Value[int](t, f.pool, "select count(*) from notifications"); added != i+1 {
			t.Errorf("switched off %d times, %d notifications", i+1, added)
		}
		require.NoError(t, f.UpdateWebhook(t.Context(), by(anna), hook, webhook.Change{Enabled: new(true)}, minute(20+i)))
		_, err := f.SendAgain(t.Context(), by(anna), hook, work.Deliveries[0].ID, minute(20+i))
		require.NoError(t, err)
	}
}

// A webhook that is being taken is passed over by other senders, and one that is failing is for others.
func TestStore_Take_at_once(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for n := range 3 {
		f.hook(t, anna, n, webhook.JSON, allRecords)
	}
	f.publishAt(t, ben, 5)
	pgtest.Exec(t, f.pool, "update webhooks set failures = 1 where id = $1", id(2002))
	tx, err := f.pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	first, err := f.In(tx).Take(t.Context(), leaseOf(false, 1, minute(10), minute(11)))
	require.NoError(t, err)
	second, failing := f.take(t, false, minute(10), minute(11)), f.take(t, true, minute(10), minute(11))
	if len(first) != 1 || len(second) != 1 || first[0].WebhookID == second[0].WebhookID || len(failing) != 1 {
		t.Errorf("taken %+v, at once %+v, and failing %+v", first, second, failing)
	}
}
