package bonkio

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"strings"
	"time"
)

// ServerPlaceholder stands for a server's name in Config.SocketURL.
const ServerPlaceholder = "{server}"

// Config says where the game is and how to speak with it.
type Config struct {
	// LoginURL takes an account's name and password.
	LoginURL string
	// SocketURL is where a game server takes connections: ws or wss, with ServerPlaceholder in it.
	SocketURL string
	// LinkURL is what a room's link begins with.
	LinkURL string
	// Version is the protocol's, as the game checks it.
	Version int
	// Location is where the room claims to be.
	Location Location
	// RootCAs are the authorities that may vouch for the game's servers; nil means the system's.
	RootCAs *x509.CertPool
	// Map is the map string that newcomers are shown in the lobby.
	Map string
	// ChatSpacing is the least time between two lines of chat.
	ChatSpacing time.Duration
}

// Location is a place on Earth, in degrees, and its country as two letters.
type Location struct {
	Latitude, Longitude float64
	Country             string
}

// Client speaks with the game's servers. It is safe for concurrent use.
type Client struct {
	cfg  Config
	http *http.Client
}

// NewClient makes a client. It connects to nothing yet.
func NewClient(cfg Config) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is, by its documentation
	transport.TLSClientConfig = &tls.Config{RootCAs: cfg.RootCAs, MinVersion: tls.VersionTLS12}
	transport.ForceAttemptHTTP2 = false // a WebSocket begins with HTTP/1.1
	return &Client{cfg: cfg, http: &http.Client{
		Transport: transport,
		// A redirection would take the password or the token elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (c *Client) socketURL(server string) string {
	return strings.ReplaceAll(c.cfg.SocketURL, ServerPlaceholder, server) + "?EIO=3&transport=websocket"
}
