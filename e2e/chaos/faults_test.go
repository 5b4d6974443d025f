package chaos

import (
	"context"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"capzone.dev/devstack/realservers"
	"capzone.dev/e2e/outside"
	"capzone.dev/e2e/stack"
)

// fault is something that goes wrong.
type fault struct {
	name string
	// breaks something. What it returns mends it; nil where nothing has to be done.
	breaks func(ctx context.Context) (mend func(context.Context) error, err error)
	// lasts is how long it stays broken.
	lasts time.Duration
	// realOnly is for what the embedded servers cannot have.
	realOnly bool
	// served is what goes on meanwhile.
	served shares
	// refused must have been refused, which shows that something was broken.
	refused []class
	// mayFail are classes whose requests may get no answer at all, or none in the envelope.
	mayFail []class
}

const (
	calm      = time.Second      // before and after
	away      = 4 * time.Second  // how long a server is away
	deadFor   = 3 * time.Second  // killed processes come back by themselves
	healedIn  = 30 * time.Second // at most, after it is mended
	inARow    = 2                // requests of each class served then
	pollEvery = 20 * time.Millisecond
)

// faults, and who notices them. What is not in served may be refused for as long as it lasts, with 503 and the time
// to come again.
var faults = []fault{
	{name: "one of three replicas of records is killed", breaks: kill("records.2"), lasts: deadFor,
		served: with(all(runs), runs, 0.9)},
	{name: "one of two bots is killed", breaks: kill("bot.1"), lasts: deadFor,
		served: all(logins), mayFail: []class{logins}},
	{name: "auth is killed", breaks: kill("auth.1", "auth.2"), lasts: deadFor,
		served: all(logins, refreshes)},
	{name: "maps is killed", breaks: kill("maps.1", "maps.2"), lasts: deadFor,
		served: all(mapPages, files, newMaps)},
	{name: "records is killed", breaks: kill("records.1", "records.2", "records.3"), lasts: deadFor,
		served: all(recordPages, files, runs), refused: []class{runs}},
	{name: "players is killed", breaks: kill("players.1", "players.2"), lasts: deadFor,
		served: all(playerPages, newMaps, logins, runs)},
	{name: "all bots are killed", breaks: kill("bot.1", "bot.2"), lasts: deadFor,
		served: all(logins), mayFail: []class{logins}},
	{name: "the gateway is killed", breaks: kill("gateway"), lasts: deadFor,
		mayFail: classes},
	{name: "PostgreSQL is stopped", breaks: without(func() *outside.Server { return parts.Postgres },
		(*outside.Server).Stop), lasts: away,
		refused: []class{runs, newMaps, logins, refreshes}},
	{name: "PostgreSQL is killed", breaks: without(func() *outside.Server { return parts.Postgres },
		(*outside.Server).Kill), lasts: away,
		refused: []class{runs, newMaps, logins, refreshes}},
	{name: "NATS is stopped", breaks: without(func() *outside.Server { return parts.NATS }, (*outside.Server).Stop),
		lasts:  away,
		served: all(logins, newMaps), refused: []class{logins}},
	{name: "Redis is stopped", breaks: without(func() *outside.Server { return parts.Redis }, (*outside.Server).Stop),
		lasts:  away,
		served: all(logins, refreshes), refused: []class{logins, refreshes}},
	{name: "the object storage is stopped",
		breaks: without(func() *outside.Server { return parts.S3 }, (*outside.Server).Stop), lasts: away,
		served: all(files, runs, newMaps), refused: []class{runs, newMaps}},
	{name: "the object storage is full", breaks: full, lasts: away,
		served: all(runs, newMaps), refused: []class{runs, newMaps}},
	{name: "the quota of the object storage is used up", breaks: overQuota, lasts: away, realOnly: true,
		served: all(runs, newMaps), refused: []class{runs, newMaps}},
}

func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			if f.realOnly && !realservers.Wanted() {
				t.Skip("TEST_SERVERS=real brings the server that can have this fault")
			}
			l := begin(t)
			// As it is at the beginning, nothing is refused.
			awaitHealed(t, l, time.Now())
			l.tally.reset()

			began := time.Now()
			mend, err := f.breaks(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			pause(t, f.lasts-time.Since(began))
			mended := time.Now()
			if mend != nil {
				if err := mend(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			awaitHealed(t, l, mended)
			pause(t, calm)
			l.end()
			if mend == nil {
				mended = began // nothing was done
			}
			t.Logf("everything was served again %.1f s after it was mended; served: %s", l.tally.until(mended).Seconds(),
				l.tally)
			l.tally.check(t, f.served, f.refused, f.mayFail)
			verify(t)
		})
	}
}

// awaitHealed waits until everything works again.
func awaitHealed(t *testing.T, l *load, from time.Time) {
	t.Helper()
	l.tally.mark()
	for !l.tally.healed(inARow) {
		if time.Since(from) > healedIn {
			t.Fatalf("%s later it is not healed: %s", healedIn, l.tally.ailing(inARow))
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
			return nil, fmt.Errorf("%d of %v are there", killed, names)
		}
		return nil, nil
	}
}

// without takes a server away, in one of its ways to go.
func without(of func() *outside.Server, end func(*outside.Server,
	context.Context) error) func(context.Context) (func(context.Context) error, error) {
	return func(ctx context.Context) (func(context.Context) error, error) {
		return of().Start, end(of(), ctx)
	}
}

// full lets the object storage's process write not another byte, as where its disk is full.
func full(context.Context) (func(context.Context) error, error) {
	return func(context.Context) error { return limitFiles(parts.S3.PID(), unlimited) }, limitFiles(parts.S3.PID(), 0)
}

func with(s shares, c class, share float64) shares {
	s[c] = share
	return s
}

// pause lets the load go on for a while; what is waited for is time itself.
func pause(t *testing.T, d time.Duration) {
	t.Helper()
	select {
	case <-t.Context().Done():
		t.Fatal(t.Context().Err())
	case <-time.After(d):
	}
}

// soon reports whether a condition comes to hold.
func soon(t *testing.T, holds func() bool) bool {
	t.Helper()
	for deadline := time.Now().Add(healedIn); time.Now().Before(deadline); pause(t, pollEvery) {
		if holds() {
			return true
		}
	}
	return false
}
