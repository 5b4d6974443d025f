package player_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

const delay = 14 * 24 * time.Hour

// deleterAt returns the deleter at a time.
func deleterAt(store *playertest.Store, now time.Time) *player.Deleter {
	return &player.Deleter{
		Players: store, Delay: delay, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
	}
}

// schedule asks for the deletion at noon.
func schedule(t *testing.T, store *playertest.Store, p player.Player) {
	t.Helper()
	_, _, err := deleterAt(store, noon).Schedule(t.Context(), by(caller(p)), p.Name)
	require.NoError(t, err)
}

// deleteDue deletes what is due at the end of the delay, and returns the player.
func deleteDue(t *testing.T, store *playertest.Store, id string) player.Player {
	t.Helper()
	_, err := deleterAt(store, noon.Add(delay)).DeleteDue(t.Context())
	require.NoError(t, err)
	p, err := store.Get(t.Context(), id)
	require.NoError(t, err)
	return p
}

// A deleted player has the shortest name that no other deleted player has.
func TestLockedAccount_Delete(t *testing.T) {
	t.Parallel()
	p := player.Player{ID: "01980000-abcd-7000-8000-9e010c113f2a", Name: "runner"}
	for _, tt := range []struct {
		taken []string
		want  string
	}{
		{nil, "deleted player 3f2a"},
		{[]string{"deleted:0c113f2a"}, "deleted player 3f2a"},
		{[]string{"deleted:3f2a", "deleted:0c113f2a"}, "deleted player 9e010c113f2a"},
	} {
		account := player.LockedAccount{Locked: player.Locked{Player: p}, TakenKeys: tt.taken}
		change, err := account.Delete(player.AccountDeletion{At: noon})
		if err != nil || change.Player.Name != tt.want {
			t.Errorf("with %v taken: %q, %v, want %q", tt.taken, change.Player.Name, err, tt.want)
		}
	}
	var all []string
	for _, name := range player.DeletedNames(p.ID) {
		all = append(all, player.DeletedNameKey(name))
	}
	full := player.LockedAccount{Locked: player.Locked{Player: p}, TakenKeys: all}
	if change, err := full.Delete(player.AccountDeletion{At: noon}); err == nil {
		t.Errorf("with all names taken: %q", change.Player.Name)
	}
	for want, l := range map[error]player.Locked{
		player.ErrLastAdmin: {Player: p, OnlyAdmin: true}, player.ErrMerged: {Player: player.Player{MergedInto: "x"}},
		player.ErrDeleted: {Player: player.Player{DeletedAt: noon}},
	} {
		if _, err := (player.LockedAccount{Locked: l}).Delete(player.AccountDeletion{At: noon}); !errors.Is(err, want) {
			t.Errorf("%+v: %v, want %v", l, err, want)
		}
	}
	for scheduledFor, isDue := range map[time.Time]bool{{}: false, noon: true, noon.Add(time.Millisecond): false} {
		account := player.LockedAccount{
			Locked: player.Locked{Player: p}, Deletion: player.Deletion{ScheduledFor: scheduledFor},
		}
		_, err := account.Delete(player.AccountDeletion{OnlyDue: true, At: noon})
		if (err == nil) != isDue {
			t.Errorf("scheduled for %v: %v", scheduledFor, err)
		}
	}
}

func TestDeletedNames(t *testing.T) {
	t.Parallel()
	want := []string{
		"deleted player 3f2a", "deleted player 0c113f2a", "deleted player 9e010c113f2a", "deleted player 80009e010c113f2a",
	}
	got := player.DeletedNames("01980000-abcd-7000-8000-9e010c113f2a")
	assert.Equal(t, "names", want, got[:4])
	if all := got[len(got)-1]; all != "deleted player 01980000abcd700080009e010c113f2a" {
		t.Errorf("the longest name is %q", all)
	}
}

func TestDeleter_Schedule(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	p := register(t, store, player.Login{Name: "cloudstep"})
	admin := register(t, store, player.Login{Name: "Admin"})
	register(t, store, player.Login{Name: "banned admin"})
	o := operatorOf(store)
	for _, name := range []string{"Admin", "banned admin"} {
		_, err := o.Grant(t.Context(), name, access.Admin)
		require.NoError(t, err)
	}
	_, err := o.Ban(t.Context(), "banned admin", "A test.")
	require.NoError(t, err)
	d := deleterAt(store, noon)
	for _, tt := range []struct {
		name string
		by   access.Actor
		text string
		want error
	}{
		{"with another name", caller(p), "cloudstepp", player.ErrNameDiffers},
		{"without a name", caller(p), "", player.ErrNameDiffers},
		{"of the only admin who is not banned", caller(admin), "Admin", player.ErrLastAdmin},
		{"by nobody", access.Actor{}, "cloudstep", access.ErrForbidden},
		{"by an operator", access.Operator("root"), "cloudstep", access.ErrForbidden},
		{"by an unknown player", access.Player("01980000-0000-7000-8000-000000000099", "x", nil), "x", access.ErrForbidden},
	} {
		if _, _, err := d.Schedule(t.Context(), by(tt.by), tt.text); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	want := player.Deletion{RequestedAt: noon, ScheduledFor: noon.Add(delay)}
	for _, created := range []bool{true, false} {
		got, isNew, err := d.Schedule(t.Context(), by(caller(p)), " CloudStep")
		if diff := cmp.Diff(want, got); diff != "" || err != nil || isNew != created {
			t.Errorf("scheduled, new %v, %v (-want +got):\n%s", isNew, err, diff)
		}
		d = deleterAt(store, noon.Add(time.Hour)) // a second request does not count
	}
	if got, err := d.Get(t.Context(), caller(p)); err != nil || !cmp.Equal(want, got) {
		t.Errorf("read: %+v, %v", got, err)
	}
	if n, err := deleterAt(store, noon.Add(delay-time.Second)).DeleteDue(t.Context()); n != 0 || err != nil {
		t.Errorf("%d were deleted before the time, %v", n, err)
	}
	for range 2 { // without one it is no error
		require.NoError(t, d.Cancel(t.Context(), by(caller(p))))
	}
	if got, err := d.Get(t.Context(), caller(p)); err != nil || got != (player.Deletion{}) {
		t.Errorf("after the player has changed their mind: %+v, %v", got, err)
	}
	if p := deleteDue(t, store, p.ID); p.IsDeleted() {
		t.Error("the player was deleted in spite of that")
	}
}

func TestDeleter_DeleteDue(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	register(t, store, player.Login{Name: "former"})
	p := register(t, store, player.Login{Name: "cloudstep", Level: 7, Skin: []byte(`{"bc":255}`)})
	other := register(t, store, player.Login{Name: "other"})
	o := operatorOf(store)
	_, err := o.Merge(t.Context(), "former", "cloudstep", "renamed")
	require.NoError(t, err)
	_, err = o.Grant(t.Context(), "cloudstep", "moderator")
	require.NoError(t, err)
	schedule(t, store, p)
	before := len(store.Left().Audit)
	deleted := deleteDue(t, store, p.ID)
	want := player.Player{
		ID: p.ID, Version: 4, Name: "deleted player " + p.ID[32:], Registered: true, FormerNames: []string{},
		Roles: []string{}, CreatedAt: deleted.CreatedAt, UpdatedAt: deleted.UpdatedAt, DeletedAt: deleted.DeletedAt,
	}
	if diff := cmp.Diff(want, deleted); diff != "" || !deleted.IsDeleted() {
		t.Errorf("deleted (-want +got):\n%s", diff)
	}
	for _, name := range []string{"cloudstep", "former", deleted.Name} {
		if found, err := store.GetByName(t.Context(), name); !errors.Is(err, player.ErrUnknown) {
			t.Errorf("%q is the name of %+v, %v", name, found, err)
		}
	}
	rows := pgtest.Value[int](t, store.Pool, `
		select count(*) from players where lower(concat(name, name_key, search_key, former_names)) ~ 'cloudstep|former'`)
	if rows != 0 {
		t.Errorf("%d rows have an old name", rows)
	}
	left := store.Left()
	if state := left.States[len(left.States)-1]; !state.Deleted || state.Name != deleted.Name || len(state.Roles) != 0 {
		t.Errorf("the state is %+v", state)
	}
	if diff := cmp.Diff(event.Fact(event.PlayerDeleted{PlayerID: p.ID, Name: deleted.Name}),
		left.Facts[len(left.Facts)-1]); diff != "" {
		t.Errorf("the fact (-want +got):\n%s", diff)
	}
	bySystem := access.Attribution{Actor: access.System("players"), Reason: "The player has asked for it."}
	wantAudit := written(t, bySystem, access.DeletePlayer, p.ID, map[string]any{"deleted": false},
		map[string]any{"deleted": true})
	assert.Equal(t, "audit log", []event.AuditWritten{wantAudit}, left.Audit[before:])
	again := register(t, store, player.Login{Name: "cloudstep"})
	if again.ID == p.ID || again.Version != 1 {
		t.Errorf("who proves the name again is %+v", again)
	}
	if err := playername.Check(deleted.Name); !errors.Is(err, playername.ErrInvalid) {
		t.Errorf("an account of the game with the name of a deleted player: %v", err)
	}
	// Nothing can be done by or to a deleted player, but the end of a ban.
	d, reader := deleterAt(store, noon), &player.Reader{Players: store}
	updater := &player.Updater{Players: store, Now: time.Now}
	roles, o := `["artist"]`, operatorOf(store)
	for name, err := range map[string]error{
		"get":      second(d.Get(t.Context(), caller(p))),
		"schedule": third(d.Schedule(t.Context(), by(caller(p)), p.Name)),
		"cancel":   d.Cancel(t.Context(), by(caller(p))),
		"delete":   second(d.Delete(t.Context(), byOperator("again"), p.ID)),
		"update":   second(updater.Update(t.Context(), by(caller(p)), p.ID, player.Update{Roles: &roles})),
		"ban":      second(o.Ban(t.Context(), p.ID, "too late")),
		"grant":    second(o.Grant(t.Context(), p.ID, "artist")),
		"merge":    second(o.Merge(t.Context(), p.ID, other.ID, "")),
		"merge by": second(o.Merge(t.Context(), other.ID, p.ID, "")),
	} {
		if !errors.Is(err, player.ErrDeleted) {
			t.Errorf("%s returned %v", name, err)
		}
	}
	if found, err := reader.Find(t.Context(), p.ID); err != nil || found.ID != p.ID {
		t.Errorf("found by the id: %+v, %v", found, err)
	}
}

func second[A any](_ A, err error) error { return err }

func third[A, B any](_ A, _ B, err error) error { return err }

// Of many replicas one deletes a player, and of a player who cancels at that moment either comes first.
func TestDeleter_DeleteDue_by_many(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	var players []player.Player
	for _, letter := range strings.Split("abcdefghijkl", "") {
		p := register(t, store, player.Login{Name: "player " + letter})
		schedule(t, store, p)
		players = append(players, p)
	}
	facts := len(store.Left().Facts)
	var deleted, canceled atomic.Int64
	group, ctx := errgroup.WithContext(t.Context())
	for range 4 {
		group.Go(func() error {
			n, err := deleterAt(store, noon.Add(delay)).DeleteDue(ctx)
			deleted.Add(int64(n))
			return err
		})
	}
	for _, p := range players[6:] {
		group.Go(func() error {
			err := deleterAt(store, noon.Add(delay)).Cancel(ctx, by(caller(p)))
			if errors.Is(err, player.ErrDeleted) {
				return nil
			}
			canceled.Add(1)
			return err
		})
	}
	require.NoError(t, group.Wait())
	var gone int64
	for i, p := range players {
		now, err := store.Get(t.Context(), p.ID)
		require.NoError(t, err)
		if now.IsDeleted() {
			gone++
		} else if i < 6 {
			t.Errorf("%s is not deleted", p.Name)
		}
	}
	if published := int64(len(store.Left().Facts) - facts); gone != published || gone+canceled.Load() != 12 {
		t.Errorf("%d are deleted by %d facts, %d have canceled", gone, published, canceled.Load())
	}
	if n := pgtest.Value[int](t, store.Pool, "select count(*) from deletions"); n != 0 {
		t.Errorf("%d deletions are left", n)
	}
}

func TestDeleter_DeleteDue_of_admins(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	var admins []player.Player
	for _, name := range []string{"one", "two"} {
		register(t, store, player.Login{Name: name})
		p, err := operatorOf(store).Grant(t.Context(), name, access.Admin)
		require.NoError(t, err)
		admins = append(admins, p)
	}
	for _, p := range admins {
		schedule(t, store, p)
	}
	group, ctx := errgroup.WithContext(t.Context())
	for range 2 {
		group.Go(func() error { return second(deleterAt(store, noon.Add(delay)).DeleteDue(ctx)) })
	}
	require.NoError(t, group.Wait())
	if has, err := store.HasAdmin(t.Context()); err != nil || !has {
		t.Fatalf("no admin is left, %v", err)
	}
	register(t, store, player.Login{Name: "three"})
	_, err := operatorOf(store).Grant(t.Context(), "three", access.Admin)
	require.NoError(t, err)
	if n, err := deleterAt(store, noon.Add(delay+25*time.Hour)).DeleteDue(t.Context()); n != 1 || err != nil {
		t.Errorf("with another admin %d are deleted, %v", n, err)
	}
}

// The deletion of a player who has asked for it again meanwhile does not come earlier.
func TestDeletionStore_PostponeDeletion(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	p := register(t, store, player.Login{Name: "cloudstep"})
	schedule(t, store, p)
	for _, due := range []time.Time{noon.Add(delay + time.Hour), noon.Add(time.Hour)} {
		require.NoError(t, store.PostponeDeletion(t.Context(), p.ID, due))
	}
	want := player.Deletion{RequestedAt: noon, ScheduledFor: noon.Add(delay + time.Hour)}
	if got, err := store.Deletion(t.Context(), p.ID); err != nil || !cmp.Equal(want, got) {
		t.Errorf("postponed: %+v, %v, want %+v", got, err, want)
	}
}

// Two ids with the same end have different names, in whatever case an operator writes them.
func TestDeleter_Delete_of_equal_ends(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	for _, id := range []string{"01980000-0000-7000-8000-0000aaaa3f2a", "01980000-0000-7000-8000-0000bbbb3f2a"} {
		pgtest.Exec(t, store.Pool, `
			insert into players (id, version, name, name_key, level, roles, registered, created_at, updated_at, search_key)
			values ($1, 1, $2, $2, 1, '{}', true, now(), now(), '')`, id, id)
	}
	var got []string
	for _, id := range []string{"01980000-0000-7000-8000-0000aaaa3f2a", "01980000-0000-7000-8000-0000BBBB3F2A"} {
		p, err := deleterAt(store, noon).Delete(t.Context(), byOperator("asked by mail"), id)
		require.NoError(t, err)
		got = append(got, p.Name)
	}
	assert.Equal(t, "names", []string{"deleted player 3f2a", "deleted player bbbb3f2a"}, got)
	if _, err := deleterAt(store, noon).Delete(t.Context(), byOperator("x"), got[0]); !errors.Is(err, player.ErrUnknown) {
		t.Errorf("by what is no id: %v", err)
	}
	p := register(t, store, player.Login{Name: "cloudstep"})
	_, err := deleterAt(store, noon).Delete(t.Context(), byOperator(" "), p.ID)
	if !errors.Is(err, access.ErrReasonMissing) {
		t.Errorf("without a reason: %v", err)
	}
}

// A ban stays bound to the account of the game: nobody proves its names while it lasts.
func TestDeleter_DeleteDue_of_a_banned_player(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		end  func(t *testing.T, store *playertest.Store, id string)
	}{
		{"lifted", func(t *testing.T, store *playertest.Store, id string) {
			t.Helper()
			_, err := operatorOf(store).Unban(t.Context(), id, "appeal")
			require.NoError(t, err)
		}},
		{"over", func(t *testing.T, store *playertest.Store, _ string) {
			t.Helper()
			moderator := &player.Moderator{Players: store, Now: func() time.Time { return noon.Add(90 * 24 * time.Hour) }}
			if n, err := moderator.EndBans(t.Context()); n != 1 || err != nil {
				t.Fatalf("%d bans ended, %v", n, err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			store := playertest.Open(t)
			register(t, store, player.Login{Name: "former"})
			p := register(t, store, player.Login{Name: "cloudstep"})
			_, err := operatorOf(store).Merge(t.Context(), "former", "cloudstep", "renamed")
			require.NoError(t, err)
			ban(t, store, p.ID, noon.Add(60*24*time.Hour))
			schedule(t, store, p)
			deleted := deleteDue(t, store, p.ID)
			if !deleted.IsDeleted() || !deleted.Banned {
				t.Fatalf("deleted: %+v", deleted)
			}
			// The author of a map gets a player under the name, which is still not to be proven.
			ensure(t, store, "CloudStep")
			registrar := &player.Registrar{Players: store, Now: time.Now, NewID: event.NewID}
			for _, name := range []string{"cloudstep", "FORMER"} {
				if _, err := registrar.Register(t.Context(), player.Login{Name: name}); !errors.Is(err, player.ErrBanned) {
					t.Errorf("%s proves the name: %v", name, err)
				}
			}
			tt.end(t, store, p.ID)
			for _, name := range []string{"cloudstep", "FORMER"} {
				if again := register(t, store, player.Login{Name: name}); again.ID == p.ID || again.Banned {
					t.Errorf("after the ban %s is %+v", name, again)
				}
			}
			if n := pgtest.Value[int](t, store.Pool, "select count(*) from banned_names"); n != 0 {
				t.Errorf("%d names are still banned", n)
			}
		})
	}
}

// A ban and a deletion at the same moment: the ban binds who proves the name again, or it is refused. A deletion that
// finds the player locked comes later.
func TestModerator_Ban_during_a_deletion(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	moderator := &player.Moderator{Players: store, Now: func() time.Time { return noon }}
	registrar := &player.Registrar{Players: store, Now: time.Now, NewID: event.NewID}
	for n := range 12 {
		p := register(t, store, player.Login{Name: fmt.Sprint("player", n)})
		schedule(t, store, p)
		var both errgroup.Group
		var banErr error
		both.Go(func() error {
			_, banErr = moderator.Moderate(t.Context(), moderation(access.BanPlayer, p.ID, byOperator("tools")))
			return nil
		})
		both.Go(func() error {
			_, err := deleterAt(store, noon.Add(delay)).DeleteDue(t.Context())
			return err
		})
		require.NoError(t, both.Wait())
		again, err := registrar.Register(t.Context(), player.Login{Name: p.Name})
		switch {
		case banErr == nil && (errors.Is(err, player.ErrBanned) || again.ID == p.ID && again.Banned):
		case errors.Is(banErr, player.ErrDeleted) && err == nil && again.ID != p.ID:
		default:
			t.Errorf("the ban returned %v, and who proves the name again is %+v, %v", banErr, again, err)
		}
	}
}

// A player who is merged is gone, and so is the deletion. That of the player merged into stays.
func TestModerator_Merge_during_a_scheduled_deletion(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	from, into := register(t, store, player.Login{Name: "from"}), register(t, store, player.Login{Name: "into"})
	schedule(t, store, from)
	_, err := operatorOf(store).Merge(t.Context(), "from", "into", "renamed")
	require.NoError(t, err)
	if p := deleteDue(t, store, into.ID); p.IsDeleted() || p.Name != "into" {
		t.Errorf("the player merged into is %+v", p)
	}
	if _, err := deleterAt(store, noon).Delete(t.Context(), byOperator("x"), from.ID); !errors.Is(err, player.ErrMerged) {
		t.Errorf("deleting the merged player: %v", err)
	}
	// The token of the merged player is that of the player merged into.
	third := register(t, store, player.Login{Name: "third"})
	_, _, err = deleterAt(store, noon).Schedule(t.Context(), by(caller(from)), "into")
	require.NoError(t, err)
	_, err = operatorOf(store).Merge(t.Context(), "third", "into", "renamed")
	require.NoError(t, err)
	if p := deleteDue(t, store, into.ID); !p.IsDeleted() {
		t.Errorf("the player merged into is not deleted: %+v", p)
	}
	for _, id := range []string{from.ID, third.ID} {
		if p, err := store.Get(t.Context(), id); err != nil || !strings.HasPrefix(p.Name, "deleted player ") {
			t.Errorf("the tombstone has the name %q, %v", p.Name, err)
		}
	}
}
