// Package receivers sends messages to the receivers of webhooks. They are addresses that players name, so that the
// package connects to public ones alone: the address is checked when the connection is made, after the name was
// resolved. It reads the status of an answer, and how long to wait.
package receivers

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"capzone.dev/services/notifications/internal/webhook"
)

const (
	// timeout bounds an attempt.
	timeout = 10 * time.Second
	// maxHeader and maxAnswer bound what is read of an answer. The body is read for the time that Discord gives in it.
	maxHeader = 16 << 10
	maxAnswer = 4 << 10
)

// Config says what receivers there may be.
type Config struct {
	// TestCA is a file with certificates in PEM form that sign those of receivers, too. With it, receivers may be on this
	// machine. It is empty except in tests and development.
	TestCA string `env:"WEBHOOK_TEST_CA"`
}

// Addresses returns which addresses receivers may have.
func (c Config) Addresses() webhook.Addresses { return webhook.Addresses{Loopback: c.TestCA != ""} }

// Client implements webhook.Receivers.
type Client struct {
	http      *http.Client
	userAgent string
}

// errRefused means that a name has led to an address to which no connection is made.
var errRefused = errors.New("the address is not public")

// NewClient returns a client that calls itself by the address of the site. The resolver is nil for the usual one.
func NewClient(cfg Config, site string, resolver *net.Resolver) (*Client, error) {
	roots, err := cfg.roots()
	if err != nil {
		return nil, err
	}
	addresses := cfg.Addresses()
	dialer := &net.Dialer{
		Timeout: timeout, Resolver: resolver, KeepAlive: -1,
		// Control is called with the address of each connection, whatever name and answer of a name server led to it.
		Control: func(_, address string, _ syscall.RawConn) error {
			if to, err := netip.ParseAddrPort(address); err != nil || !addresses.Allows(to) {
				return errRefused
			}
			return nil
		},
	}
	return &Client{
		userAgent: "Capzone-Webhooks (+" + site + ")",
		http: &http.Client{
			Timeout: timeout,
			// A redirect is answered as it is.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Transport: &http.Transport{
				Proxy: nil, DialContext: dialer.DialContext, TLSClientConfig: &tls.Config{RootCAs: roots},
				TLSHandshakeTimeout: timeout, MaxResponseHeaderBytes: maxHeader, DisableCompression: true,
				// Each attempt makes a connection, whose address is checked.
				DisableKeepAlives: true,
			},
		},
	}, nil
}

// roots returns the certificates of the system and of the test CA, nil for those of the system alone.
func (c Config) roots() (*x509.CertPool, error) {
	if c.TestCA == "" {
		return nil, nil //nolint:nilnil // those of the system
	}
	pem, err := os.ReadFile(c.TestCA)
	if err != nil {
		return nil, fmt.Errorf("WEBHOOK_TEST_CA: %w", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("certificates of the system: %w", err)
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("WEBHOOK_TEST_CA: there is no certificate in the file")
	}
	return roots, nil
}

// Send implements webhook.Receivers.
func (c *Client) Send(ctx context.Context, m webhook.Message) webhook.Answer {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return webhook.Answer{Failure: webhook.FailureUnreachable}
	}
	request.Header = headerOf(m)
	request.Header.Set("User-Agent", c.userAgent)
	response, err := c.http.Do(request)
	if err != nil {
		return webhook.Answer{Failure: failureOf(err)}
	}
	defer func() { _ = response.Body.Close() }()
	answer := webhook.Answer{Status: response.StatusCode}
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		return answer
	case status >= 300 && status < 400:
		answer.Failure = webhook.FailureRedirect
	default:
		answer.Failure = webhook.FailureStatus
		answer.RetryAfter = retryAfter(response, m.Format)
	}
	return answer
}

// headerOf returns the header of a message: for programs that of Standard Webhooks, with a signature by each secret.
func headerOf(m webhook.Message) http.Header {
	header := http.Header{"Content-Type": {"application/json"}}
	if m.Format == webhook.Discord {
		return header
	}
	signatures := make([]string, len(m.Secrets))
	for i, secret := range m.Secrets {
		signer, _ := standardwebhooks.NewWebhookRaw(secret)
		signatures[i], _ = signer.Sign(m.ID, m.At, m.Body) // neither fails
	}
	header.Set(standardwebhooks.HeaderWebhookID, m.ID)
	header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(m.At.Unix(), 10))
	header.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	return header
}

// failureOf returns why no answer was got.
func failureOf(err error) webhook.Failure {
	var timedOut net.Error
	var unresolved *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errRefused):
		return webhook.FailureAddressRefused
	case errors.As(err, &certificate):
		return webhook.FailureCertificate
	case errors.As(err, &unresolved) && !unresolved.IsTimeout:
		return webhook.FailureUnresolved
	case errors.As(err, &timedOut) && timedOut.Timeout():
		return webhook.FailureTimeout
	}
	return webhook.FailureUnreachable
}

// retryAfter returns how long the receiver wants to be left alone: the header of an answer that it is too much now, or
// unavailable, and for Discord what the body of 429 says, which is more exact.
func retryAfter(response *http.Response, format webhook.Format) time.Duration {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	if format == webhook.Discord && response.StatusCode == http.StatusTooManyRequests {
		var limited struct {
			RetryAfter float64 `json:"retry_after"`
		}
		body, _ := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
		if json.Unmarshal(body, &limited) == nil && limited.RetryAfter > 0 {
			return seconds(limited.RetryAfter)
		}
	}
	header := response.Header.Get("Retry-After")
	if number, err := strconv.ParseUint(header, 10, 32); err == nil {
		return seconds(float64(number))
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// seconds returns a duration of at least a millisecond where the number is positive, and at most of a year.
func seconds(number float64) time.Duration {
	const year = 365 * 24 * time.Hour
	return time.Duration(math.Ceil(min(number, year.Seconds())*1000)) * time.Millisecond
}
