package receivers_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"capzone.dev/devstack/receivertest"
	"capzone.dev/devstack/require"
	"capzone.dev/services/notifications/internal/receivers"
	"capzone.dev/services/notifications/internal/webhook"
)

// startReceiver starts a receiver on this machine, and returns a configuration that allows it.
func startReceiver(t *testing.T, handler http.HandlerFunc) (url string, cfg receivers.Config) {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	cfg.TestCA = filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(cfg.TestCA, receivertest.Certificates(), 0o600))
	return server.URL, cfg
}

func newClient(t *testing.T, cfg receivers.Config, resolver *net.Resolver) *receivers.Client {
	t.Helper()
	client, err := receivers.NewClient(cfg, "https://capzone.example", resolver)
	require.NoError(t, err)
	return client
}

func TestClient_Send(t *testing.T) {
	t.Parallel()
	elsewhere := atomic.Int32{}
	target, _ := startReceiver(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	url, cfg := startReceiver(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if string(body) != "{}" || (r.Header.Get("Webhook-Id") == "d") != (r.URL.Query().Get("format") == "json") ||
			r.UserAgent() != "Capzone-Webhooks (+https://capzone.example)" || r.Method != http.MethodPost {
			t.Errorf("received %s %q with %v", r.Method, body, r.Header)
		}
		var status int
		_, _ = fmt.Sscan(r.URL.Query().Get("status"), &status)
		w.Header().Set("Location", target)
		if after := r.URL.Query().Get("after"); after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, r.URL.Query().Get("body"))
	})
	client := newClient(t, cfg, nil)
	at := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	for _, tt := range []struct {
		query  string
		format webhook.Format
		want   webhook.Answer
	}{
		{"status=200", webhook.JSON, webhook.Answer{Status: 200}},
		{"status=204", webhook.Discord, webhook.Answer{Status: 204}},
		{"status=301", webhook.JSON, webhook.Answer{Failure: webhook.FailureRedirect, Status: 301}},
		{"status=307", webhook.JSON, webhook.Answer{Failure: webhook.FailureRedirect, Status: 307}},
		{"status=410", webhook.JSON, webhook.Answer{Failure: webhook.FailureStatus, Status: 410}},
		{"status=500&after=7", webhook.JSON, webhook.Answer{Failure: webhook.FailureStatus, Status: 500}},
		{"status=429&after=7", webhook.JSON,
			webhook.Answer{Failure: webhook.FailureStatus, Status: 429, RetryAfter: 7 * time.Second}},
		{"status=503&after=99999999999", webhook.JSON, webhook.Answer{Failure: webhook.FailureStatus, Status: 503}},
		{"status=429&after=-1", webhook.JSON, webhook.Answer{Failure: webhook.FailureStatus, Status: 429}},
		{`status=429&after=7&body={"retry_after":0.5321}`, webhook.Discord,
			webhook.Answer{Failure: webhook.FailureStatus, Status: 429, RetryAfter: 533 * time.Millisecond}},
		{`status=429&after=7&body={"retry_after":1e300}`, webhook.Discord,
			webhook.Answer{Failure: webhook.FailureStatus, Status: 429, RetryAfter: 365 * 24 * time.Hour}},
		{"status=429&after=7&body=garbage", webhook.Discord,
			webhook.Answer{Failure: webhook.FailureStatus, Status: 429, RetryAfter: 7 * time.Second}},
	} {
		query := "/?format=" + string(tt.format) + "&" + strings.ReplaceAll(tt.query, `"`, "%22")
		got := client.Send(t.Context(), message(url+query, tt.format))
		if got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.query, got, tt.want)
		}
	}
	query := "/?format=json&status=429&after=" + strings.ReplaceAll(at, " ", "+")
	got := client.Send(t.Context(), message(url+query, webhook.JSON))
	if got.RetryAfter < 59*time.Minute || got.RetryAfter > time.Hour {
		t.Errorf("Retry-After with a date: %+v", got)
	}
	if elsewhere.Load() != 0 {
		t.Error("a redirect was followed")
	}
}

func message(url string, format webhook.Format) webhook.Message {
	return webhook.Message{URL: url, ID: "d", At: time.Now(), Body: []byte("{}"), Format: format}
}

// Of 10 MB little is read, whatever the status is.
func TestClient_Send_large_answer(t *testing.T) {
	t.Parallel()
	written := make(chan int64, 2)
	url, cfg := startReceiver(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("limited") {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		n, _ := io.Copy(w, io.LimitReader(zeros{}, 10<<20))
		written <- n
	})
	client := newClient(t, cfg, nil)
	for query, status := range map[string]int{"": 200, "?limited": 429} {
		if got := client.Send(t.Context(), message(url+query, webhook.Discord)); got.Status != status {
			t.Errorf("%+v", got)
		}
		if n := <-written; n == 10<<20 {
			t.Error("10 MB were read")
		}
	}
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestClient_Send_without_an_answer(t *testing.T) {
	t.Parallel()
	hangs, cfg := startReceiver(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // a server notices that the client has gone only then
		<-r.Context().Done()
	})
	client := newClient(t, cfg, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if got := client.Send(ctx, message(hangs, webhook.JSON)); got != (webhook.Answer{Failure: webhook.FailureTimeout}) {
		t.Errorf("a receiver that hangs: %+v", got)
	}
	breaks, _ := startReceiver(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if got := client.Send(t.Context(), message(breaks, webhook.JSON)); got.Failure != webhook.FailureUnreachable {
		t.Errorf("a receiver that breaks off: %+v", got)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	closed := listener.Addr().String()
	_ = listener.Close()
	got := client.Send(t.Context(), message("https://"+closed, webhook.JSON))
	if got != (webhook.Answer{Failure: webhook.FailureUnreachable}) {
		t.Errorf("a closed port: %+v", got)
	}
}

// A certificate of the test CA alone is refused without the setting, and so is the address.
func TestClient_Send_not_in_tests(t *testing.T) {
	t.Parallel()
	received := atomic.Int32{}
	url, cfg := startReceiver(t, func(http.ResponseWriter, *http.Request) { received.Add(1) })
	another := receivers.Config{TestCA: newCA(t)}
	for failure, cfg := range map[webhook.Failure]receivers.Config{
		webhook.FailureAddressRefused: {}, webhook.FailureCertificate: another,
	} {
		if got := newClient(t, cfg, nil).Send(t.Context(), message(url, webhook.JSON)); got.Failure != failure {
			t.Errorf("%+v, want %s", got, failure)
		}
	}
	if received.Load() != 0 {
		t.Error("something was received")
	}
	if got := newClient(t, cfg, nil).Send(t.Context(), message(url, webhook.JSON)); got.Status != http.StatusOK {
		t.Errorf("%+v", got)
	}
}

// A name server gives a public address at first, and then one of this machine.
func TestClient_Send_rebinding(t *testing.T) {
	t.Parallel()
	received := atomic.Int32{}
	url, _ := startReceiver(t, func(http.ResponseWriter, *http.Request) { received.Add(1) })
	_, port, _ := strings.Cut(strings.TrimPrefix(url, "https://"), ":")
	addresses := [][4]byte{{203, 0, 114, 1}, {127, 0, 0, 1}, {10, 0, 0, 1}, {169, 254, 169, 254}}
	resolver, asked := startNames(t, addresses)
	client := newClient(t, receivers.Config{}, resolver)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	// The first address is public. Nothing answers there.
	if got := client.Send(ctx, message("https://rebinding.example:"+port, webhook.JSON)); got.Failure ==
		webhook.FailureAddressRefused {
		t.Errorf("a public address: %+v", got)
	}
	for range addresses[1:] {
		got := client.Send(t.Context(), message("https://rebinding.example:"+port, webhook.JSON))
		if got != (webhook.Answer{Failure: webhook.FailureAddressRefused}) {
			t.Errorf("a private address: %+v", got)
		}
	}
	if asked.Load() != int32(len(addresses)) || received.Load() != 0 {
		t.Errorf("%d names were asked for, %d messages received", asked.Load(), received.Load())
	}
	if got := client.Send(t.Context(), message("https://unknown.example", webhook.JSON)); got.Failure !=
		webhook.FailureUnresolved {
		t.Errorf("a name without an address: %+v", got)
	}
}

// startNames starts a name server that answers each question for rebinding.example with the next address.
func startNames(t *testing.T, addresses [][4]byte) (resolver *net.Resolver, asked *atomic.Int32) {
	t.Helper()
	connection, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	asked = &atomic.Int32{}
	go func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := connection.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			question := m.Questions[0]
			m.Response, m.Additionals = true, nil
			switch known := question.Name.String() == "rebinding.example."; {
			case known && question.Type == dnsmessage.TypeA:
				i := min(int(asked.Add(1)), len(addresses)) - 1
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET},
					Body:   &dnsmessage.AResource{A: addresses[i]},
				}}
			case !known:
				m.RCode = dnsmessage.RCodeNameError
			}
			if packed, err := m.Pack(); err == nil {
				_, _ = connection.WriteTo(packed, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", connection.LocalAddr().String())
	}}, asked
}

func TestNewClient_wrong_CA(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.pem")
	require.NoError(t, os.WriteFile(empty, []byte("no certificate"), 0o600))
	for _, path := range []string{empty, filepath.Join(t.TempDir(), "missing.pem")} {
		if _, err := receivers.NewClient(receivers.Config{TestCA: path}, "", nil); err == nil {
			t.Errorf("%s was read", path)
		}
	}
}

// newCA returns a file with a certificate that has signed no other.
func newCA(t *testing.T) string {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "another.pem")
	require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600))
	return path
}
