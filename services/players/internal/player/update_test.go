package player_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

func TestUpdater_Update(t *testing.T) {
	t.Parallel()
	image := []byte("an image")
	roles := func(text string) *string { return &text }
	for _, tt := range []struct {
		name   string
		by, of string
		want   player.Update
		err    error
		token  []string // the roles in the token
	}{
		{"a player sets their own image", "runner", "runner", player.Update{SkinImage: image}, nil, nil},
		{"a moderator sets another player's image", "moderator", "runner", player.Update{SkinImage: image}, nil, nil},
		{"an admin sets another player's image", "admin", "runner", player.Update{SkinImage: image}, nil, nil},
		{"a moderator sets an admin's image", "moderator", "admin", player.Update{SkinImage: image}, access.ErrNeedsAdmin,
			nil},
		{"a stranger sets another player's image", "stranger", "runner", player.Update{SkinImage: image},
			player.ErrNotAllowed, nil},
		{"a moderator whose role was revoked a second ago", "stranger", "runner", player.Update{SkinImage: image},
			player.ErrNotAllowed, []string{access.Moderator}},
		{"an admin whose role was revoked a second ago", "moderator", "runner", player.Update{Roles: roles(`["a"]`)},
			player.ErrAdminsOnly, []string{access.Admin}},
		{"a badge gives no right", "artist", "runner", player.Update{SkinImage: image}, player.ErrNotAllowed, nil},
		{"an admin sets roles", "admin", "runner", player.Update{Roles: roles(`["Validator"]`)}, nil, nil},
		{"an admin takes all roles away", "admin", "moderator", player.Update{Roles: roles(`[]`)}, nil, nil},
		{"an admin sets image and roles at once", "admin", "runner", player.Update{SkinImage: image,
			Roles: roles(`["artist"]`)}, nil, nil},
		{"a moderator sets no roles", "moderator", "runner", player.Update{Roles: roles(`["a"]`)}, player.ErrAdminsOnly, nil},
		{"a player sets no roles of their own", "runner", "runner", player.Update{Roles: roles(`["admin"]`)},
			player.ErrAdminsOnly, nil},
		{"a player who may set the image only gets neither", "runner", "runner",
			player.Update{SkinImage: image, Roles: roles(`["admin"]`)}, player.ErrAdminsOnly, nil},
		{"an admin keeps being admin", "admin", "admin", player.Update{Roles: roles(`["artist"]`)}, player.ErrOwnRoles,
			nil},
		{"an admin gives themselves no roles", "admin", "admin", player.Update{Roles: roles(`["admin","artist"]`)},
			player.ErrOwnRoles, nil},
		{"an admin sends their own roles unchanged", "admin", "admin", player.Update{SkinImage: image,
			Roles: roles(`["admin"]`)}, nil, nil},
		{"an admin sets a name or a level", "admin", "runner", player.Update{NameOrLevel: true,
			SkinImage: image}, player.ErrFromTheGame, nil},
		{"a stranger who sets a name is a stranger first", "stranger", "runner", player.Update{NameOrLevel: true},
			player.ErrNotAllowed, nil},
		{"the banned update nothing", "banned", "banned", player.Update{SkinImage: image}, player.ErrBanned, nil},
		{"who is not known may nothing", "ghost", "runner", player.Update{SkinImage: image}, player.ErrNotAllowed, nil},
		{"an admin updates an unknown player", "admin", "ghost", player.Update{SkinImage: image}, player.ErrUnknown, nil},
		{"an update holds something", "runner", "runner", player.Update{}, player.ErrNothingGiven, nil},
		{"roles follow the rules", "admin", "runner", player.Update{Roles: roles(`["a","A"]`)}, player.ErrRoleTwice, nil},
		{"an image follows the rules", "runner", "runner", player.Update{SkinImage: []byte("no image")}, errNoImage, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			updater, store, ids := setupUpdate(t)
			before := store.Left()
			p, err := updater.Update(t.Context(), by(access.Player(ids[tt.by], tt.by, tt.token)), ids[tt.of], tt.want)
			if !errors.Is(err, tt.err) {
				t.Fatalf("Update returned the error %v, want %v", err, tt.err)
			}
			if tt.err != nil {
				assert.Equal(t, "a refused update left something behind", before, store.Left())
				return
			}
			if tt.want.SkinImage != nil && p.Avatar != "skins/image.webp" {
				t.Errorf("the avatar is %q", p.Avatar)
			}
			if n := pgtest.Value[int](t, store.Pool, "select count(*) from pending_uploads"); n != 0 {
				t.Errorf("%d uploads were not claimed", n)
			}
			if tt.want.Roles != nil {
				want, _ := player.ParseRoles(*tt.want.Roles)
				assert.Equal(t, "roles", want, p.Roles)
			}
		})
	}
}

// Own changes leave no entry in the audit log, those of others one for each value.
func TestLocked_Update(t *testing.T) {
	t.Parallel()
	ann := player.Player{ID: "ann", Roles: []string{"artist"}, UpdatedAt: noon}
	admin := &player.Player{ID: "ada", Roles: []string{access.Admin}}
	moderator := &player.Player{ID: "mo", Roles: []string{access.Moderator}}
	image, same, other := []byte("an image"), `["artist"]`, `["mapper"]`
	upload := storedfile.Upload{Key: "skins/1.webp"}
	for _, tt := range []struct {
		name    string
		actor   *player.Player // nil for the player
		update  player.Update
		actions []access.Action
		err     error
	}{
		{"own image", nil, player.Update{SkinImage: image}, nil, nil},
		{"own roles as they are", nil, player.Update{Roles: &same}, nil, player.ErrAdminsOnly},
		{"by a moderator", moderator, player.Update{SkinImage: image}, []access.Action{access.ChangeAvatar}, nil},
		{"roles by a moderator", moderator, player.Update{Roles: &other}, nil, player.ErrAdminsOnly},
		{"by an admin", admin, player.Update{SkinImage: image, Roles: &other},
			[]access.Action{access.ChangeAvatar, access.ChangeRoles}, nil},
		{"of an older reading", admin, player.Update{Roles: &other, UpdatedAt: noon.Add(-time.Second)}, nil,
			player.ErrChanged},
	} {
		u := player.ProfileUpdate{Update: tt.update, By: access.Attribution{Actor: access.Player("token", "token", nil)}}
		if tt.update.SkinImage != nil {
			u.Avatar = upload
		}
		change, err := player.Locked{Player: ann, Other: tt.actor}.Update(u)
		if !errors.Is(err, tt.err) || change.Avatar != u.Avatar && err == nil {
			t.Errorf("%s: %+v, %v, want %v", tt.name, change, err, tt.err)
		}
		var actions []access.Action
		for _, e := range change.Entries {
			actions = append(actions, e.Action)
			if e.By.Actor.ID != tt.actor.ID || e.Target != ann.ID {
				t.Errorf("%s: entry %+v", tt.name, e)
			}
		}
		assert.Equal(t, tt.name, tt.actions, actions)
	}
}

// What goes wrong where the actor is read is no missing right.
func TestUpdater_Update_actor_cannot_be_read(t *testing.T) {
	t.Parallel()
	updater, store, ids := setupUpdate(t)
	errAway := errors.New("the database is away")
	updater.Players = unreadable{store, ids["moderator"], errAway}
	_, err := updater.Update(t.Context(), by(access.Player(ids["moderator"], "moderator", nil)), ids["runner"],
		player.Update{SkinImage: []byte("an image")})
	if !errors.Is(err, errAway) || errors.Is(err, player.ErrNotAllowed) {
		t.Errorf("returned %v, want %v", err, errAway)
	}
}

// unreadable is a store that cannot read one of the players.
type unreadable struct {
	player.UpdateStore

	id  string
	err error
}

func (u unreadable) Get(ctx context.Context, id string) (player.Player, error) {
	if id == u.id {
		return player.Player{}, u.err
	}
	return u.UpdateStore.Get(ctx, id)
}

func TestUpdater_Update_audit_log(t *testing.T) {
	t.Parallel()
	updater, store, ids := setupUpdate(t)
	before := len(store.Left().Audit)
	roles := `["artist"]`
	for _, u := range []struct {
		by   string
		want player.Update
	}{
		{"stranger", player.Update{SkinImage: []byte("an image")}},
		{"admin", player.Update{SkinImage: []byte("an image"), Roles: &roles}},
	} {
		target := ids["runner"]
		if u.by == "stranger" { // whose own change is not audited
			target = ids[u.by]
		}
		_, err := updater.Update(t.Context(), by(access.Player(ids[u.by], u.by, nil)), target, u.want)
		require.NoError(t, err)
	}
	by := access.Attribution{Actor: access.Player(ids["admin"], "admin", []string{access.Admin})}
	want := []event.AuditWritten{
		written(t, by, access.ChangeAvatar, ids["runner"],
			map[string]any{"avatar": ""}, map[string]any{"avatar": "skins/image.webp"}),
		written(t, by, access.ChangeRoles, ids["runner"],
			map[string]any{"roles": []string{}}, map[string]any{"roles": []string{"artist"}}),
	}
	assert.Equal(t, "audit log", want, store.Left().Audit[before:])
}

// Of two changes of one reading the second is refused, so that a role that was revoked meanwhile does not come back.
func TestUpdater_Update_of_an_older_reading(t *testing.T) {
	t.Parallel()
	updater, store, ids := setupUpdate(t)
	read, err := store.Get(t.Context(), ids["moderator"])
	require.NoError(t, err)
	admin := access.Player(ids["admin"], "admin", nil)
	none, both := `[]`, `["moderator","artist"]`
	revoked, err := updater.Update(t.Context(), by(admin), read.ID, player.Update{Roles: &none, UpdatedAt: read.UpdatedAt})
	require.NoError(t, err)
	before := store.Left()
	for name, update := range map[string]player.Update{
		"the roles":  {Roles: &both, UpdatedAt: read.UpdatedAt},
		"the avatar": {SkinImage: []byte("an image"), UpdatedAt: read.UpdatedAt},
	} {
		if _, err := updater.Update(t.Context(), by(admin), read.ID, update); !errors.Is(err, player.ErrChanged) {
			t.Errorf("%s of an older reading: %v", name, err)
		}
	}
	assert.Equal(t, "a refused update left something behind", before, store.Left())
	for _, updatedAt := range []time.Time{revoked.UpdatedAt, {}} {
		update := player.Update{Roles: &both, UpdatedAt: updatedAt}
		if _, err := updater.Update(t.Context(), by(admin), read.ID, update); err != nil {
			t.Errorf("of the reading at %v: %v", updatedAt, err)
		}
	}
}

// Of two admins who take each other's role at the same moment, one stays admin.
func TestUpdater_Update_last_admin(t *testing.T) {
	t.Parallel()
	for range 10 {
		updater, store, ids := setupUpdate(t)
		_, err := operatorOf(store).Grant(t.Context(), "moderator", access.Admin)
		require.NoError(t, err)
		none := `[]`
		var refused atomic.Int64
		var all sync.WaitGroup
		for _, names := range [][2]string{{"admin", "moderator"}, {"moderator", "admin"}} {
			all.Go(func() {
				actor := access.Player(ids[names[0]], names[0], []string{access.Admin})
				_, err := updater.Update(t.Context(), by(actor), ids[names[1]], player.Update{Roles: &none})
				switch {
				case errors.Is(err, player.ErrAdminsOnly), errors.Is(err, player.ErrNotAllowed):
					refused.Add(1)
				case err != nil:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if has, err := store.HasAdmin(t.Context()); err != nil || !has || refused.Load() != 1 {
			t.Fatalf("there is an admin: %v, %v; %d were refused", has, err, refused.Load())
		}
	}
}

// A picture waits for others. What becomes of the two players meanwhile counts.
func TestUpdater_Update_after_the_picture_has_waited(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		by, of string
		// meanwhile happens while the picture waits.
		meanwhile func(ctx context.Context, o playertest.Operator) (player.Player, error)
		err       error
	}{
		{"of another, the role is revoked", "moderator", "runner",
			func(ctx context.Context, o playertest.Operator) (player.Player, error) {
				return o.Revoke(ctx, "moderator", access.Moderator)
			}, player.ErrNotAllowed},
		{"of another, the moderator is banned", "moderator", "runner",
			func(ctx context.Context, o playertest.Operator) (player.Player, error) {
				return o.Ban(ctx, "moderator", "A stolen account.")
			}, player.ErrBanned},
		{"of another, who is banned", "moderator", "runner",
			func(ctx context.Context, o playertest.Operator) (player.Player, error) {
				return o.Ban(ctx, "runner", "tools")
			}, nil},
		{"their own, the player is banned", "runner", "runner",
			func(ctx context.Context, o playertest.Operator) (player.Player, error) {
				return o.Ban(ctx, "runner", "tools")
			}, player.ErrBanned},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			updater, store, ids := setupUpdate(t)
			var before playertest.Left
			updater.Avatars = &avatarsThatWait{updater.Avatars, func() {
				if _, err := tt.meanwhile(t.Context(), operatorOf(store)); err != nil {
					t.Error(err)
				}
				before = store.Left()
			}}
			_, err := updater.Update(t.Context(), by(access.Player(ids[tt.by], tt.by, nil)), ids[tt.of],
				player.Update{SkinImage: []byte("an image")})
			if !errors.Is(err, tt.err) {
				t.Fatalf("Update returned the error %v, want %v", err, tt.err)
			}
			if diff := cmp.Diff(before, store.Left()); tt.err != nil && diff != "" {
				t.Errorf("a refused update left something behind (-before +after):\n%s", diff)
			}
		})
	}
}

func TestUpdater_Update_is_of_the_time_after_the_picture_has_waited(t *testing.T) {
	t.Parallel()
	updater, _, ids := setupUpdate(t)
	now := noon.AddDate(100, 0, 0)
	updater.Now = func() time.Time { return now }
	updater.Avatars = &avatarsThatWait{updater.Avatars, func() { now = now.Add(time.Minute) }}
	p, err := updater.Update(t.Context(), by(access.Player(ids["runner"], "runner", nil)), ids["runner"],
		player.Update{SkinImage: []byte("an image")})
	require.NoError(t, err)
	assert.Equal(t, "time of the update", now, p.UpdatedAt)
}

// avatarsThatWait calls meanwhile before it stores a picture.
type avatarsThatWait struct {
	player.Avatars

	meanwhile func()
}

func (a *avatarsThatWait) Put(ctx context.Context, image []byte) (storedfile.Upload, error) {
	a.meanwhile()
	return a.Avatars.Put(ctx, image)
}

func TestParseRoles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in string
		want     []string
		err      error
	}{
		{"are trimmed and in lower case", `[" Admin ","VALIDATOR"]`, []string{"admin", "validator"}, nil},
		{"keep their order", `["b","a"]`, []string{"b", "a"}, nil},
		{"may be badges of any script, with spaces, digits and hyphens", `["Übungsleiter","map-maker 2"]`,
			[]string{"übungsleiter", "map-maker 2"}, nil},
		{"may be none", `[]`, []string{}, nil},
		{"may be ten", `["a","b","c","d","e","f","g","h","i","j"]`, []string{"a", "b", "c", "d", "e", "f", "g", "h", "i",
			"j"}, nil},
		{"are at most ten", `["a","b","c","d","e","f","g","h","i","j","k"]`, nil, player.ErrTooManyRoles},
		{"have 24 characters", `["` + strings.Repeat("ä", 24) + `"]`, []string{strings.Repeat("ä", 24)}, nil},
		{"have no more", `["` + strings.Repeat("ä", 25) + `"]`, nil, player.ErrRoleInvalid},
		{"are not empty", `[" "]`, nil, player.ErrRoleInvalid},
		{"have no other signs", `["<b>"]`, nil, player.ErrRoleInvalid},
		{"have no line breaks", `["a\nb"]`, nil, player.ErrRoleInvalid},
		{"have single spaces", `["a  b"]`, nil, player.ErrRoleInvalid},
		{"have no NUL", `["a\u0000"]`, nil, player.ErrRoleInvalid},
		{"are not listed twice", `["admin","Admin"]`, nil, player.ErrRoleTwice},
		{"are a list", `"admin"`, nil, player.ErrRolesUnreadable},
		{"are no null", `null`, nil, player.ErrRolesUnreadable},
		{"are strings", `[1]`, nil, player.ErrRolesUnreadable},
		{"are JSON", `admin`, nil, player.ErrRolesUnreadable},
		{"are not missing", ``, nil, player.ErrRolesUnreadable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := player.ParseRoles(tt.in)
			if !errors.Is(err, tt.err) {
				t.Fatalf("ParseRoles(%s) returned the error %v, want %v", tt.in, err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ParseRoles(%s) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}
