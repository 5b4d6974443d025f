package player_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

// A rule has no servers: what it returns for players who are locked.
func TestLocked_Moderate(t *testing.T) {
	t.Parallel()
	ann := player.Player{ID: "ann", Roles: []string{"artist"}}
	admin := player.Player{ID: "ada", Roles: []string{access.Admin}}
	banned, deleted := ann, player.Player{ID: "ann", DeletedAt: noon}
	banned.Banned, banned.Ban = true, player.Ban{Reason: "tools", Until: noon, DecisionID: "d1"}
	moderator := access.Attribution{Actor: access.Player("mo", "mo", []string{access.Moderator}), Reason: "why"}
	operator := byOperator("why")
	for _, tt := range []struct {
		name   string
		locked player.Locked
		change player.Moderation
		want   error
	}{
		{"a role", player.Locked{Player: ann}, player.Moderation{Action: access.GrantRole, Role: "mapper"}, nil},
		{"a role twice", player.Locked{Player: ann}, player.Moderation{Action: access.GrantRole, Role: "artist"},
			player.ErrHasRole},
		{"a role of a deleted player", player.Locked{Player: deleted}, player.Moderation{Action: access.GrantRole},
			player.ErrDeleted},
		{"a role that is not there", player.Locked{Player: ann}, player.Moderation{Action: access.RevokeRole, Role: "x"},
			player.ErrLacksRole},
		{"a ban", player.Locked{Player: ann}, player.Moderation{Action: access.BanPlayer, By: moderator}, nil},
		{"a second ban", player.Locked{Player: banned}, player.Moderation{Action: access.BanPlayer, By: moderator},
			player.ErrAlreadyBanned},
		{"a ban of an admin by a moderator", player.Locked{Player: admin},
			player.Moderation{Action: access.BanPlayer, By: moderator}, access.ErrNeedsAdmin},
		{"a ban of the only admin by an operator", player.Locked{Player: admin, OnlyAdmin: true},
			player.Moderation{Action: access.BanPlayer, By: operator}, nil},
		{"no ban to lift", player.Locked{Player: ann}, player.Moderation{Action: access.UnbanPlayer, By: moderator},
			player.ErrNotBanned},
		{"the end of a ban", player.Locked{Player: banned}, player.Moderation{Action: access.EndBan, At: noon}, nil},
		{"the end of a ban too early", player.Locked{Player: banned},
			player.Moderation{Action: access.EndBan, At: noon.Add(-time.Millisecond)}, player.ErrNotBanned},
		{"the end of a ban that was lifted", player.Locked{Player: ann},
			player.Moderation{Action: access.EndBan, At: noon}, player.ErrNotBanned},
		{"a merge", player.Locked{Player: ann, Other: &admin}, player.Moderation{Action: access.MergePlayer, By: operator},
			nil},
		{"the release of another's name", player.Locked{Player: ann},
			player.Moderation{Action: access.ReleaseName, Name: "bob"}, player.ErrUnknown},
		{"a merge of a deleted player", player.Locked{Player: deleted, Other: &admin},
			player.Moderation{Action: access.MergePlayer, By: operator}, player.ErrDeleted},
	} {
		change, err := tt.locked.Moderate(tt.change)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if tt.want == nil && (len(change.Entries) != 1 || change.Entries[0].Action != tt.change.Action ||
			change.Entries[0].Target != tt.locked.Player.ID || cmp.Equal(change.Entries[0].Before, change.Entries[0].After)) {
			t.Errorf("%s: entries %+v", tt.name, change.Entries)
		}
	}
}

func TestModerator_audit_log_and_events(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	p := register(t, store, player.Login{Name: "cloudstep"})
	o := operatorOf(store)
	for _, act := range []func() (player.Player, error){
		func() (player.Player, error) { return o.Grant(t.Context(), "cloudstep", "admin") },
		func() (player.Player, error) { return o.Grant(t.Context(), "cloudstep", "artist") },
		func() (player.Player, error) { return o.Revoke(t.Context(), "cloudstep", "artist") },
		func() (player.Player, error) { return o.Ban(t.Context(), "cloudstep", "edited replays") },
		func() (player.Player, error) { return o.Unban(t.Context(), "cloudstep", "appeal") },
	} {
		_, err := act()
		require.NoError(t, err)
	}
	left := store.Left()
	roles := func(roles ...string) any { return map[string]any{"roles": append([]string{}, roles...)} }
	ban := func(banned bool, reason string) any {
		return map[string]any{"banned": banned, "banReason": reason, "bannedUntil": nil}
	}
	wantAudit := []event.AuditWritten{
		written(t, byOperator(""), access.GrantRole, p.ID, roles(), roles("admin")),
		written(t, byOperator(""), access.GrantRole, p.ID, roles("admin"), roles("admin", "artist")),
		written(t, byOperator(""), access.RevokeRole, p.ID, roles("admin", "artist"), roles("admin")),
		written(t, byOperator("edited replays"), access.BanPlayer, p.ID, ban(false, ""), ban(true, "edited replays")),
		written(t, byOperator("appeal"), access.UnbanPlayer, p.ID, ban(true, "edited replays"), ban(false, "")),
	}
	assert.Equal(t, "audit log", wantAudit, left.Audit)
	wantFacts := []event.Fact{
		event.PlayerRegistered{PlayerID: p.ID},
		event.PlayerBanned{PlayerID: p.ID, Reason: "edited replays"},
		event.PlayerUnbanned{PlayerID: p.ID, Reason: "appeal"},
	}
	assert.Equal(t, "facts", wantFacts, left.Facts)
	banned := left.States[4]
	if !banned.Banned || banned.Version != 5 || !cmp.Equal(banned.Roles, []string{"admin"}) {
		t.Errorf("the state published of the ban is %+v", banned)
	}
}

func TestModerator_Ban_until(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	registered := register(t, store, player.Login{Name: "cloudstep"})
	id := registered.ID
	moderator := player.Moderator{Players: store, Now: func() time.Time { return noon }}
	for _, until := range []time.Time{noon, noon.Add(-time.Hour)} {
		change := moderation(access.BanPlayer, id, byOperator("x"))
		change.Until = until
		if _, err := moderator.Moderate(t.Context(), change); !errors.Is(err, player.ErrBanOver) {
			t.Errorf("a ban until %v: %v", until, err)
		}
	}
	until := noon.Add(time.Hour)
	banned := ban(t, store, id, until.In(time.FixedZone("", 3600)))
	left := store.Left()
	if diff := cmp.Diff(&event.Ban{Until: until, PublicReason: access.Edited, DecisionID: "d1"},
		left.States[len(left.States)-1].Ban); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	fact := event.PlayerBanned{PlayerID: id, Reason: "edited replays", Until: until, DecisionID: "d1"}
	assert.Equal(t, "fact", event.Fact(fact), left.Facts[len(left.Facts)-1])
	read, err := store.Get(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, "read", banned, read)
	// The profile shows nothing of a ban that was undone.
	lifted, err := moderator.Moderate(t.Context(), moderation(access.UnbanPlayer, id, byOperator("a mistake")))
	registered.Version = lifted.Version
	if diff := cmp.Diff(registered, lifted); diff != "" || err != nil {
		t.Errorf("lifted: %v (-before +after):\n%s", err, diff)
	}
}

// A ban ends when its time is over, once.
func TestModerator_EndBans(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	ids := map[string]string{}
	for name, until := range map[string]time.Time{
		"hour": noon.Add(time.Hour), "day": noon.Add(24 * time.Hour), "forever": {}, "lifted": noon.Add(time.Minute),
	} {
		ids[name] = register(t, store, player.Login{Name: name}).ID
		ban(t, store, ids[name], until)
	}
	_, err := operatorOf(store).Unban(t.Context(), "lifted", "appeal")
	require.NoError(t, err)
	var now atomic.Int64
	replica := player.Moderator{Players: store, Now: func() time.Time { return noon.Add(time.Duration(now.Load())) }}
	end := func(at time.Duration, want int) {
		t.Helper()
		now.Store(int64(at))
		if ended, err := replica.EndBans(t.Context()); err != nil || ended != want {
			t.Errorf("after %v %d bans ended, %v, want %d", at, ended, err, want)
		}
	}
	end(time.Hour-time.Millisecond, 0)
	before := store.Left()
	end(time.Hour, 1)
	end(time.Hour, 0)
	left := store.Left()
	facts := left.Facts[len(before.Facts):]
	if diff := cmp.Diff([]event.Fact{event.PlayerUnbanned{
		PlayerID: ids["hour"], Reason: "The time of the ban is over.", DecisionID: "d1",
	}}, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	values := func(banned bool, reason string, until any) any {
		return map[string]any{"banned": banned, "banReason": reason, "bannedUntil": until}
	}
	by := access.Attribution{
		Actor: access.System("players"), Reason: "The time of the ban is over.", DecisionID: "d1",
	}
	if diff := cmp.Diff([]event.AuditWritten{written(t, by, access.EndBan, ids["hour"],
		values(true, "edited replays", noon.Add(time.Hour)), values(false, "", nil))},
		left.Audit[len(before.Audit):]); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
	if state := left.States[len(left.States)-1]; state.Banned || state.Ban != nil || state.ID != ids["hour"] {
		t.Errorf("state: %+v", state)
	}
	end(24*time.Hour, 1)
	end(9999*24*time.Hour, 0)
	if p, err := store.Get(t.Context(), ids["forever"]); err != nil || !p.Banned {
		t.Errorf("the ban without an end: %+v, %v", p, err)
	}
}

// Two replicas end many bans at the same moment, and each ban once.
func TestModerator_EndBans_of_two_replicas(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	const players = 120 // more than are read at once
	for n := range players {
		ban(t, store, register(t, store, player.Login{Name: fmt.Sprint("player", n)}).ID, noon.Add(time.Hour))
	}
	before := len(store.Left().Facts)
	var ended atomic.Int64
	var group errgroup.Group
	for range 2 {
		group.Go(func() error {
			replica := player.Moderator{Players: store, Now: func() time.Time { return noon.Add(time.Hour) }}
			n, err := replica.EndBans(t.Context())
			ended.Add(int64(n))
			return err
		})
	}
	require.NoError(t, group.Wait())
	if facts := len(store.Left().Facts) - before; ended.Load() != players || facts != players {
		t.Errorf("%d bans ended with %d facts, want %d", ended.Load(), facts, players)
	}
}

// Of two bans, the one that ends later stays in a merge.
func TestModerator_Merge_of_two_bans(t *testing.T) {
	t.Parallel()
	hour, day := noon.Add(time.Hour), noon.Add(24*time.Hour)
	for _, tt := range []struct{ from, into, want time.Time }{
		{hour, day, day}, {day, hour, day}, {time.Time{}, day, time.Time{}}, {day, time.Time{}, time.Time{}},
	} {
		store := playertest.Open(t)
		ban(t, store, register(t, store, player.Login{Name: "from"}).ID, tt.from)
		ban(t, store, register(t, store, player.Login{Name: "into"}).ID, tt.into)
		kept, err := operatorOf(store).Merge(t.Context(), "from", "into", "")
		if err != nil || !kept.Banned || !kept.Ban.Until.Equal(tt.want) {
			t.Errorf("until %v into until %v: %+v, %v", tt.from, tt.into, kept.Ban, err)
		}
	}
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
		if _, err := moderator.Moderate(t.Context(), moderation(access.UnbanPlayer, p.ID, by)); !errors.Is(err, tt.byMod) {
			t.Errorf("the ban of %s lifted by a moderator: %v, want %v", p.Name, err, tt.byMod)
		}
	}
}

// The token of a moderator who was merged is that of the player merged into, also in the audit log.
func TestModerator_Ban_by_a_merged_moderator(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	mod := registerWith(t, store, "mod", access.Moderator)
	kept, target := register(t, store, player.Login{Name: "kept"}), register(t, store, player.Login{Name: "target"})
	_, err := operatorOf(store).Merge(t.Context(), "mod", "kept", "renamed")
	require.NoError(t, err)
	require.NoError(t, banBy(t, store, mod, target))
	log := store.Left().Audit
	assert.Equal(t, "actor", access.Player(kept.ID, "kept", []string{access.Moderator}), log[len(log)-1].Actor)
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
			_, err := moderator.Moderate(t.Context(), player.Moderation{
				Action: access.MergePlayer, PlayerID: players[tt.from].ID, IntoID: players[tt.into].ID, By: by,
			})
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
