package app_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/devstack/require"
)

func TestMetrics_are_documented(t *testing.T) {
	b := setup(t)
	text, err := os.ReadFile("../../../docs/bot.md")
	require.NoError(t, err)
	_, metrics := send(t, http.MethodGet, b.ops+"/metrics", "")
	found := regexp.MustCompile(`(?m)^# TYPE (bot_\w+)`).FindAllStringSubmatch(metrics, -1)
	if len(found) < 6 {
		t.Errorf("only these metrics: %v", found)
	}
	for _, match := range found {
		if name := match[1]; !strings.Contains(string(text), "| `"+name+"` |") &&
			!strings.Contains(string(text), "| `"+name+"{") {
			t.Errorf("docs/bot.md has no %s", name)
		}
	}
	for _, outcome := range verification.Outcomes() {
		if !strings.Contains(string(text), "`"+string(outcome)+"` (") {
			t.Errorf("docs/bot.md does not say what %s means", outcome)
		}
	}
	for _, step := range bonkio.VisitSteps() {
		if !strings.Contains(string(text), "`"+step+"`") {
			t.Errorf("docs/bot.md does not name the step %s of a check", step)
		}
	}
	for _, step := range gameroom.Steps() {
		if !strings.Contains(string(text), "`"+string(step)+"`") {
			t.Errorf("docs/bot.md does not name the step %s", step)
		}
	}
}
