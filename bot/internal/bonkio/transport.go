package bonkio

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"
)

const dialTimeout = 5 * time.Second

// newTransport returns the transport of every request and every socket, so that
// a token is used from the address that it was given to.
func newTransport(cfg Config) http.RoundTripper {
	dialer := &net.Dialer{Timeout: dialTimeout}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if cfg.IPv4 {
			network = "tcp4"
		}
		return dialer.DialContext(ctx, network, address)
	}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dial,
		TLSHandshakeTimeout: dialTimeout,
		IdleConnTimeout:     time.Minute,
		// A WebSocket begins with HTTP/1.1.
		ForceAttemptHTTP2: false,
	}
	transport.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		secure := tls.Client(conn, tlsConfig(cfg, host))
		if err := secure.HandshakeContext(ctx); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		return secure, nil
	}
	return &userAgent{name: cfg.UserAgent, next: transport}
}

// tlsConfig returns a configuration that verifies the server's certificate for
// host, with the configured intermediates besides those that the server sends.
// crypto/tls itself uses only the server's, so its own verification is replaced.
func tlsConfig(cfg Config, host string) *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		ServerName:         host,
		InsecureSkipVerify: true, //nolint:gosec // VerifyConnection verifies the chain and the name
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 {
				return errors.New("the server sent no certificate")
			}
			intermediates := x509.NewCertPool()
			for _, certificate := range slices.Concat(state.PeerCertificates[1:], cfg.Intermediates) {
				intermediates.AddCert(certificate)
			}
			_, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{
				DNSName: host, Roots: cfg.Roots, Intermediates: intermediates,
			})
			var unknown x509.UnknownAuthorityError
			if errors.As(err, &unknown) {
				return fmt.Errorf("%w: the chain of %s lacks its intermediate certificate, or its authority is unknown; "+
					`see step "Get the intermediate certificate" of docs/bot.md`, err, host)
			}
			return err
		},
	}
}

// userAgent sets the User-Agent of every request.
type userAgent struct {
	name string
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (u *userAgent) RoundTrip(req *http.Request) (*http.Response, error) {
	if u.name != "" {
		req = req.Clone(req.Context())
		req.Header.Set("User-Agent", u.name)
	}
	return u.next.RoundTrip(req)
}

// withoutAddress returns the cause of a failed request without its address, which may be a secret.
func withoutAddress(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
