package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/platform/groupcommit"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/telemetry"
	"capzone.dev/services/records/internal/record"
)

// mostAtOnce is how many runs one transaction adds.
const mostAtOnce = 64

// addition is a run that is being added, and what it finds.
type addition struct {
	record.Addition
	// pending is the upload of its replay.
	pending []objectstore.Upload
	// headers tell what has caused its events.
	headers map[string][]string

	board
	// rank is the one that the run would have; what it may replace comes after it.
	rank int64
	// standing is what came of it.
	standing record.Standing
}

// stored is how object storage says what a transaction is to claim.
type stored interface {
	Pending() []objectstore.Upload
}

func newAddition(ctx context.Context, a record.Addition) (*addition, error) {
	replay, ok := a.Replay.(stored)
	if !ok {
		return nil, fmt.Errorf("replay %s: a %T cannot be claimed", a.Replay.Key(), a.Replay)
	}
	return &addition{
		Addition: a, pending: replay.Pending(), headers: telemetry.Headers(ctx),
		board: boardOf(a.Run.MapID, a.Run.PlayerID),
	}, nil
}

// newAdditions has runs of different players on different maps that come at once
// added by one transaction: under load, what a transaction costs is most of what a
// run does.
func newAdditions(s *Records) *groupcommit.Group[*addition, record.Standing] {
	return groupcommit.New(groupcommit.Options[*addition, record.Standing]{
		Max:  mostAtOnce,
		Keys: func(a *addition) []string { return []string{a.Run.MapID, a.Run.PlayerID} },
		Do:   s.addTogether,
	})
}

// errAlone says that a run has to be added by a transaction of its own.
var errAlone = errors.New("postgres: one of the runs is not like the others")

// Add implements record.Runs. The unique constraints of runs decide between
// twins that come at once.
func (s *Records) Add(ctx context.Context, in record.Addition) (record.Standing, error) {
	a, err := newAddition(ctx, in)
	if err != nil {
		return record.Standing{}, err
	}
	standing, err := record.Standing{}, errAlone
	if in.Delivery == (record.Delivery{}) {
		standing, err = s.additions.Do(ctx, a)
	}
	if errors.Is(err, errAlone) {
		standing, err = s.addAlone(ctx, a)
	}
	if postgres.Violates(err, "runs_replay") || postgres.Violates(err, "runs_moment") {
		twin, err := s.Twin(ctx, in.Run)
		if err != nil {
			return record.Standing{}, err
		}
		return record.Standing{}, in.Run.AgainstTwin(twin)
	}
	return standing, err
}

// addTogether adds all runs or none. It does not wait for the totals of a map or a
// player. Where one of several runs is to be refused, or totals are new or locked,
// the error is errAlone.
func (s *Records) addTogether(ctx context.Context, all []*addition) ([]record.Standing, error) {
	err := postgres.InTwoTrips(ctx, s.pool, enterTogether(all), func() (*pgx.Batch, error) {
		for _, a := range all {
			if a.ofMap.Version == 0 || a.ofPlayer.Version == 0 {
				return nil, errAlone
			}
			if err := a.refused(); err != nil {
				return nil, err
			}
		}
		return keep(all)
	})
	if err != nil {
		if len(all) > 1 && ofOne(err) {
			return nil, errAlone
		}
		return nil, fmt.Errorf("add %d runs: %w", len(all), err)
	}
	standings := make([]record.Standing, len(all))
	for i, a := range all {
		standings[i] = a.standing
	}
	return standings, nil
}

// addAlone waits for the locks of the run's map and player.
func (s *Records) addAlone(ctx context.Context, a *addition) (record.Standing, error) {
	a.board = boardOf(a.Run.MapID, a.Run.PlayerID) // without what a transaction found that was given up
	err := postgres.InTwoTrips(ctx, s.pool, enterAlone(a), func() (*pgx.Batch, error) {
		if err := a.refused(); err != nil {
			return nil, err
		}
		return keep([]*addition{a})
	})
	if err != nil {
		return record.Standing{}, fmt.Errorf("add a run to map %s: %w", a.Run.MapID, err)
	}
	return a.standing, nil
}

// refused returns why a run that has entered is not kept.
func (a *addition) refused() error {
	switch {
	case a.removed:
		return record.ErrMapRemoved
	case a.merged:
		return record.ErrPlayerMerged
	}
	return nil
}

// ofOne tells whether an error speaks against one run, and not against all that
// are added with it.
func ofOne(err error) bool {
	const integrityViolation = "23"
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return said.Code[:2] == integrityViolation
	}
	for _, refusal := range []error{record.ErrMapRemoved, record.ErrPlayerMerged, objectstore.ErrUploadExpired} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}

// column returns a value of each, for a statement on all at once.
func column[T, V any](all []T, value func(T) V) []V {
	values := make([]V, len(all))
	for i, one := range all {
		values[i] = value(one)
	}
	return values
}
