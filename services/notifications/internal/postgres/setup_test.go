package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/services/notifications/internal/notification"
	"capzone.dev/services/notifications/internal/postgres"
	"capzone.dev/services/notifications/migrations"
)

// The players, maps and records of the tests.
var (
	anna, ben, cloe, dora, emil = id(1), id(2), id(3), id(4), id(5)
	forest, tower               = id(101), id(102)
)

// id returns the UUID with a number.
func id(n int) string { return fmt.Sprintf("0198c2f4-0000-7000-8000-%012d", n) }

// by returns the attribution of a player.
func by(playerID string) access.Attribution {
	return access.Attribution{Actor: access.Player(playerID, "", nil)}
}

// record returns the id of a record.
func record(n int) string { return id(1000 + n) }

// minute returns the time n minutes after the beginning of the tests.
func minute(n int) time.Time { return time.Date(2026, 3, 1, 0, n, 0, 0, time.UTC) }

type fixture struct {
	*postgres.Store
	pool *platform.Pool
}

// setup returns a store with a database of its own, which has the copies of five players.
func setup(tb testing.TB) fixture {
	tb.Helper()
	pool := pgtest.Open(tb, "notifications", migrations.FS)
	f := fixture{postgres.NewStore(pool), pool}
	for i, name := range []string{"Anna", "Ben", "Cloe", "Dora", "Emil"} {
		f.apply(tb, notification.Player{ID: id(i + 1), Version: 1, Name: name})
	}
	return f
}

func (f fixture) apply(tb testing.TB, p notification.Player) {
	tb.Helper()
	require.NoError(tb, f.ApplyPlayer(tb.Context(), p))
}

// merge applies the tombstone of a merged player.
func (f fixture) merge(tb testing.TB, from, into string) {
	tb.Helper()
	f.apply(tb, tombstone(from, into))
}

func tombstone(from, into string) notification.Player {
	return notification.Player{ID: from, Version: 2, Removed: true, MergedInto: into}
}

func (f fixture) add(tb testing.TB, notifications ...notification.Notification) {
	tb.Helper()
	require.NoError(tb, f.Apply(tb.Context(), effectOf(notifications...)))
}

func effectOf(notifications ...notification.Notification) notification.Effect {
	return notification.Effect{Notifications: notifications, At: minute(0)}
}

// lost returns the notification that record n on the forest has broken a player's record.
func lost(receiver, by string, n int) notification.Notification {
	return notification.Notification{
		ReceiverID: receiver, Kind: notification.RecordLost, CauseID: record(n), GroupID: forest, PlayerID: by,
		MapID: forest, RecordID: record(n), FinishTime: int64(1000 + n), OwnFinishTime: 2000, From: 1, To: 2, At: minute(n),
	}
}

// followed returns the notification that a followed player has made record n on the forest.
func followed(receiver, by string, n int) notification.Notification {
	return notification.Notification{
		ReceiverID: receiver, Kind: notification.FollowedRecord, CauseID: record(n), GroupID: by, PlayerID: by,
		MapID: forest, RecordID: record(n), FinishTime: int64(1000 + n), At: minute(n),
	}
}

// stored is a row of notifications.
type stored struct {
	Receiver string
	Number   int64
	Kind     notification.Kind
	Cause    string
	Subject  string
	Player   string
	Read     bool
}

// row returns what is stored of a notification under a number.
func row(n notification.Notification, number int64) stored {
	return stored{
		Receiver: n.ReceiverID, Number: number, Kind: n.Kind, Cause: n.CauseID, Subject: n.GroupID, Player: n.PlayerID,
	}
}

// wantStored compares everything that is in the inboxes.
func (f fixture) wantStored(tb testing.TB, want ...stored) {
	tb.Helper()
	got := pgtest.Rows[stored](tb, f.pool, `
		select receiver_id::text as receiver, number, kind, cause_id::text as cause, subject_id::text as subject,
			coalesce(player_id::text, '') as player, read_at is not null as read
		from notifications order by receiver_id, number`)
	require.Equal(tb, "notifications", want, got, cmpopts.EquateEmpty())
}

func (f fixture) groups(tb testing.TB, playerID string, page notification.Page) []notification.Group {
	tb.Helper()
	if page.Limit == 0 {
		page.Limit = 100
	}
	groups, err := f.Groups(tb.Context(), playerID, page)
	require.NoError(tb, err)
	return groups
}

// waits has second wait for the transaction of first, fails the test unless it does, and returns its error.
func (f fixture) waits(t *testing.T, first func(f fixture) error, second func() error) error {
	t.Helper()
	tx, err := f.pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	require.NoError(t, first(fixture{f.In(tx), f.pool}))
	done := make(chan error, 1)
	go func() { done <- second() }()
	eventually.WaitFor(t, "the second to wait", func() bool { return pgtest.Waiting(t, f.pool) > 0 })
	require.NoError(t, tx.Commit(t.Context()))
	return <-done
}
