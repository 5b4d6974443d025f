package observability_test

import (
	"encoding/json"
	"strings"
	"testing"

	"capzone.dev/devstack/eventually"
)

// line is a line of a process's log.
type line struct {
	Service   string
	Level     string
	Msg       string
	Route     string
	RequestID string
	TraceID   string
}

// lines are those that processes have written so far; the launcher puts the process's name before each.
func lines(t *testing.T) (all []line) {
	t.Helper()
	for text := range strings.Lines(running.Log()) {
		_, object, found := strings.Cut(text, " | ")
		if !found || !strings.HasPrefix(object, "{") {
			continue
		}
		var l line
		if err := json.Unmarshal([]byte(object), &l); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		all = append(all, l)
	}
	return all
}

func TestLogs_without_secrets(t *testing.T) {
	t.Parallel()
	d := requestsMade(t)
	eventually.WaitFor(t, "the login in the log of auth", func() bool {
		return strings.Count(running.Log(), "player logged in") >= 2
	})
	log := running.Log()
	for what, secret := range d.secrets {
		// Six digits may be part of a figure or an id; a code stands alone.
		if len(secret) > 6 && strings.Contains(log, secret) || strings.Contains(log, `"`+secret+`"`) ||
			strings.Contains(log, " "+secret) {
			t.Errorf("the log contains the %s", what)
		}
	}
	for _, personal := range []string{"whatsoughtafter", "password", "Bearer ", "Cookie"} {
		if strings.Contains(log, personal) {
			t.Errorf("the log has %q", personal)
		}
	}
}

func TestLogs_request_ids(t *testing.T) {
	t.Parallel()
	d := requestsMade(t)
	counts := map[string]int{}
	eventually.WaitFor(t, "the submission in the logs of both processes", func() bool {
		clear(counts)
		for _, l := range lines(t) {
			if l.Route != "" && (l.RequestID == "" || l.TraceID == "") {
				t.Fatalf("a line of a request without ids: %+v", l)
			}
			if l.RequestID == d.recordID && l.Msg == "request" && l.TraceID == browsersTrace {
				counts[l.Service]++
			}
		}
		return counts["gateway"] == 1 && counts["records"] == 1
	})

	// The lines of a bot about a login have the id of the login's request.
	eventually.WaitFor(t, "the login's lines", func() bool {
		for _, l := range lines(t) {
			if l.Service == "auth" && l.Msg == "login begins" && l.RequestID == d.loginID && l.TraceID != "" {
				return true
			}
		}
		return false
	})
}
