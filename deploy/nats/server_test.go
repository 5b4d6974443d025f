package nats

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testservers"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// deployment is a NATS server that runs with the configuration of a deployment.
type deployment struct {
	t   *testing.T
	url string
}

// start runs the server until the test ends.
func start(t *testing.T) deployment {
	t.Helper()
	passwords := map[string]string{}
	for _, name := range users() {
		passwords[name] = passwordOf(name)
	}
	port, err := freeport.Pick()
	require.NoError(t, err)
	options := testservers.Options{Port: port, Dir: t.TempDir()}
	nats, err := testservers.StartProductionNATS(t.Context(), options, passwords)
	require.NoError(t, err)
	t.Cleanup(func() { _ = nats.Kill() })
	return deployment{t, options.Address()}
}

// users lists all users of the configuration.
func users() []string {
	names := []string{provision}
	for _, p := range event.Programs() {
		names = append(names, p.Name)
	}
	return names
}

func passwordOf(name string) string { return "secret-of-" + name }

// client is a program's connection with what the server refused on it.
type client struct {
	*nats.Conn
	js      jetstream.JetStream
	refused chan error
}

// connect connects as a program does, with the credentials of the user.
func (d deployment) connect(user, program string) client {
	d.t.Helper()
	c := client{refused: make(chan error, 16)}
	var err error
	c.Conn, err = eventbus.Connect(
		"nats://"+user+":"+passwordOf(user)+"@"+d.url,
		program,
		slog.New(slog.DiscardHandler),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.refused <- err }),
	)
	require.NoError(d.t, err)
	d.t.Cleanup(c.Close)
	eventually.WaitFor(d.t, "the connection of "+user, c.IsConnected)
	if c.js, err = eventbus.JetStream(c.Conn); err != nil {
		d.t.Fatal(err)
	}
	return c
}

// provision makes the streams and consumers as the deployment does.
func (d deployment) provision() {
	d.t.Helper()
	c := d.connect(provision, provision)
	for range 2 { // the second time it finds all in place
		require.NoError(d.t, eventbus.Provision(d.t.Context(), c.js, 1))
	}
	c.sawNothingRefused(d.t)
}

// sawNothingRefused fails the test when the server refused anything that was sent on the connection until now.
func (c client) sawNothingRefused(t *testing.T) {
	t.Helper()
	require.NoError(t, c.Flush())
	select {
	case err := <-c.refused:
		t.Errorf("the server refused: %v", err)
	default:
	}
}

// sawRefusal fails the test unless the server refuses what was sent, naming the subject.
func (c client) sawRefusal(t *testing.T, subject string) {
	t.Helper()
	select {
	case err := <-c.refused:
		if !strings.Contains(strings.ToLower(err.Error()), "permissions violation") ||
			!strings.Contains(err.Error(), `"`+subject+`"`) {
			t.Errorf("%s: refused with %v", subject, err)
		}
	case <-time.After(5 * time.Second):
		t.Errorf("%s was not refused", subject)
	}
}

func TestUsersConf_requires_a_password(t *testing.T) {
	d := start(t)
	for name, credentials := range map[string]string{
		"no user":              "",
		"an unknown user":      "admin:admin@",
		"a wrong password":     "auth:secret-of-maps@",
		"no password":          "auth@",
		"a variable's name":    "auth:$NATS_AUTH_PASSWORD@",
		"the server's account": "SYS:@",
	} {
		nc, err := nats.Connect("nats://" + credentials + d.url)
		if err == nil {
			nc.Close()
			t.Errorf("%s: connected", name)
		}
	}
}

func TestUsersConf_needs_all_passwords(t *testing.T) {
	t.Parallel()
	passwords := map[string]string{}
	for _, name := range users() {
		if name != event.Bot.Name {
			passwords[name] = passwordOf(name)
		}
	}
	port, err := freeport.Pick()
	require.NoError(t, err)
	options := testservers.Options{Port: port, Dir: t.TempDir()}
	nats, err := testservers.StartProductionNATS(t.Context(), options, passwords)
	if err == nil {
		_ = nats.Kill()
	}
	if err == nil || !strings.Contains(err.Error(), "NATS_BOT_PASSWORD") {
		t.Errorf("got %v, want an error that names NATS_BOT_PASSWORD", err)
	}
}

// The file for one machine and the one for a cluster share the users.
func TestUsersConf_contains_no_password(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"nats-server.conf", "users.conf"} {
		text, err := os.ReadFile(filepath.Clean(name))
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			_, value, is := strings.Cut(line, "password:")
			if is && !strings.HasPrefix(strings.TrimSpace(value), "$NATS_") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}
