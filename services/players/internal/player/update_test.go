package player_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/objectstore"
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
	}{
		{"a player sets their own image", "runner", "runner", player.Update{SkinImage: image}, nil},
		{"a moderator sets another player's image", "moderator", "runner", player.Update{SkinImage: image}, nil},
		{"an admin sets another player's image", "admin", "runner", player.Update{SkinImage: image}, nil},
		{"a stranger sets another player's image", "stranger", "runner", player.Update{SkinImage: image},
			player.ErrNotAllowed},
		{"a badge gives no right", "artist", "runner", player.Update{SkinImage: image}, player.ErrNotAllowed},
		{"an admin sets roles", "admin", "runner", player.Update{Roles: roles(`["Validator"]`)}, nil},
		{"an admin takes all roles away", "admin", "moderator", player.Update{Roles: roles(`[]`)}, nil},
		{"an admin sets image and roles at once", "admin", "runner", player.Update{SkinImage: image, Roles: roles(`["a"]`)},
			nil},
		{"a moderator sets no roles", "moderator", "runner", player.Update{Roles: roles(`["a"]`)}, player.ErrAdminsOnly},
		{"a player sets no roles of their own", "runner", "runner", player.Update{Roles: roles(`["admin"]`)},
			player.ErrAdminsOnly},
		{"a player who may set the image only gets neither", "runner", "runner",
			player.Update{SkinImage: image, Roles: roles(`["admin"]`)}, player.ErrAdminsOnly},
		{"an admin keeps being admin", "admin", "admin", player.Update{Roles: roles(`["artist"]`)}, player.ErrOwnAdminRole},
		{"an admin gets further roles", "admin", "admin", player.Update{Roles: roles(`["artist","admin"]`)}, nil},
		{"an admin sets a name or a level", "admin", "runner", player.Update{NameOrLevel: true,
			SkinImage: image}, player.ErrFromTheGame},
		{"a stranger who sets a name is a stranger first", "stranger", "runner", player.Update{NameOrLevel: true},
			player.ErrNotAllowed},
		{"the banned update nothing", "banned", "banned", player.Update{SkinImage: image}, player.ErrBanned},
		{"who is not known may nothing", "ghost", "runner", player.Update{SkinImage: image}, player.ErrNotAllowed},
		{"an admin updates an unknown player", "admin", "ghost", player.Update{SkinImage: image}, player.ErrUnknown},
		{"an update holds something", "runner", "runner", player.Update{}, player.ErrNothingGiven},
		{"roles follow the rules", "admin", "runner", player.Update{Roles: roles(`["a","A"]`)}, player.ErrRoleTwice},
		{"an image follows the rules", "runner", "runner", player.Update{SkinImage: []byte("no image")}, errNoImage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			updater, store, ids := setupUpdate(t)
			before := store.Left()
			p, err := updater.Update(t.Context(), ids[tt.by], ids[tt.of], tt.want)
			if !errors.Is(err, tt.err) {
				t.Fatalf("Update returned the error %v, want %v", err, tt.err)
			}
			if tt.err != nil {
				if diff := cmp.Diff(before, store.Left()); diff != "" {
					t.Errorf("a refused update left something behind (-before +after):\n%s", diff)
				}
				return
			}
			if claims := updater.Avatars.(*avatars).claims; tt.want.SkinImage != nil &&
				(p.Avatar != "skins/image.webp" || claims != 1) {
				t.Errorf("the avatar is %q, claimed %d times", p.Avatar, claims)
			}
			if tt.want.Roles != nil {
				want, _ := player.ReadRoles(*tt.want.Roles)
				if diff := cmp.Diff(want, p.Roles); diff != "" {
					t.Errorf("roles (-want +got):\n%s", diff)
				}
			}
		})
	}
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
		{"runner", player.Update{SkinImage: []byte("an image")}},
		{"admin", player.Update{Roles: &roles}},
	} {
		if _, err := updater.Update(t.Context(), ids[u.by], ids["runner"], u.want); err != nil {
			t.Fatal(err)
		}
	}
	want := []player.AuditEntry{{Actor: ids["admin"], Action: "update player",
		Details: map[string]any{"roles": []any{"artist"}, "avatar": "skins/image.webp"}}}
	if diff := cmp.Diff(want, store.Left().Audit[before:]); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
}

// setupUpdate returns an updater, its store and the ids of its players by name.
func setupUpdate(t *testing.T) (*player.Updater, *playertest.Store, map[string]string) {
	t.Helper()
	store := playertest.Open(t)
	ids := map[string]string{"ghost": "00000000-0000-7000-8000-000000000000"}
	for _, name := range []string{"runner", "stranger", "artist", "moderator", "admin", "banned"} {
		ids[name] = register(t, store, player.Login{Name: name}).ID
	}
	for _, role := range []string{"artist", "moderator", "admin"} {
		if _, err := operatorOf(store).Grant(t.Context(), role, role); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := operatorOf(store).Ban(t.Context(), "banned", "edited replays"); err != nil {
		t.Fatal(err)
	}
	return &player.Updater{Profiles: store, Avatars: &avatars{}}, store, ids
}

var errNoImage = errors.New("not an image")

// avatars accepts only "an image" and counts the claims of its uploads.
type avatars struct{ claims int }

func (a *avatars) Put(_ context.Context, _ string, image []byte) (objectstore.Upload, error) {
	if string(image) != "an image" {
		return nil, errNoImage
	}
	return upload{a}, nil
}

type upload struct{ avatars *avatars }

func (upload) Key() string { return "skins/image.webp" }

func (u upload) Claim(context.Context, pgx.Tx) error {
	u.avatars.claims++
	return nil
}
