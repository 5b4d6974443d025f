package bonkio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// maxLogin bounds the answer to a login, which lists the account's friends and settings. Bytes.
const maxLogin = 4 << 20

// Credentials are a game account's.
type Credentials struct {
	Name     string
	Password Secret
}

// Session is an account that is logged in. The token is good until the game refuses it.
type Session struct {
	Token Secret
	// ID is the account's number.
	ID int64
}

// LoginRefusedError says that the game does not take the account's name and password.
type LoginRefusedError struct {
	// Reason is the game's word: "password", "username_fail", "ratelimited".
	Reason string
}

// Error implements error.
func (e LoginRefusedError) Error() string { return "the game refused the login: " + e.Reason }

// Login logs an account in. Returns LoginRefusedError, or an error of the way there.
func (c *Client) Login(ctx context.Context, account Credentials) (Session, error) {
	form := url.Values{"username": {account.Name}, "password": {string(account.Password)}, "remember": {"false"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.cfg.LoginURL, strings.NewReader(form.Encode()))
	if err != nil {
		return Session{}, fmt.Errorf("login: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
	resp, err := c.http.Do(req)
	if err != nil {
		return Session{}, fmt.Errorf("login: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return Session{}, fmt.Errorf("login: the game answered with status %d", resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxLogin+1))
	if err != nil {
		return Session{}, fmt.Errorf("login: %w", err)
	}
	if len(body) > maxLogin {
		return Session{}, errors.New("login: the game's answer is too large")
	}
	return readLogin(body)
}

// readLogin reads the game's answer. What cannot be read is not repeated in the
// error, because it may hold a token.
func readLogin(body []byte) (Session, error) {
	var answer struct {
		Result string      `json:"r"`
		Reason string      `json:"e"`
		Token  string      `json:"token"`
		ID     json.Number `json:"id"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return Session{}, errors.New("login: the game's answer is not the JSON of a login")
	}
	switch answer.Result {
	case "success":
	case "fail":
		return Session{}, LoginRefusedError{word(answer.Reason)}
	default:
		return Session{}, errors.New("login: the game answered neither success nor fail")
	}
	id, err := answer.ID.Int64()
	if err != nil || answer.Token == "" {
		return Session{}, errors.New("login: the game's answer has no token or no account id")
	}
	return Session{Token: Secret(answer.Token), ID: id}, nil
}

var words = regexp.MustCompile(`^[A-Za-z0-9_ -]{1,60}$`)

// word is a reason of the game's, fit to be logged.
func word(reason string) string {
	if words.MatchString(reason) {
		return reason
	}
	return "unknown"
}
