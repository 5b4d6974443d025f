package bonkio

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	// maxLogin bounds the answer to a login, in bytes. It lists the account's friends and settings.
	maxLogin = 4 << 20
	// maxRooms bounds the answer of RoomsURL, in bytes. It lists the public rooms.
	maxRooms = 4 << 20
)

// Credentials are a game account's.
type Credentials struct {
	Name     string
	Password Secret
}

// Session is an account that is logged in.
type Session struct {
	Token Secret
	// ID is the account's number.
	ID int64
	// Expires is when the token expires; zero where the token does not contain it.
	Expires time.Time
	// Address is the network address that the token is valid for; empty where the token does not contain it.
	Address string
}

// LoginRefusedError means that the game refused the account's name and password.
type LoginRefusedError struct {
	// Reason is the game's word: "password", "username_fail", "ratelimited".
	Reason string
}

func (e LoginRefusedError) Error() string { return "the game refused the login: " + e.Reason }

// Login logs an account in. It returns LoginRefusedError, or an error of the connection.
func (c *Client) Login(ctx context.Context, account Credentials) (Session, error) {
	body, err := c.post(ctx, c.cfg.LoginURL, maxLogin, url.Values{
		"username": {account.Name}, "password": {string(account.Password)}, "remember": {"false"},
	})
	if err != nil {
		return Session{}, fmt.Errorf("login: %w", err)
	}
	return readLogin(body)
}

// readLogin reads the game's answer. The error does not quote the answer, which may contain a token.
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
		return Session{}, LoginRefusedError{loggable(answer.Reason)}
	default:
		return Session{}, errors.New("login: the game answered neither success nor fail")
	}
	id, err := answer.ID.Int64()
	if err != nil || answer.Token == "" {
		return Session{}, errors.New("login: the game's answer has no token or no account id")
	}
	expires, address := readToken(answer.Token)
	return Session{Token: Secret(answer.Token), ID: id, Expires: expires, Address: address}, nil
}

// readToken reads when a token expires and the address that it is valid for.
// The game checks the signature. A token that is no JWT has neither.
func readToken(token string) (expires time.Time, address string) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return time.Time{}, ""
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return time.Time{}, ""
	}
	var claims struct {
		Expires float64 `json:"exp"` // Unix seconds
		Address string  `json:"uip"`
	}
	if json.Unmarshal(payload, &claims) != nil {
		return time.Time{}, ""
	}
	if claims.Expires > 0 {
		expires = time.Unix(int64(claims.Expires), 0)
	}
	return expires, claims.Address
}

var serverName = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// IsServerName reports whether a name can be a part of a server's address.
func IsServerName(name string) bool { return serverName.MatchString(name) }

// FindServer returns the server that the game names for a new room. The game's client makes the same request.
func (c *Client) FindServer(ctx context.Context) (Server, error) {
	body, err := c.post(ctx, c.cfg.RoomsURL, maxRooms, url.Values{
		"version": {strconv.Itoa(c.cfg.Version)}, "gl": {"y"}, "token": {""},
	})
	if err != nil {
		return Server{}, fmt.Errorf("find a server: %w", err)
	}
	var answer struct {
		Server    string  `json:"createserver"`
		Latitude  float64 `json:"lat"`
		Longitude float64 `json:"long"`
		Country   string  `json:"country"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return Server{}, errors.New("find a server: the game's answer is not the expected JSON")
	}
	if !IsServerName(answer.Server) {
		return Server{}, errors.New("find a server: the game's answer names no server")
	}
	return Server{Name: answer.Server, Location: Location{answer.Latitude, answer.Longitude, answer.Country}}, nil
}

// post sends a form and returns the body of the answer, which has at most limit bytes.
func (c *Client) post(ctx context.Context, address string, limit int64, form url.Values) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the game answered with status %d", resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > limit {
		return nil, errors.New("the game's answer is too large")
	}
	return body, nil
}

var plainWords = regexp.MustCompile(`^[A-Za-z0-9_ -]{1,60}$`)

// loggable returns a reason of the game, or "unknown" for one with other characters.
func loggable(reason string) string {
	if plainWords.MatchString(reason) {
		return reason
	}
	return "unknown"
}
