package eventbus_test

import (
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/eventbus"
)

// BenchmarkPruneInbox forgets 10,000 old messages out of an inbox of 110,000.
func BenchmarkPruneInbox(b *testing.B) {
	pool := pgtest.OpenPlatform(b)
	pgtest.Exec(b, pool, `
		insert into inbox (consumer, id, received_at)
		select 'a.consumer', gen_random_uuid(), now() - interval '1 day' from generate_series(1, 100000)`)
	for b.Loop() {
		b.StopTimer()
		pgtest.Exec(b, pool, `
			insert into inbox (consumer, id, received_at)
			select 'a.consumer', gen_random_uuid(), now() - interval '32 days' from generate_series(1, 10000)`)
		b.StartTimer()
		if removed, err := eventbus.PruneInbox(b.Context(), pool); err != nil || removed != 10000 {
			b.Fatalf("forgot %d (%v)", removed, err)
		}
	}
}
