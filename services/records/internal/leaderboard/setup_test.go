package leaderboard_test

import (
	"context"

	"capzone.dev/platform/lookup"
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

// bundle is a reader with copies and owners in memory, which answers with a list.
type bundle struct {
	leaderboard.Queries
	reader  *leaderboard.Reader
	copies  *recordtest.Copies
	owners  *recordtest.Owners
	list    leaderboard.RankedList
	deepest int // offset
}

// setup knows a map.
func setup() *bundle {
	b := &bundle{copies: recordtest.NewCopies(), owners: &recordtest.Owners{Copies: *recordtest.NewCopies()}}
	b.copies.Maps[skylineID] = recordtest.Copy(skylineID, recordtest.Map(1_001, "Skyline Run", 600))
	b.reader = &leaderboard.Reader{
		Queries: b, Maps: record.NewMaps(b.copies, b.owners), Players: lookup.NewPlayers(b.copies, b.owners.Player),
	}
	return b
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
