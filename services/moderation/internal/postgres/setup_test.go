package postgres_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
	"capzone.dev/services/moderation/internal/postgres"
	"capzone.dev/services/moderation/migrations"
)

// The players, maps and records of the tests.
var (
	anna, ben, cloe, mod, emil = id(1), id(2), id(3), id(4), id(5)
	forest                     = id(101)
)

// id returns the UUID with a number.
func id(n int) string { return fmt.Sprintf("0198c2f4-0000-7000-8000-%012d", n) }

// minute returns the time n minutes after the beginning of the tests.
func minute(n int) time.Time { return time.Date(2026, 3, 1, 0, n, 0, 0, time.UTC) }

type fixture struct {
	*postgres.Store
	t    *testing.T
	pool *platform.Pool
	made int
}

// setup returns a database with the copies of five players.
func setup(t *testing.T) *fixture {
	t.Helper()
	pool := pgtest.Open(t, "moderation", migrations.FS)
	f := &fixture{Store: postgres.NewStore(pool), t: t, pool: pool, made: 1000}
	for i, name := range []string{"Anna", "Ben", "Cloe", "Mod", "Emil"} {
		f.apply(moderation.Player{ID: id(i + 1), Version: 1, Name: name})
	}
	return f
}

func (f *fixture) apply(p moderation.Player) {
	f.t.Helper()
	require.NoError(f.t, f.ApplyPlayer(f.t.Context(), p))
}

// merge applies the tombstone of a merged player.
func (f *fixture) merge(from, into string) {
	f.t.Helper()
	f.apply(moderation.Player{ID: from, Version: 2, Removed: true, MergedInto: into})
}

// newID returns an id that nothing has.
func (f *fixture) newID() string {
	f.made++
	return id(f.made)
}

func record(n int, player string) moderation.Subject {
	return moderation.Subject{
		Kind: moderation.OfRecord, ID: id(200 + n), PlayerID: player, MapID: forest, FinishTime: 40_000,
	}
}

func player(playerID string) moderation.Subject {
	return moderation.Subject{Kind: moderation.OfPlayer, ID: playerID, PlayerID: playerID}
}

func by(playerID string) access.Attribution {
	return access.Attribution{Actor: access.Player(playerID, "", nil)}
}

func (f *fixture) tryReport(reporter string, about moderation.Subject, at time.Time) (moderation.Report, error) {
	return f.AddReport(f.t.Context(), by(reporter), about, moderation.Report{
		ID: f.newID(), CaseID: f.newID(), Reason: access.Other, Text: "It is strange.", At: at,
	})
}

// report adds a report and returns the id of its case.
func (f *fixture) report(reporter string, about moderation.Subject, at time.Time) string {
	f.t.Helper()
	r, err := f.tryReport(reporter, about, at)
	require.NoError(f.t, err)
	return r.CaseID
}

// decision returns a decision at a minute, which is not stored.
func (f *fixture) decision(
	kind moderation.DecisionKind, about moderation.Subject, caseID, player string, at int,
) moderation.Decision {
	return moderation.Decision{
		ID: f.newID(), Kind: kind, Subject: about, ByID: player, PublicReason: access.Other, Text: "It is so.",
		CaseID: caseID, At: minute(at),
	}
}

// tryDecide decides about a thing to which the decision applies.
func (f *fixture) tryDecide(d moderation.Decision) (moderation.Decision, error) {
	return f.Decide(f.t.Context(), newDecision(d))
}

// newDecision returns a decision about a thing to which it applies.
func newDecision(d moderation.Decision) moderation.NewDecision {
	return moderation.NewDecision{Decision: d, By: by(d.ByID), Thing: thingFor(d)}
}

// thingFor returns the thing that a decision is about, in a state in which the decision applies.
func thingFor(d moderation.Decision) moderation.Thing {
	p := moderation.Player{ID: d.Subject.PlayerID, Banned: d.Kind == moderation.Unban}
	thing := moderation.Thing{Subject: d.Subject, Player: &p}
	if d.Subject.Kind == moderation.OfRecord {
		thing.Record = &event.InspectedRecord{Removed: d.Kind == moderation.RestoreRecord}
	}
	return thing
}

// decide claims a case and decides it.
func (f *fixture) decide(caseID string, kind moderation.DecisionKind, about moderation.Subject, at time.Time,
) moderation.Decision {
	f.t.Helper()
	_, err := f.Claim(f.t.Context(), by(mod), caseID, false, "", at)
	require.NoError(f.t, err)
	d := f.decision(kind, about, caseID, mod, 0)
	d.At = at
	d, err = f.tryDecide(d)
	require.NoError(f.t, err)
	return d
}

// warn has a report about something lead to a warning.
func (f *fixture) warn(reporter string, about moderation.Subject, at int) moderation.Decision {
	f.t.Helper()
	return f.decide(f.report(reporter, about, minute(at)), moderation.Warn, about, minute(at+1))
}

// appeal has Anna appeal against a decision, and returns the id of the appeal.
func (f *fixture) appeal(decisionID string, at int) string {
	f.t.Helper()
	a, err := f.AddAppeal(f.t.Context(), by(anna), f.newAppeal(decisionID, at))
	require.NoError(f.t, err)
	return a.ID
}

// newAppeal returns an appeal at a minute, which is not stored.
func (f *fixture) newAppeal(decisionID string, at int) moderation.Appeal {
	return moderation.Appeal{
		ID: f.newID(), DecisionID: decisionID, PlayerID: anna, State: moderation.AppealOpen, WaitingSince: minute(at),
		Messages: []moderation.AppealMessage{{ID: f.newID(), Text: "I have a video.", At: minute(at)}},
	}
}

// atOnce calls a function with each of n numbers concurrently, and returns the errors.
func atOnce(n int, do func(i int) error) []error {
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = do(i) })
	}
	group.Wait()
	return errs
}

// texts returns the texts of a query.
func (f *fixture) texts(sql string) (texts []string) {
	f.t.Helper()
	type row struct{ Text string }
	for _, r := range pgtest.Rows[row](f.t, f.pool, sql) {
		texts = append(texts, r.Text)
	}
	return texts
}
