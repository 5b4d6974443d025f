package gametest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"

	"capzone.dev/devstack/eventually"
)

// Visitor describes a player who follows a room's link.
type Visitor struct {
	Name   string
	Guest  bool
	Level  any             // a number, as long as the game behaves
	Avatar json.RawMessage // nil for the game's plain one
	// Bypass is the link's code as this visitor has it; nil for the right one.
	Bypass *string
}

// Player is a visitor of a room.
type Player struct {
	server *Server
	number int
}

// PlayerView is the state of a player's page.
type PlayerView struct {
	// State is joining, inside (the lobby and its chat are shown), broken (the lobby cannot be shown),
	// outside (was inside before) or refused.
	State string
	// Status is the last status of the game.
	Status string
	Chat   []struct {
		From int
		Text string
	}
	// Lobby are the room's settings, nil until they have arrived.
	Lobby map[string]any
	// HostGone is true once the room's host has left.
	HostGone bool
}

// Follow opens a link as a visitor. It returns at once; AwaitState waits for the result.
func (s *Server) Follow(link string, v Visitor) *Player {
	s.tb.Helper()
	visitor := map[string]any{"link": link, "name": v.Name, "guest": v.Guest, "level": v.Level}
	if v.Avatar != nil {
		visitor["avatar"] = v.Avatar
	}
	if v.Bypass != nil {
		visitor["bypass"] = *v.Bypass
	}
	var made struct{ Number int }
	s.call(http.MethodPost, "/control/players", visitor, &made)
	return &Player{s, made.Number}
}

// Enter opens a link as a visitor and waits until the lobby is shown.
func (s *Server) Enter(link string, v Visitor) *Player {
	s.tb.Helper()
	p := s.Follow(link, v)
	p.AwaitState("inside")
	return p
}

// View returns the state of the player's page.
func (p *Player) View() PlayerView {
	p.server.tb.Helper()
	var view PlayerView
	p.server.call(http.MethodGet, fmt.Sprintf("/control/players/%d", p.number), nil, &view)
	return view
}

// AwaitState waits until the player is in the state.
func (p *Player) AwaitState(state string) {
	p.server.tb.Helper()
	eventually.WaitFor(p.server.tb, "a player to be "+state, func() bool { return p.View().State == state })
}

// AwaitLine waits for a line of the host's that matches, and returns it.
func (p *Player) AwaitLine(pattern *regexp.Regexp) (line string) {
	p.server.tb.Helper()
	eventually.WaitFor(p.server.tb, "a line like "+pattern.String(), func() bool {
		for _, l := range p.View().Chat {
			if l.From == 0 && pattern.MatchString(l.Text) {
				line = l.Text
				return true
			}
		}
		return false
	})
	return line
}

// Say sends a line of the player to the chat.
func (p *Player) Say(text string) {
	p.server.tb.Helper()
	p.do("say", map[string]string{"text": text})
}

// Rename gives the player another name.
func (p *Player) Rename(name string) {
	p.server.tb.Helper()
	p.do("rename", map[string]string{"name": name})
}

// Leave makes the player leave.
func (p *Player) Leave() {
	p.server.tb.Helper()
	p.do("leave", struct{}{})
}

func (p *Player) do(what string, body any) {
	p.server.tb.Helper()
	p.server.call(http.MethodPost, fmt.Sprintf("/control/players/%d/%s", p.number, what), body, nil)
}
