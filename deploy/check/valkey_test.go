package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
	"capzone.dev/platform/ratelimit"
)

// TestValkey_Users finds a program that reaches keys of another one, or not its own.
func TestValkey_Users(t *testing.T) {
	t.Parallel()
	d := shared(t)
	address := d.startValkey(t)
	as := func(user, password string) *redis.Client {
		client := redis.NewClient(&redis.Options{Addr: address, Username: user, Password: password})
		t.Cleanup(func() { _ = client.Close() })
		return client
	}
	health := as("health", "anything")
	eventually.WaitFor(t, "the server", func() bool { return health.Ping(t.Context()).Err() == nil })
	env := d.env()
	gateway, auth := as("gateway", env["VALKEY_GATEWAY_PASSWORD"]), as("auth", env["VALKEY_AUTH_PASSWORD"])

	// What the programs do: counters, sessions by script and field.
	for name, client := range map[string]*redis.Client{"gateway:logins": gateway, "capzone:login:rooms": auth} {
		if _, err := ratelimit.New(client, name, 5, time.Minute).Allow(t.Context(), "192.0.2.1"); err != nil {
			t.Errorf("counting %s: %v", name, err)
		}
	}
	session := redis.NewScript(`redis.call("HSET", KEYS[1], "revision", 1) return redis.call("PEXPIRE", KEYS[1], 1000)`)
	if err := session.Run(t.Context(), auth, []string{"capzone:login:session:s1"}).Err(); err != nil {
		t.Errorf("a session: %v", err)
	}
	if err := auth.HMGet(t.Context(), "capzone:login:session:s1", "revision").Err(); err != nil {
		t.Errorf("a session: %v", err)
	}

	for what, err := range map[string]error{
		"the gateway reads a session":        gateway.HGetAll(t.Context(), "capzone:login:session:s1").Err(),
		"the gateway resets auth's counters": gateway.Del(t.Context(), "rate:capzone:login:rooms:60:192.0.2.1").Err(),
		"auth resets the gateway's counters": auth.Del(t.Context(), "rate:gateway:logins:60:192.0.2.1").Err(),
		"auth empties the server":            auth.FlushAll(t.Context()).Err(),
		"auth lists all keys":                auth.Keys(t.Context(), "*").Err(),
		"the gateway changes settings":       gateway.ConfigSet(t.Context(), "maxmemory", "1").Err(),
		"the gateway makes users":            gateway.Do(t.Context(), "ACL", "SETUSER", "mine", "on").Err(),
		"the user of health checks reads":    health.Get(t.Context(), "rate:gateway:logins:60:192.0.2.1").Err(),
		"no access without a password":       as("", "").Ping(t.Context()).Err(),
		"a wrong password comes in":          as("auth", env["VALKEY_GATEWAY_PASSWORD"]).Ping(t.Context()).Err(),
	} {
		if err == nil {
			t.Errorf("%s, and is not refused", what)
		}
	}
}

// startValkey runs Valkey, or the Redis of the same commands, with the deployment's configuration until the test ends.
// Only what names this machine differs.
func (d deployment) startValkey(t *testing.T) (address string) {
	t.Helper()
	program, err := exec.LookPath("valkey-server")
	if err != nil {
		program = testdeps.Program(t, "redis-server", "redis-server")
	}
	port, err := freeport.Pick()
	require.NoError(t, err)
	folder := t.TempDir()
	config := strings.NewReplacer(
		"bind * -::*", "bind 127.0.0.1", "port 6379", "port "+strconv.Itoa(port), "dir /data", "dir "+folder,
		"/run/secrets/", filepath.Join(d.folder, "deploy/docker/secrets")+"/",
	).Replace(read(t, filepath.Join(d.folder, "deploy/docker/valkey/valkey.conf")))
	file := filepath.Join(folder, "valkey.conf")
	require.NoError(t, os.WriteFile(file, []byte(config+"\n"), 0o600))
	server := exec.CommandContext(t.Context(), program, file)
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	return "127.0.0.1:" + strconv.Itoa(port)
}
