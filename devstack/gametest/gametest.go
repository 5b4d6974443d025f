// Package gametest runs a stand-in for the game's servers, for tests: login, rooms, links, chat and
// removals, on the game's own version of Socket.IO (2.x, from npm), with players that take the steps
// of the game's client. It checks the messages of a host, and fails in the ways that Settings describe.
package gametest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/npm"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
)

// Options configure the start of the stand-in.
type Options struct {
	// TLS makes it serve TLS; nil is plain HTTP.
	TLS *TLS
	// PingInterval and PingTimeout are the keep-alive of its clients; zero is the game's 25 s and 5 s.
	PingInterval, PingTimeout time.Duration
}

// TLS are certificates in PEM files.
type TLS struct {
	// CertFile is the server's certificate, which it sends without intermediates, KeyFile its private key.
	CertFile, KeyFile string
	// ChainFile has the root and the intermediates for the stand-in's players, Trusted has them for the test.
	ChainFile string
	Trusted   *x509.CertPool
}

// Server is a running stand-in.
type Server struct {
	tb      testing.TB
	spec    child.Spec
	port    int
	address string
	process *child.Process
	http    *http.Client
}

// Account is a game account.
type Account struct{ Name, Password string }

// Start starts a stand-in and stops it when the test ends.
func Start(tb testing.TB, options Options) *Server {
	tb.Helper()
	source := filepath.Join(testdeps.Root(tb), "devstack", "gametest", "server")
	cache, err := checkout.Cache()
	require.NoError(tb, err)
	modules, err := npm.Install(tb.Context(), source, cache, nil)
	require.NoError(tb, err)
	node, err := exec.LookPath("node")
	require.NoError(tb, err)
	port, err := freeport.Pick()
	require.NoError(tb, err)
	transport := &http.Transport{}
	s := &Server{
		tb: tb, port: port, address: fmt.Sprintf("http://127.0.0.1:%d", port),
		http: &http.Client{Transport: transport, Timeout: 30 * time.Second},
		spec: child.Spec{
			Name: "the stand-in for the game", Program: node, Arguments: []string{filepath.Join(source, "main.js")},
			Environment: append(os.Environ(), "NODE_PATH="+modules, fmt.Sprintf("PORT=%d", port),
				fmt.Sprintf("PING_INTERVAL=%d", options.PingInterval.Milliseconds()),
				fmt.Sprintf("PING_TIMEOUT=%d", options.PingTimeout.Milliseconds())),
			Log: os.Stderr, Ready: child.Listens(fmt.Sprintf("127.0.0.1:%d", port)),
		},
	}
	if c := options.TLS; c != nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: c.Trusted, MinVersion: tls.VersionTLS12}
		s.address = fmt.Sprintf("https://127.0.0.1:%d", port)
		s.spec.Environment = append(s.spec.Environment,
			"TLS_CERT="+c.CertFile, "TLS_KEY="+c.KeyFile, "TLS_ROOT="+c.ChainFile)
	}
	s.run()
	tb.Cleanup(s.Stop)
	return s
}

// run starts the process and returns when it listens.
func (s *Server) run() {
	s.tb.Helper()
	process, err := child.Start(s.tb.Context(), s.spec)
	require.NoError(s.tb, err)
	s.process = process
}

// Stop ends the stand-in, and with it every connection.
func (s *Server) Stop() { _ = s.process.Kill() }

// Restart starts the stand-in again, at the same address and without its state.
func (s *Server) Restart() {
	s.tb.Helper()
	s.Stop()
	s.run()
}

// LoginURL is where accounts log in.
func (s *Server) LoginURL() string { return s.address + "/scripts/login_legacy.php" }

// RoomsURL is where clients ask for a server.
func (s *Server) RoomsURL() string { return s.address + "/scripts/getrooms.php" }

// SocketURL is where clients connect, with the placeholder {server} for the port. ServerName fills it.
func (s *Server) SocketURL() string {
	scheme, _, _ := strings.Cut(s.address, "://")
	return strings.Replace(scheme, "http", "ws", 1) + "://127.0.0.1:{server}/socket.io/"
}

// ServerName is the stand-in's name among the game's servers: its port.
func (s *Server) ServerName() string { return strconv.Itoa(s.port) }

// LinkURL is what the links of rooms begin with.
func (s *Server) LinkURL() string { return s.address + "/" }

// Account creates an account, or changes its password.
func (s *Server) Account(name, password string) Account {
	s.tb.Helper()
	s.call(http.MethodPost, "/control/accounts", map[string]string{"name": name, "password": password}, nil)
	return Account{name, password}
}

// Set changes the behaviour of the game.
func (s *Server) Set(settings Settings) {
	s.tb.Helper()
	s.call(http.MethodPost, "/control/settings", settings, nil)
}

// Settings are the behaviour of the game. Nil leaves a setting unchanged.
type Settings struct {
	// LoginFails is the reason for which every login is refused; empty for none.
	LoginFails *string `json:"loginFails,omitempty"`
	// LoginStatus is the HTTP status of logins.
	LoginStatus *int `json:"loginStatus,omitempty"`
	// LoginToken is the token that logins give, instead of a random one; empty for a random one.
	LoginToken *string `json:"loginToken,omitempty"`
	// CreateFails is the reason for which every room is refused; empty for none.
	CreateFails *string `json:"createFails,omitempty"`
	// StrayStatuses are sent between the creation of a room and its link.
	StrayStatuses []string `json:"strayStatuses,omitempty"`
	// LinkDelay is how long a room's link takes, in milliseconds.
	LinkDelay *int `json:"linkDelay,omitempty"`
	// StepDelay is how late every answer of the game is, in milliseconds.
	StepDelay *int `json:"stepDelay,omitempty"`
	// TokenUses is the number of rooms that can be created with a token, 0 for any number.
	TokenUses *int `json:"tokenUses,omitempty"`
	// ChatLost is how many of the hosts' next lines are lost without a status.
	ChatLost *int `json:"chatLost,omitempty"`
	// LobbyLost drops the host's settings for players who join.
	LobbyLost *bool `json:"lobbyLost,omitempty"`
	// PageStatus is the HTTP status of links' pages.
	PageStatus *int `json:"pageStatus,omitempty"`
	// CreateServer is the server on which the game wants rooms to be created; empty for none.
	CreateServer *string `json:"createServer,omitempty"`
	// HostSeesItself makes the game report to the host its own join.
	HostSeesItself *bool `json:"hostSeesItself,omitempty"`
	// Silent makes the game ignore the pings of new connections.
	Silent *bool `json:"silent,omitempty"`
}

// State is what the game has recorded.
type State struct {
	Logins int
	// ServerQuestions is the number of requests for a server.
	ServerQuestions int
	Rooms           []Room
}

// Room is a room of the game.
type Room struct {
	Path string // of its link
	Over bool
	// Asked is the host's request.
	Asked struct {
		RoomName   string
		Password   string
		MaxPlayers int
		Hidden     int
		Country    string
		PeerID     string
	}
	EndsWithHost bool
	TeamsLocked  bool
	// Beats and Answers are the numbers of Engine.IO pings and pongs of the host's connection.
	Beats, Answers int
	// Pings are the numbers that the host has echoed.
	Pings []int
	// Inside are the names of the players, without the host.
	Inside []string
	// Timesyncs is how often the host synchronised its clock.
	Timesyncs int
	// Agent is the User-Agent of the host's connection.
	Agent string
}

// State returns what the game has recorded, the oldest room first.
func (s *Server) State() State {
	s.tb.Helper()
	var state State
	s.call(http.MethodGet, "/control/state", nil, &state)
	return state
}

// SendEvents sends the host of a room events, each a number and its arguments.
func (s *Server) SendEvents(room int, events ...[]any) {
	s.tb.Helper()
	s.call(http.MethodPost, fmt.Sprintf("/control/rooms/%d/events", room), events, nil)
}

// SendFrames sends the host of a room texts unchanged.
func (s *Server) SendFrames(room int, frames ...string) {
	s.tb.Helper()
	s.call(http.MethodPost, fmt.Sprintf("/control/rooms/%d/frames", room), frames, nil)
}

// HandOver makes the newest player the host of a room.
func (s *Server) HandOver(room int) {
	s.tb.Helper()
	s.call(http.MethodPost, fmt.Sprintf("/control/rooms/%d/handover", room), []any{}, nil)
}

// DropHost cuts the connection of a room's host.
func (s *Server) DropHost(room int) {
	s.tb.Helper()
	s.call(http.MethodPost, fmt.Sprintf("/control/rooms/%d/drop", room), []any{}, nil)
}

func (s *Server) call(method, path string, body, into any) {
	s.tb.Helper()
	text, err := json.Marshal(body)
	require.NoError(s.tb, err)
	ctx := context.WithoutCancel(s.tb.Context())
	req, err := http.NewRequestWithContext(ctx, method, s.address+path, bytes.NewReader(text))
	require.NoError(s.tb, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.http.Do(req)
	require.NoError(s.tb, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(s.tb, err)
	if resp.StatusCode != http.StatusOK {
		s.tb.Fatalf("%s %s: %d %s", method, path, resp.StatusCode, answer)
	}
	if into != nil {
		require.NoError(s.tb, json.Unmarshal(answer, into))
	}
}
