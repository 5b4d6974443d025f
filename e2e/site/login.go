package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"capzone.dev/e2e/api"
)

// RequestRoomLink asks for a verification room, and waits until the room is open.
func (v *Visitor) RequestRoomLink(ctx context.Context) (api.RoomLink, error) {
	link, err := get[api.RoomLink](ctx, v, "/auth/request-room-link", nil)
	for err == nil && link.RoomLink == "" {
		if err := pause(ctx, waitEvery); err != nil {
			return link, fmt.Errorf("no room is open: %w", err)
		}
		status, err := v.loginStatus(ctx, link.SessionID)
		var refused *Problem
		if errors.As(err, &refused) && refused.Status == http.StatusServiceUnavailable {
			continue // the login page polls again after a failure
		}
		if err != nil {
			return link, err
		}
		if isOver(status.Status.Status) {
			return link, fmt.Errorf("the login is %s: %s", status.Status.Status, status.Status.Message)
		}
		link.RoomLink, link.ExpiresIn = status.RoomLink, status.ExpiresIn
	}
	return link, err
}

// waitEvery is the pause between two requests of a player who waits for a room, well within the limit of an address.
const waitEvery = 2 * time.Second

// LoginStatus returns the status of a login.
func (v *Visitor) LoginStatus(ctx context.Context, sessionID string) (api.LoginStatus, error) {
	answer, err := v.loginStatus(ctx, sessionID)
	return answer.Status, err
}

func (v *Visitor) loginStatus(ctx context.Context, sessionID string) (api.LoginStatusAnswer, error) {
	return get[api.LoginStatusAnswer](ctx, v, "/auth/status", api.GetLoginStatusParams{SessionID: sessionID})
}

func isOver(s api.LoginState) bool { return s != "pending" && s != "code_provided" }

// AwaitStatus asks until the login has the wanted status. It returns an error when the login ends with another one.
func (v *Visitor) AwaitStatus(ctx context.Context, sessionID string, wanted api.LoginState) (api.LoginStatus, error) {
	for {
		status, err := v.LoginStatus(ctx, sessionID)
		if err != nil || status.Status == wanted {
			return status, err
		}
		if isOver(status.Status) {
			return status, fmt.Errorf("the login is %s, not %s: %s", status.Status, wanted, status.Message)
		}
		if err := pause(ctx, pollEvery); err != nil {
			return status, fmt.Errorf("the login is still %s, not %s: %w", status.Status, wanted, err)
		}
	}
}

// ErrNoSession is what a refresh returns without a refresh cookie.
var ErrNoSession = errors.New("there is no session to refresh")

// VerifyCode submits the room's code. From then on the visitor is logged in.
func (v *Visitor) VerifyCode(ctx context.Context, sessionID, code string) (api.LoggedInPlayer, error) {
	answer, err := post[api.LoginAnswer](ctx, v, "/auth/verify-code", api.CodeEntry{SessionID: sessionID, Code: code})
	if err != nil {
		return api.LoggedInPlayer{}, err
	}
	if answer.AccessToken == "" || answer.Player.ID == "" {
		return api.LoggedInPlayer{}, errors.New("the answer has no token or no player")
	}
	v.Token, v.Player = answer.AccessToken, &answer.Player
	return answer.Player, nil
}

// Refresh gets a new access token for the refresh cookie. It returns ErrNoSession where there is none.
func (v *Visitor) Refresh(ctx context.Context) error {
	answer, err := get[api.RefreshAnswer](ctx, v, "/auth/refresh-token", nil)
	if err != nil {
		return err
	}
	if !answer.Success {
		return ErrNoSession
	}
	v.Token = answer.AccessToken
	if answer.User.ID != "" {
		v.Player = &answer.User
	}
	return nil
}

// AwaitRole refreshes the token until it has a role that was given before.
func (v *Visitor) AwaitRole(ctx context.Context, role string) error {
	ctx, cancel := context.WithTimeout(ctx, awaitTimeout)
	defer cancel()
	for !slices.Contains(v.Player.Roles, role) {
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

// Login logs in with a game account, through the simulated room.
func (v *Visitor) Login(ctx context.Context, account Account) (api.LoggedInPlayer, error) {
	player, err := v.login(ctx, account)
	if err != nil {
		return player, fmt.Errorf("log in as %s: %w", account.Name, err)
	}
	return player, nil
}

func (v *Visitor) login(ctx context.Context, account Account) (player api.LoggedInPlayer, err error) {
	link, err := v.RequestRoomLink(ctx)
	if err != nil {
		return player, fmt.Errorf("room: %w", err)
	}
	room := v.site.Room(link.RoomLink)
	if _, err := room.Join(ctx, account); err != nil {
		return player, fmt.Errorf("join: %w", err)
	}
	code, err := v.awaitCode(ctx, link.SessionID, room)
	if err != nil {
		return player, fmt.Errorf("code: %w", err)
	}
	return v.VerifyCode(ctx, link.SessionID, code)
}

// awaitCode waits until the bot sends the code. Meanwhile it asks for the status of the login, which may fail.
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
		if isOver(status.Status) {
			return "", fmt.Errorf("the login is %s: %s", status.Status, status.Message)
		}
	}
}

// askEvery is the pause between two requests for the status of a login.
const askEvery = time.Second

// pollEvery is the pause between two polls.
const pollEvery = 20 * time.Millisecond

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
