package compose

import (
	"slices"
	"strings"
	"testing"

	"capzone.dev/e2e/internal/load"
)

// TestOperators_Commands runs the commands of docs/operations.md for a running site.
func TestOperators_Commands(t *testing.T) {
	for _, program := range built() {
		running.mustCompose(t, "exec", program, "/"+program, "healthcheck")
	}
	running.mustCompose(t, "run", "--rm", "records", "check-env")
	broken := []string{"run", "--rm", "--env", "DATABASE_URL=", "records", "check-env"}
	if text, err := running.compose(t.Context(), broken...); err == nil ||
		!strings.Contains(err.Error(), "DATABASE_URL") {
		t.Errorf("check-env without DATABASE_URL: %q, %v", text, err)
	}
	admin := users.Players[1]
	running.mustCompose(t, "exec", "players", "/players", "grant", admin.Account.Name, "admin")
	load.Await(t, "the player to be an admin", func() bool {
		got, err := capzone.Visitor().PlayerByID(t.Context(), admin.ID)
		return err == nil && slices.Contains(got.Roles, "admin")
	})
}
