package player_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

// registerWith registers a player with a role.
func registerWith(t *testing.T, store *playertest.Store, name, role string) player.Player {
	t.Helper()
	register(t, store, player.Login{Name: name})
	p, err := operatorOf(store).Grant(t.Context(), name, role)
	require.NoError(t, err)
	return p
}

// banBy bans a player as a moderator does.
func banBy(t *testing.T, store *playertest.Store, by, target player.Player) error {
	t.Helper()
	moderator := player.Moderator{Players: store, Now: time.Now}
	_, err := moderator.Ban(t.Context(), access.Attribution{Actor: caller(by), Reason: "revenge"}, target.ID, time.Time{})
	return err
}

func TestModerator_Ban_of_the_only_admin(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	one, two := registerWith(t, store, "one", access.Admin), registerWith(t, store, "two", access.Admin)
	before := len(store.Left().Audit)
	require.NoError(t, banBy(t, store, two, one))
	if err := banBy(t, store, two, two); !errors.Is(err, player.ErrLastAdmin) {
		t.Errorf("the only admin who is not banned: %v, want %v", err, player.ErrLastAdmin)
	}
	if err := banBy(t, store, two, one); !errors.Is(err, player.ErrAlreadyBanned) {
		t.Errorf("an admin who is banned: %v, want %v", err, player.ErrAlreadyBanned)
	}
	if got := len(store.Left().Audit) - before; got != 1 {
		t.Errorf("%d rows of the audit log, want 1", got)
	}
	if _, err := operatorOf(store).Ban(t.Context(), "two", "A stolen account."); err != nil {
		t.Errorf("by an operator: %v", err)
	}
}

// Moderators cannot ban each other, nor lift each other's bans.
func TestModerator_Ban_of_players_with_roles(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	mod, admin := registerWith(t, store, "mod", access.Moderator), registerWith(t, store, "admin", access.Admin)
	moderator := player.Moderator{Players: store, Now: time.Now}
	for _, tt := range []struct {
		role  string
		byMod error
	}{
		{access.Admin, access.ErrNeedsAdmin}, {access.Moderator, access.ErrNeedsAdmin},
		{access.Validator, access.ErrNeedsAdmin}, {"artist", nil},
	} {
		p := registerWith(t, store, "an "+tt.role, tt.role)
		if err := banBy(t, store, mod, p); !errors.Is(err, tt.byMod) {
			t.Errorf("%s banned by a moderator: %v, want %v", p.Name, err, tt.byMod)
		}
		if err := banBy(t, store, admin, p); tt.byMod != nil && err != nil {
			t.Errorf("%s banned by an admin: %v", p.Name, err)
		}
		by := access.Attribution{Actor: caller(mod), Reason: "appeal"}
		if _, err := moderator.Unban(t.Context(), by, p.ID); !errors.Is(err, tt.byMod) {
			t.Errorf("the ban of %s lifted by a moderator: %v, want %v", p.Name, err, tt.byMod)
		}
	}
}

// A merge bans the kept player where either is banned, and so could ban the only admin who is not.
func TestModerator_Merge_of_the_only_admin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, from, into string
		byOperator       bool
		otherAdmin       bool
		err              error
	}{
		{name: "a banned player into the admin", from: "banned", into: "admin", err: player.ErrLastAdmin},
		{name: "the admin into a banned player", from: "admin", into: "banned", err: player.ErrLastAdmin},
		{name: "by an operator", from: "banned", into: "admin", byOperator: true},
		{name: "beside another admin", from: "banned", into: "admin", otherAdmin: true},
		{name: "the admin and a player who is not banned", from: "admin", into: "runner"},
		{name: "two players who are no admins", from: "banned", into: "runner"},
		{name: "two banned players, one of them an admin", from: "banned admin", into: "banned"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			store := playertest.Open(t)
			o := operatorOf(store)
			players := map[string]player.Player{
				"admin":        registerWith(t, store, "admin", access.Admin),
				"banned admin": registerWith(t, store, "banned admin", access.Admin),
				"banned":       register(t, store, player.Login{Name: "banned"}),
				"runner":       register(t, store, player.Login{Name: "runner"}),
			}
			for _, name := range []string{"banned admin", "banned"} {
				_, err := o.Ban(t.Context(), name, "tools")
				require.NoError(t, err)
			}
			if tt.otherAdmin {
				registerWith(t, store, "other", access.Admin)
			}
			by := byOperator("renamed")
			if !tt.byOperator {
				by.Actor = caller(players["admin"])
			}
			moderator := player.Moderator{Players: store, Now: time.Now}
			_, err := moderator.Merge(t.Context(), by, players[tt.from].ID, players[tt.into].ID)
			if !errors.Is(err, tt.err) {
				t.Errorf("the merge returned %v, want %v", err, tt.err)
			}
		})
	}
}

// Both bans hold their admin's row when they count the admins. The second sees the first.
func TestModerator_Ban_of_two_admins_at_once(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	admins := []player.Player{registerWith(t, store, "one", access.Admin), registerWith(t, store, "two", access.Admin)}
	counting, err := store.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = counting.Rollback(t.Context()) }()
	_, err = counting.Exec(t.Context(), `select pg_advisory_xact_lock(hashtextextended('delete an admin', 0))`)
	require.NoError(t, err)
	banned := make(chan error, len(admins))
	for i, admin := range admins {
		go func() { banned <- banBy(t, store, admins[1-i], admin) }()
	}
	const waitingSQL = `
		select count(*) from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`
	eventually.WaitFor(t, "both bans to wait", func() bool {
		var waiting int
		require.NoError(t, counting.QueryRow(t.Context(), waitingSQL).Scan(&waiting))
		return waiting == len(admins)
	})
	require.NoError(t, counting.Rollback(t.Context()))
	outcomes := map[bool]int{}
	for range admins {
		err := <-banned
		if err != nil && !errors.Is(err, player.ErrLastAdmin) {
			t.Error(err)
		}
		outcomes[err == nil]++
	}
	assert.Equal(t, "bans that were made, and refused", map[bool]int{true: 1, false: 1}, outcomes)
	if has, err := store.HasAdmin(t.Context()); err != nil || !has {
		t.Errorf("no admin is left, %v", err)
	}
}
