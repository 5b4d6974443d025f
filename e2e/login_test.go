package e2e_test

import (
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

// TestLogin logs in, from the link of a room to the profile of the player.
func TestLogin(t *testing.T) {
	t.Parallel()
	who := account()
	v := newVisitor()
	link := requested(t, v)
	if link.ExpiresIn <= 0 || link.ExpiresIn > 180 {
		t.Errorf("the session lives for %d s", link.ExpiresIn)
	}
	awaitStatus(t, v, link, "pending")

	code := codeFor(t, link, who)
	awaitStatus(t, v, link, "code_provided")

	player, err := v.VerifyCode(t.Context(), link.SessionID, code)
	require.NoError(t, err)
	if player.Name != who.Name || player.Level != who.Level || player.SkinColor == nil || *player.SkinColor != "#8e24aa" {
		t.Errorf("logged in as %+v", player)
	}
	awaitStatus(t, v, link, "success")

	t.Run("the profile can be read at once", func(t *testing.T) {
		profile, err := newVisitor().PlayerByID(t.Context(), player.ID)
		if err != nil || profile.Name != who.Name || !profile.Registered || profile.Level != who.Level ||
			profile.SkinColor == nil || *profile.SkinColor != "#8e24aa" {
			t.Errorf("%+v %v", profile, err)
		}
	})
	t.Run("the account in other letters keeps its id, and its new level is taken", func(t *testing.T) {
		who.Name, who.Level = strings.ToUpper(who.Name), who.Level+1
		v := newVisitor()
		link := requested(t, v)
		again, err := v.VerifyCode(t.Context(), link.SessionID, codeFor(t, link, who))
		if err != nil || again.ID != player.ID || again.Level != who.Level {
			t.Errorf("%s became %+v (%v)", player.ID, again, err)
		}
	})
}

func requested(t *testing.T, v *site.Visitor) api.RoomLink {
	t.Helper()
	link, err := v.RequestRoomLink(t.Context())
	require.NoError(t, err)
	return link
}

// codeFor follows a room's link with an account, and returns the code that the bot sends there.
func codeFor(t *testing.T, link api.RoomLink, who site.Account) (code string) {
	t.Helper()
	room := capzone.Room(link.RoomLink)
	_, err := room.Join(t.Context(), who)
	require.NoError(t, err)
	code, err = room.AwaitCode(t.Context())
	require.NoError(t, err)
	return code
}

func awaitStatus(t *testing.T, v *site.Visitor, link api.RoomLink, wanted api.LoginState) {
	t.Helper()
	status, err := v.AwaitStatus(t.Context(), link.SessionID, wanted)
	if err != nil {
		t.Error(err)
	}
	if status.Message == "" {
		t.Errorf("the status %s has no message", status.Status)
	}
}
