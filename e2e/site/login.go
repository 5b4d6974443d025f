package site

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// RoomLink is what a login begins with.
type RoomLink struct {
	SessionID string `json:"sessionId"`
	RoomLink  string `json:"roomLink"`
	ExpiresIn int    `json:"expiresIn"` // seconds
}

// LoginStatus is how far a login is.
type LoginStatus struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

func (s LoginStatus) over() bool { return s.Status != "pending" && s.Status != "code_provided" }

// RequestRoomLink asks for a verification room.
func (v *Visitor) RequestRoomLink(ctx context.Context) (RoomLink, error) {
	var link RoomLink
	err := v.call(ctx, Request{Path: "/auth/request-room-link"}, &link)
	return link, err
}

// LoginStatus asks how far a login is.
func (v *Visitor) LoginStatus(ctx context.Context, sessionID string) (LoginStatus, error) {
	var into struct {
		Status LoginStatus `json:"status"`
	}
	err := v.call(ctx, Request{Path: "/auth/status", Query: url.Values{"sessionId": {sessionID}}}, &into)
	return into.Status, err
}

// AwaitStatus asks until the login has the wanted status. It returns an error
// when the login ends with another one.
func (v *Visitor) AwaitStatus(ctx context.Context, sessionID, wanted string) (LoginStatus, error) {
	for {
		status, err := v.LoginStatus(ctx, sessionID)
		if err != nil || status.Status == wanted {
			return status, err
		}
		if status.over() {
			return status, fmt.Errorf("the login is %s, not %s: %s", status.Status, wanted, status.Message)
		}
		if err := pause(ctx, pollEvery); err != nil {
			return status, fmt.Errorf("the login is still %s, not %s: %w", status.Status, wanted, err)
		}
	}
}

// ErrNoSession is what a refresh returns without a refresh cookie.
var ErrNoSession = errors.New("there is no session to refresh")

// session is what a login or refresh gives.
type session struct {
	Success     bool    `json:"success"`
	AccessToken string  `json:"accessToken"`
	Player      *Player `json:"player"`
	User        *Player `json:"user"`
}

// VerifyCode hands the room's code in. From then on the visitor is logged in.
func (v *Visitor) VerifyCode(ctx context.Context, sessionID, code string) (Player, error) {
	body, err := json.Marshal(map[string]string{"sessionId": sessionID, "code": code})
	if err != nil {
		return Player{}, err
	}
	var into session
	err = v.call(ctx, Request{
		Method: http.MethodPost, Path: "/auth/verify-code", Body: bytes.NewReader(body),
		Header: http.Header{"Content-Type": {"application/json"}},
	}, &into)
	if err != nil {
		return Player{}, err
	}
	if into.AccessToken == "" || into.Player == nil {
		return Player{}, errors.New("the answer has no token or no player")
	}
	v.Token, v.Player = into.AccessToken, into.Player
	return *into.Player, nil
}

// Refresh gets a new access token for the refresh cookie. It returns ErrNoSession where there is none.
func (v *Visitor) Refresh(ctx context.Context) error {
	var into session
	if err := v.call(ctx, Request{Path: "/auth/refresh-token"}, &into); err != nil {
		return err
	}
	if !into.Success {
		return ErrNoSession
	}
	v.Token = into.AccessToken
	if into.User != nil {
		v.Player = into.User
	}
	return nil
}

// Roles are the roles in the access token. They are the ones at the time of the
// login or the last refresh.
func (v *Visitor) Roles() []string {
	parts := strings.Split(v.Token, ".")
	if len(parts) != 3 {
		return nil
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return nil
	}
	var claims struct {
		Roles []string `json:"roles"`
	}
	if json.Unmarshal(payload, &claims) != nil {
		return nil
	}
	return claims.Roles
}

// AwaitRole refreshes the token until it has a role that was given a moment ago.
func (v *Visitor) AwaitRole(ctx context.Context, role string) error {
	ctx, cancel := context.WithTimeout(ctx, awaitTimeout)
	defer cancel()
	for !slices.Contains(v.Roles(), role) {
		if err := pause(ctx, pollEvery); err != nil {
			return fmt.Errorf("the role %s does not reach the token: %w", role, err)
		}
		if err := v.Refresh(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Logout ends the session.
func (v *Visitor) Logout(ctx context.Context) error {
	answer, err := v.Send(ctx, Request{Method: http.MethodPost, Path: "/auth/logout"})
	if err != nil {
		return err
	}
	if err := answer.Problem(); err != nil {
		return err
	}
	v.Token, v.Player = "", nil
	return nil
}

// Login logs in with a game account, through the simulated room: all that a
// person does with two windows.
func (v *Visitor) Login(ctx context.Context, account Account) (Player, error) {
	link, err := v.RequestRoomLink(ctx)
	if err != nil {
		return Player{}, fmt.Errorf("log in as %s: room: %w", account.Name, err)
	}
	room := v.site.Room(link.RoomLink)
	if _, err := room.Join(ctx, account); err != nil {
		return Player{}, fmt.Errorf("log in as %s: join: %w", account.Name, err)
	}
	code, err := v.awaitCode(ctx, link.SessionID, room)
	if err != nil {
		return Player{}, fmt.Errorf("log in as %s: code: %w", account.Name, err)
	}
	player, err := v.VerifyCode(ctx, link.SessionID, code)
	if err != nil {
		return Player{}, fmt.Errorf("log in as %s: verify: %w", account.Name, err)
	}
	return player, nil
}

// awaitCode waits until the bot says a code and, like the page of the login, asks the
// site now and then how the login is: one that has failed, or of which nobody can
// tell, gets no code.
func (v *Visitor) awaitCode(ctx context.Context, sessionID string, room Room) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, awaitTimeout)
	defer cancel()
	for {
		soon, stop := context.WithTimeout(ctx, askEvery)
		code, err := room.AwaitCode(soon)
		stop()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return code, err
		}
		status, err := v.LoginStatus(ctx, sessionID)
		if err != nil {
			return "", err
		}
		if status.over() {
			return "", fmt.Errorf("the login is %s: %s", status.Status, status.Message)
		}
	}
}

// askEvery is the pause between two questions how a login is.
const askEvery = time.Second

// pollEvery is the pause between two looks at what changes by itself.
const pollEvery = 20 * time.Millisecond

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
