package bonkio

import (
	"crypto/x509"
	"net/http"
	"strings"
	"time"
)

// ServerPlaceholder stands for a server's name in Config.SocketURL.
const ServerPlaceholder = "{server}"

// Config says where the game is and how the client presents itself.
type Config struct {
	// LoginURL accepts an account's name and password.
	LoginURL string
	// RoomsURL names the server on which the game wants a room to be created.
	RoomsURL string
	// SocketURL is where a game server accepts connections: ws or wss, with ServerPlaceholder in it.
	SocketURL string
	// LinkURL is the beginning of a room's link.
	LinkURL string
	// Version is the protocol's version. The game refuses any other.
	Version int
	// Roots are the trusted certificate authorities; nil means the system's.
	Roots *x509.CertPool
	// Intermediates complete the chain of a server that sends its certificate alone. They are not trusted by themselves.
	Intermediates []*x509.Certificate
	// IPv4 makes every connection leave by IPv4. A token is valid for the address that it was given to.
	IPv4 bool
	// UserAgent names the site and a contact.
	UserAgent string
	// ChatSpacing is the shortest time between two lines of chat.
	ChatSpacing time.Duration
}

// Location is a place on Earth, in degrees, and its country as two letters.
type Location struct {
	Latitude, Longitude float64
	Country             string
}

// Server is a game server, and the place that rooms on it name as theirs.
type Server struct {
	Name     string
	Location Location
}

// Client talks to the game's servers. It is safe for concurrent use.
type Client struct {
	cfg  Config
	http *http.Client
}

// NewClient returns a client. It does not connect yet.
func NewClient(cfg Config) *Client {
	return &Client{cfg: cfg, http: &http.Client{
		Transport: newTransport(cfg),
		// A redirection would carry the password or the token to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (c *Client) socketURL(server string) string {
	return strings.ReplaceAll(c.cfg.SocketURL, ServerPlaceholder, server) + "?EIO=3&transport=websocket"
}
