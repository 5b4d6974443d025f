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
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/e2e/stack"
)

// venue is a site, and how its verification rooms are entered.
type venue struct {
	site *site.Site
	// enter has somebody follow a room's link and returns the code that is said inside.
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
		if err != nil {
			t.Fatal(err)
		}
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
	if err := os.WriteFile(account, []byte("CapzoneBot\n"+botPassword+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	running, err := stack.Up(t.Context(), folder, map[string]string{
		"BOT_MODE": "real", "BOT_ACCOUNT_FILE": account, "BOT_CHAT_SPACING": "50ms", "LOG_LEVEL": "debug",
		"BOT_GAME_LOGIN_URL": game.LoginURL(), "BOT_GAME_SOCKET_URL": game.SocketURL(), "BOT_GAME_LINK_URL": game.LinkURL(),
		"BOT_GAME_SERVERS": game.ServerName(),
	})
	if err != nil {
		t.Fatal(err)
	}
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
	t.Run("a name that no account can have counts as a guest's", func(t *testing.T) {
		link := requested(t, played.site.Visitor())
		who := account()
		who.Name = `42[9,{"banshortid":0}] ` + who.Name
		played.game.Follow(link.RoomLink, visitor(who)).AwaitLine(regexp.MustCompile("(?i)guest"))
	})
	for name, happens := range map[string]struct {
		happens func(room int, first *gametest.Player, link string)
		status  string
	}{
		"a second visitor voids the login": {func(_ int, first *gametest.Player, link string) {
			first.Leave()
			first.AwaitState("outside")
			played.game.Follow(link, visitor(account()))
		}, "invalid"},
		"a changed name voids the login": {func(_ int, first *gametest.Player,
			_ string) {
			first.Rename("somebody else")
		}, "invalid"},
		"another host voids the login": {func(room int, _ *gametest.Player, _ string) { played.game.HandOver(room) },
			"invalid"},
		"a room that is lost fails the login": {func(room int, _ *gametest.Player, _ string) { played.game.DropHost(room) },
			"failed"},
	} {
		t.Run(name, func(t *testing.T) {
			v := played.site.Visitor()
			link := requested(t, v)
			player := played.game.Enter(link.RoomLink, visitor(account()))
			code := sixDigits.FindString(player.AwaitLine(sixDigits))
			happens.happens(played.roomOf(t, link.RoomLink), player, link.RoomLink)
			awaitStatus(t, v, link, api.LoginState(happens.status))
			_, err := v.VerifyCode(t.Context(), link.SessionID, code)
			refused(t, err, http.StatusUnprocessableEntity, "session_over")
			player.AwaitState("outside")
		})
	}
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
	if err != nil {
		t.Fatal(err)
	}
	return link
}
