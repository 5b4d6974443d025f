package replayproblem_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/replayproblem"
)

func TestAhead(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 11, 18, 10, 0, 1, time.FixedZone("east", 7200))
	accepted := time.Date(2026, 5, 11, 16, 11, 2, 0, time.UTC)
	for ahead, want := range map[time.Duration]string{
		6*time.Minute + time.Second: "6 minutes", 150 * time.Minute: "2 hours", 30 * 24 * time.Hour: "30 days",
	} {
		text := "The replay's time stamp is " + want + " in the future: the server's time is 2026-05-11 16:10:00 UTC. The " +
			"clock of the computer that recorded it is ahead. The same file will be accepted from 2026-05-11 16:11:02 UTC on."
		err := replayproblem.Ahead(now, accepted, ahead)
		if got := problem.From(err).Message; got != text || !errors.Is(err, replayproblem.FromFuture) {
			t.Errorf("%v: %s, want %s", ahead, got, text)
		}
	}
}
