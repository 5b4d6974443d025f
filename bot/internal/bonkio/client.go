package bonkio

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ServerPlaceholder is replaced by a server's name in Config.SocketURL.
const ServerPlaceholder = "{server}"

// Config has the addresses of the game and the properties of the client.
type Config struct {
	// LoginURL is where accounts log in.
	LoginURL string
	// RoomsURL is where the game names the server for a new room.
	RoomsURL string
	// SocketURL is where a game server accepts connections: ws or wss, with ServerPlaceholder in it.
	SocketURL string
	// LinkURL is the beginning of a room's link.
	LinkURL string
	// Version is the protocol's version. The game refuses any other.
	Version int
	// Roots are the trusted certificate authorities; nil means the system's.
	Roots *x509.CertPool
	// Intermediates complete the chain of a server that sends its certificate alone. They are not roots.
	Intermediates []*x509.Certificate
	// IPv4 makes every connection use IPv4. A token is valid for the address that it was given to.
	IPv4 bool
	// UserAgent names the site and a contact.
	UserAgent string
	// ChatSpacing is the shortest time between two lines of chat.
	ChatSpacing time.Duration
}

// Location is a position in degrees, and its country as two letters.
type Location struct {
	Latitude, Longitude float64
	Country             string
}

// Server is a game server, and the location that rooms on it have.
type Server struct {
	Name     string
	Location Location
}

// Client sends requests to the game's servers. It is safe for concurrent use.
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

const dialTimeout = 5 * time.Second

// newTransport returns the transport of every request and every socket, so that
// a token is used from the address that it was given to.
func newTransport(cfg Config) http.RoundTripper {
	dialer := &net.Dialer{Timeout: dialTimeout}
	return &transport{userAgent: cfg.UserAgent, next: &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if cfg.IPv4 {
				network = "tcp4"
			}
			return dialer.DialContext(ctx, network, address)
		},
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: trustedCertificates(cfg)},
		TLSHandshakeTimeout: dialTimeout,
		IdleConnTimeout:     time.Minute,
		// A WebSocket begins with HTTP/1.1.
		ForceAttemptHTTP2: false,
	}}
}

// trustedCertificates returns the roots, and the intermediates that a root has signed: a server
// that sends its certificate alone is verified by them. Other intermediates are not trusted.
func trustedCertificates(cfg Config) *x509.CertPool {
	roots, err := cfg.Roots, error(nil)
	if roots == nil {
		roots, err = x509.SystemCertPool()
	}
	if err != nil || len(cfg.Intermediates) == 0 {
		return roots // nil is the system's
	}
	trusted, others := roots.Clone(), x509.NewCertPool()
	for _, certificate := range cfg.Intermediates {
		others.AddCert(certificate)
	}
	for _, certificate := range cfg.Intermediates {
		if _, err := certificate.Verify(x509.VerifyOptions{Roots: roots, Intermediates: others}); err == nil {
			trusted.AddCert(certificate)
		}
	}
	return trusted
}

// transport sets the User-Agent of every request, and explains an incomplete chain of certificates.
type transport struct {
	userAgent string
	next      http.RoundTripper
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.userAgent != "" {
		req = req.Clone(req.Context())
		req.Header.Set("User-Agent", t.userAgent)
	}
	resp, err := t.next.RoundTrip(req)
	var unknown x509.UnknownAuthorityError
	if errors.As(err, &unknown) {
		return nil, fmt.Errorf("%w: the chain of %s lacks its intermediate certificate, or its authority is unknown; "+
			`see step "Get the intermediate certificate" of docs/bot.md`, err, req.URL.Host)
	}
	return resp, err
}

// withoutAddress returns the cause of a failed request without its address, which may be a secret.
func withoutAddress(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// Secret is a text that is printed and logged as "(hidden)".
type Secret string

const hidden = "(hidden)"

// Format implements fmt.Formatter: every verb prints the same.
func (Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText keeps the secret out of JSON. What is sent to the game is sent as a string.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
