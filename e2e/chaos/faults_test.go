package chaos

import (
	"context"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/outside"
	"capzone.dev/e2e/stack"
)

// fault is one fault of the system.
type fault struct {
	name string
	// inject causes the fault and returns the function that repairs it, nil if nothing has to be done.
	inject func(ctx context.Context) (repair func(context.Context) error, err error)
	// duration is how long the fault lasts.
	duration time.Duration
	// served is the share of each class that must be served during the fault.
	served shares
	// refused are classes of which requests must have been refused, which shows that the fault had an effect.
	refused []class
	// mayFail are classes whose requests may get no answer, or one without the envelope.
	mayFail []class
}

const (
	calm            = time.Second      // before and after
	outage          = 4 * time.Second  // how long a server is stopped
	longOutage      = time.Minute      // longer than services wait in any request
	restartTime     = 3 * time.Second  // in which the launcher starts killed processes again
	recoveryTimeout = 30 * time.Second // after the repair
	inARow          = 2                // requests of each class that are served then
	pollEvery       = 20 * time.Millisecond
)

// faults are the faults and their effects. Requests of classes that are not in served may be refused during the fault,
// with 503 and Retry-After.
var faults = []fault{
	{name: "one of three replicas of records is killed", inject: kill("records.2"), duration: restartTime,
		served: with(all(submissions), submissions, 0.9)},
	{name: "auth is killed", inject: kill("auth.1", "auth.2"), duration: restartTime,
		served: all(logins, refreshes)},
	{name: "maps is killed", inject: kill("maps.1", "maps.2"), duration: restartTime,
		served: all(mapPages, files, newMaps)},
	{name: "records is killed", inject: kill("records.1", "records.2", "records.3"), duration: restartTime,
		served: all(recordPages, files, submissions), refused: []class{submissions}},
	{name: "players is killed", inject: kill("players.1", "players.2"), duration: restartTime,
		served: all(playerPages, newMaps, logins, submissions)},
	{name: "notifications is killed", inject: kill("notifications.1", "notifications.2"), duration: restartTime,
		served: all(inboxes), refused: []class{inboxes}},
	{name: "all bots are killed", inject: kill("bot.1", "bot.2"), duration: restartTime,
		served: all(logins), mayFail: []class{logins}},
	{name: "the gateway is killed", inject: kill("gateway"), duration: restartTime,
		mayFail: classes},
	{name: "everything is killed", inject: kill("auth.1", "auth.2", "maps.1", "maps.2", "notifications.1",
		"notifications.2", "players.1", "players.2", "records.1", "records.2", "records.3", "bot.1", "bot.2", "gateway"),
		duration: restartTime, mayFail: classes},
	{name: "PostgreSQL is killed", inject: without(func() *outside.Server { return parts.Postgres },
		(*outside.Server).Kill), duration: outage,
		refused: []class{submissions, newMaps, logins, refreshes}},
	{name: "NATS is stopped for a minute",
		inject: without(func() *outside.Server { return parts.NATS }, (*outside.Server).Stop), duration: longOutage,
		served: all(logins, newMaps), refused: []class{logins}},
	{name: "Redis is stopped", inject: without(func() *outside.Server { return parts.Redis }, (*outside.Server).Stop),
		duration: outage,
		served:   all(logins, refreshes), refused: []class{logins, refreshes}},
	{name: "the object storage is stopped",
		inject: without(func() *outside.Server { return parts.S3 }, (*outside.Server).Stop), duration: outage,
		served: all(files, submissions, newMaps), refused: []class{submissions, newMaps}},
	{name: "the object storage is full", inject: full, duration: outage,
		served: all(submissions, newMaps), refused: []class{submissions, newMaps}},
}

func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			l := begin(t)
			// Before the fault nothing is refused.
			awaitRecovery(t, l, time.Now())
			l.tally.reset()

			began := time.Now()
			repair, err := f.inject(t.Context())
			require.NoError(t, err)
			pause(t, f.duration-time.Since(began))
			repaired := time.Now()
			if repair != nil {
				require.NoError(t, repair(t.Context()))
			}
			awaitRecovery(t, l, repaired)
			pause(t, calm)
			l.end()
			if repair == nil {
				repaired = began // nothing was done
			}
			t.Logf("everything was served again %.1f s after the repair; served: %s", l.tally.until(repaired).Seconds(),
				l.tally)
			l.tally.check(t, f.served, f.refused, f.mayFail)
			verify(t)
		})
	}
}

// awaitRecovery waits until everything works again.
func awaitRecovery(t *testing.T, l *workload, from time.Time) {
	t.Helper()
	l.tally.mark()
	for !l.tally.recovered(inARow) {
		if time.Since(from) > recoveryTimeout {
			t.Fatalf("not recovered after %s: %s", recoveryTimeout, l.tally.failing(inARow))
		}
		pause(t, pollEvery)
	}
}

// kill kills processes of the stack by their names. The launcher starts them again.
func kill(names ...string) func(context.Context) (func(context.Context) error, error) {
	return func(context.Context) (func(context.Context) error, error) {
		now, err := stack.Find(running.DataDir)
		if err != nil {
			return nil, err
		}
		killed := 0
		for _, p := range now.Processes {
			if !slices.Contains(names, p.Name) {
				continue
			}
			if err := syscall.Kill(p.PID, syscall.SIGKILL); err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			killed++
		}
		if killed != len(names) {
			return nil, fmt.Errorf("%d of %v are running", killed, names)
		}
		return nil, nil
	}
}

// without ends a server, and starts it again as the repair.
func without(server func() *outside.Server, end func(*outside.Server, context.Context) error,
) func(context.Context) (func(context.Context) error, error) {
	return func(ctx context.Context) (func(context.Context) error, error) {
		return server().Start, end(server(), ctx)
	}
}

// full keeps the object storage's process from writing any further byte, as on a full disk.
func full(context.Context) (func(context.Context) error, error) {
	return func(context.Context) error { return limitFiles(parts.S3.PID(), unlimited) }, limitFiles(parts.S3.PID(), 0)
}

func with(s shares, c class, share float64) shares {
	s[c] = share
	return s
}

// pause lets the load go on for a while.
func pause(t *testing.T, d time.Duration) {
	t.Helper()
	select {
	case <-t.Context().Done():
		t.Fatal(t.Context().Err())
	case <-time.After(d):
	}
}

// soon reports whether a condition holds within recoveryTimeout.
func soon(t *testing.T, holds func() bool) bool {
	t.Helper()
	for deadline := time.Now().Add(recoveryTimeout); time.Now().Before(deadline); pause(t, pollEvery) {
		if holds() {
			return true
		}
	}
	return false
}
