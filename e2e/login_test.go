package e2e_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"capzone.dev/bot/gametest"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// venue is a site with its verification rooms.
type venue struct {
	site *site.Site
	// enter follows a room's link with an account, and returns the code that the bot sends there.
	enter func(t *testing.T, link string, who site.Account) (code string)
}

// simulated is the stack that all tests share: its rooms are web pages.
func simulated() venue {
	return venue{site: capzone, enter: func(t *testing.T, link string, who site.Account) string {
		t.Helper()
		room := capzone.Room(link)
		if _, err := room.Join(t.Context(), who); err != nil {
			t.Fatal(err)
		}
		code, err := room.AwaitCode(t.Context())
		require.NoError(t, err)
		return code
	}}
}

// inGame is a stack of its own, whose bot is in real mode, on a stand-in for the game's servers. The stack has started
// while the game was unreachable.
type inGame struct {
	venue

	game    *gametest.Server
	running *stack.Running
}

const botPassword = "correct horse battery staple"

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

func playedInGame(t *testing.T) inGame {
	t.Helper()
	if !own {
		t.Skip("E2E_SITE_URL: where the site's rooms are is its operator's business")
	}
	game := gametest.Start(t, gametest.Options{})
	game.Stop()
	folder := t.TempDir()
	account := filepath.Join(folder, "bot_account")
	require.NoError(t, os.WriteFile(account, []byte("CapzoneBot\n"+botPassword+"\n"), 0o600))
	running, err := stack.Up(t.Context(), folder, map[string]string{
		"BOT_MODE": "real", "BOT_ACCOUNT_FILE": account, "BOT_CHAT_SPACING": "50ms", "LOG_LEVEL": "debug",
		"BOT_GAME_LOGIN_URL": game.LoginURL(), "BOT_GAME_SOCKET_URL": game.SocketURL(), "BOT_GAME_LINK_URL": game.LinkURL(),
		"BOT_GAME_SERVERS": game.ServerName(),
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := running.Down(); err != nil || t.Failed() {
			t.Errorf("the stack of the game's rooms: %v\n%s", err, running.Log())
		}
	})
	played := inGame{game: game, running: running}
	played.venue = venue{site: site.New(running.Site), enter: func(t *testing.T, link string, who site.Account) string {
		t.Helper()
		player := game.Enter(link, visitor(who))
		return sixDigits.FindString(player.AwaitLine(sixDigits))
	}}
	refusesLogins(t, played.site)
	game.Restart()
	game.Account("CapzoneBot", botPassword)
	eventually.WaitFor(t, "a room after the game is back", func() bool {
		_, err := played.site.Visitor().RequestRoomLink(t.Context())
		return err == nil
	})
	return played
}

// refusesLogins checks that a site without a game works, and says that logins are not possible just now.
func refusesLogins(t *testing.T, s *site.Site) {
	t.Helper()
	if answer := send(t, s.Visitor(), site.Request{Path: "/stats"}); answer.Status != http.StatusOK {
		t.Errorf("/stats without the game: %d %s", answer.Status, answer.Body)
	}
	_, err := s.Visitor().RequestRoomLink(t.Context())
	p := refused(t, err, http.StatusServiceUnavailable, "no_room")
	if p.RetryAfter <= 0 || !strings.HasPrefix(p.Message, "Logins are not possible just now.") {
		t.Errorf("a login without the game is refused with %+v", p)
	}
}

// roomOf returns the number of a link's room in the game.
func (p inGame) roomOf(t *testing.T, link string) int {
	t.Helper()
	for number, room := range p.game.State().Rooms {
		if strings.HasSuffix(link, "/"+room.Path) {
			return number
		}
	}
	t.Fatal("the game has no room of that link")
	return 0
}

func visitor(who site.Account) gametest.Visitor {
	return gametest.Visitor{Name: who.Name, Level: who.Level, Guest: who.Guest, Avatar: who.Skin}
}

func TestLogin_in_rooms_of_the_game(t *testing.T) {
	t.Parallel()
	played := playedInGame(t)
	t.Run("from the link to the profile", func(t *testing.T) { playLogin(t, played.venue) })
	t.Run("a guest is removed with a reason, and admitted with an account", func(t *testing.T) {
		v := played.site.Visitor()
		link := requested(t, v)
		guest := account()
		guest.Guest = true
		player := played.game.Follow(link.RoomLink, visitor(guest))
		player.AwaitLine(regexp.MustCompile("(?i)guest"))
		player.AwaitState("outside")
		guest.Guest = false
		if _, err := v.VerifyCode(t.Context(), link.SessionID, played.enter(t, link.RoomLink, guest)); err != nil {
			t.Error(err)
		}
	})
	t.Run("a second visitor voids the login", func(t *testing.T) {
		v := played.site.Visitor()
		link := requested(t, v)
		player := played.game.Enter(link.RoomLink, visitor(account()))
		code := sixDigits.FindString(player.AwaitLine(sixDigits))
		player.Leave()
		player.AwaitState("outside")
		played.game.Follow(link.RoomLink, visitor(account()))
		awaitStatus(t, v, link, "invalid")
		_, err := v.VerifyCode(t.Context(), link.SessionID, code)
		refused(t, err, http.StatusUnprocessableEntity, "session_over")
	})
	t.Run("a room that is lost fails the login", func(t *testing.T) {
		v := played.site.Visitor()
		link := requested(t, v)
		played.game.Enter(link.RoomLink, visitor(account())).AwaitLine(sixDigits)
		played.game.DropHost(played.roomOf(t, link.RoomLink))
		awaitStatus(t, v, link, "failed")
	})
	t.Run("the log holds no secret", func(t *testing.T) {
		log := played.running.Log()
		if !strings.Contains(log, "logged in to the game") {
			t.Error("the bot's login is not logged")
		}
		secrets := []string{botPassword}
		for _, room := range played.game.State().Rooms {
			secrets = append(secrets, room.Path, room.Asked.Password)
		}
		for _, secret := range secrets {
			if strings.Contains(log, secret) {
				t.Errorf("the log holds %q", secret)
			}
		}
	})
}

func requested(t *testing.T, v *site.Visitor) api.RoomLink {
	t.Helper()
	link, err := v.RequestRoomLink(t.Context())
	require.NoError(t, err)
	return link
}

func TestLogin(t *testing.T) {
	t.Parallel()
	playLogin(t, simulated())
}

// playLogin logs in, from the link of a room to the profile of the player.
func playLogin(t *testing.T, at venue) {
	t.Helper()
	who := account()
	v := at.site.Visitor()
	link := requested(t, v)
	if link.ExpiresIn <= 0 || link.ExpiresIn > 180 {
		t.Errorf("the session lives for %d s", link.ExpiresIn)
	}
	awaitStatus(t, v, link, "pending")

	code := at.enter(t, link.RoomLink, who)
	awaitStatus(t, v, link, "code_provided")

	player, err := v.VerifyCode(t.Context(), link.SessionID, code)
	require.NoError(t, err)
	if player.Name != who.Name || player.Level != who.Level || player.SkinColor == nil || *player.SkinColor != "#8e24aa" {
		t.Errorf("logged in as %+v", player)
	}
	awaitStatus(t, v, link, "success")

	t.Run("the profile can be read at once", func(t *testing.T) {
		profile, err := at.site.Visitor().PlayerByID(t.Context(), player.ID)
		if err != nil || profile.Name != who.Name || !profile.Registered || profile.Level != who.Level ||
			profile.SkinColor == nil || *profile.SkinColor != "#8e24aa" {
			t.Errorf("%+v %v", profile, err)
		}
	})
	t.Run("the account in other letters keeps its id, and its new level is taken", func(t *testing.T) {
		who.Name, who.Level = strings.ToUpper(who.Name), who.Level+1
		v := at.site.Visitor()
		link := requested(t, v)
		again, err := v.VerifyCode(t.Context(), link.SessionID, at.enter(t, link.RoomLink, who))
		if err != nil || again.ID != player.ID || again.Level != who.Level {
			t.Errorf("%s became %+v (%v)", player.ID, again, err)
		}
	})
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
