package compose

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestSecrets_Changed changes passwords as docs/operations.md says. The site serves with the new ones, and a backup is
// made with the superuser's.
func TestSecrets_Changed(t *testing.T) {
	tests := []struct {
		name     string
		settings []string
		change   func(t *testing.T)
	}{
		{"databases", []string{"POSTGRES_PASSWORD", "POSTGRES_RECORDS_PASSWORD"}, func(t *testing.T) {
			t.Helper()
			running.mustCompose(t, "up", "--detach", "--wait", "postgres")
			running.mustCompose(t, "exec", "postgres", "/docker-entrypoint-initdb.d/10-databases.sh")
		}},
		{"events and files", []string{"NATS_RECORDS_PASSWORD", "MINIO_RECORDS_PASSWORD"}, func(*testing.T) {}},
		{"sessions and counters", []string{"VALKEY_AUTH_PASSWORD"}, func(t *testing.T) {
			t.Helper()
			setValkeyPassword(t, "auth", newPassword)
			running.mustCompose(t, "up", "--detach", "--force-recreate", "valkey", "auth", "gateway")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			settings := map[string]string{}
			for _, name := range tt.settings {
				settings[name] = newPassword
			}
			if err := running.set(settings); err != nil {
				t.Fatal(err)
			}
			tt.change(t)
			running.mustCompose(t, "up", "--detach", "--wait")
			tr := users.Start(t, capzone)
			tr.AwaitServed("the site to serve with the new passwords")
			tr.Stop()
		})
	}
	running.mustCompose(t, "run", "--rm", "backup", "save", "/saved")
	users.Verify(t, capzone)
}

const newPassword = "p0123456789abcdef"

// setValkeyPassword replaces the hash of a user's password.
func setValkeyPassword(t *testing.T, user, password string) {
	t.Helper()
	path := filepath.Join(running.site, "deploy/docker/secrets/valkey_users")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	current := regexp.MustCompile(`(user ` + user + ` on )#[0-9a-f]+`)
	if !current.Match(text) {
		t.Fatalf("%s has no password of %s", path, user)
	}
	text = current.ReplaceAll(text, fmt.Appendf(nil, "${1}#%x", sha256.Sum256([]byte(password))))
	if err := os.WriteFile(path, text, 0o444); err != nil {
		t.Fatal(err)
	}
}
