package leaderboard_test

import (
	"context"

	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/recordtest"
)

const (
	skylineID = "01970000-0000-7000-8000-00000000000a"
	gardenID  = "01970000-0000-7000-8000-00000000000b"
	annID     = "01970000-0000-7000-8000-000000000001"
	bobID     = "01970000-0000-7000-8000-000000000002"
	noID      = "01970000-0000-7000-8000-0000000000ff"
)

// bundle is a reader with the copies and the owner of maps in memory, which answers with a list.
type bundle struct {
	leaderboard.Queries
	reader  *leaderboard.Reader
	copies  copies
	owner   *owner
	list    leaderboard.RankedList
	deepest int // offset
}

// setup knows a map.
func setup() *bundle {
	b := &bundle{copies: copies{maps: map[string]record.Map{}}, owner: &owner{maps: map[string]record.Map{}}}
	b.copies.maps[skylineID] = recordtest.Copy(skylineID, recordtest.Map(1_001, "Skyline Run", 600))
	b.reader = &leaderboard.Reader{Queries: b, Maps: record.NewMaps(b.copies, b.owner)}
	return b
}

// copies are copies of maps.
type copies struct {
	record.MapCopies
	maps map[string]record.Map
}

func (c copies) Map(_ context.Context, id string) (record.Map, error) {
	if m, ok := c.maps[id]; ok {
		return m, nil
	}
	return record.Map{}, record.ErrMapUnknown
}

func (c copies) ApplyMap(_ context.Context, m record.Map) error {
	c.maps[m.ID] = m
	return nil
}

// owner has other maps than the copies. It counts the questions.
type owner struct {
	record.MapOwner
	maps   map[string]record.Map
	isAway bool
	asked  int
}

// errAway is the error of an owner who cannot be asked.
var errAway = problem.Unavailable("service_unavailable", "Away.")

func (o *owner) Map(ctx context.Context, id string) (record.Map, error) {
	o.asked++
	if o.isAway {
		return record.Map{}, errAway
	}
	return copies{maps: o.maps}.Map(ctx, id)
}

func (b *bundle) Leaderboard(ctx context.Context, l leaderboard.Leaderboard) (leaderboard.RankedList, error) {
	m, err := b.copies.Map(ctx, l.MapID)
	if err == nil && m.Removed {
		err = record.ErrMapRemoved
	}
	return b.list, err
}

func (b *bundle) List(_ context.Context, l leaderboard.List) (leaderboard.RankedList, error) {
	b.deepest = max(b.deepest, l.Offset)
	list := b.list
	list.Records = append(list.Records[:0:0], list.Records...)
	return list, nil
}

var firstPage = leaderboard.Page{Limit: 10}
