package leaderboard

import (
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/services/records/internal/record"
)

func TestNewHistory(t *testing.T) {
	t.Parallel()
	// day returns the start of a day of January.
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	days := func(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }
	by := func(player string, finishTime, since int) WorldRecord {
		return WorldRecord{ID: player, Player: record.Player{ID: player}, FinishTime: finishTime, Since: day(since)}
	}
	step := func(player string, finishTime, from, until int) HistoryStep {
		s := HistoryStep{WorldRecord: by(player, finishTime, from)}
		if until > 0 {
			s.Until = day(until)
		}
		return s
	}
	for _, tt := range []struct {
		name         string
		worldRecords []WorldRecord
		want         History
	}{
		{"without a record", nil, History{}},
		{"the first record", []WorldRecord{by("a", 900, 1)}, History{
			Steps:   []HistoryStep{step("a", 900, 1, 0)},
			Holders: []Holder{{Player: record.Player{ID: "a"}, Reigns: 1, Current: true}},
			Total:   1,
		}},
		{"the same player improves", []WorldRecord{by("a", 900, 1), by("a", 867, 3)}, History{
			Steps:   []HistoryStep{step("a", 900, 1, 3), step("a", 867, 3, 0)},
			Holders: []Holder{{Player: record.Player{ID: "a"}, Reigns: 1, HeldFor: days(2), Current: true}},
			Total:   2,
		}},
		{"a player takes it back", []WorldRecord{by("a", 900, 1), by("b", 867, 3), by("a", 833, 8), by("c", 800, 9)}, History{
			Steps: []HistoryStep{step("a", 900, 1, 3), step("b", 867, 3, 8), step("a", 833, 8, 9), step("c", 800, 9, 0)},
			Holders: []Holder{
				{Player: record.Player{ID: "c"}, Reigns: 1, Current: true},
				{Player: record.Player{ID: "b"}, Reigns: 1, HeldFor: days(5)},
				{Player: record.Player{ID: "a"}, Reigns: 2, HeldFor: days(3)},
			},
			Total: 4,
		}},
		{"equally long holders in the order of their first record",
			[]WorldRecord{by("b", 900, 1), by("a", 867, 2), by("c", 833, 3)}, History{
				Steps: []HistoryStep{step("b", 900, 1, 2), step("a", 867, 2, 3), step("c", 833, 3, 0)},
				Holders: []Holder{
					{Player: record.Player{ID: "c"}, Reigns: 1, Current: true},
					{Player: record.Player{ID: "b"}, Reigns: 1, HeldFor: days(1)},
					{Player: record.Player{ID: "a"}, Reigns: 1, HeldFor: days(1)},
				},
				Total: 3,
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, "history", tt.want, NewHistory(tt.worldRecords))
		})
	}
}

func TestNewHistory_limits(t *testing.T) {
	t.Parallel()
	var worldRecords []WorldRecord
	for i := range maxSteps + 200 {
		worldRecords = append(worldRecords, WorldRecord{
			Player: record.Player{ID: string(rune('a' + i%150))}, FinishTime: 100_000 - i, Since: time.UnixMilli(int64(i)),
		})
	}
	h := NewHistory(worldRecords)
	if len(h.Steps) != maxSteps || h.Steps[0].FinishTime != 100_000-200 || h.Total != maxSteps+200 {
		t.Errorf("%d of %d steps from %d on", len(h.Steps), h.Total, h.Steps[0].FinishTime)
	}
	last := worldRecords[len(worldRecords)-1]
	if len(h.Holders) != maxHolders || h.Holders[0].Player.ID != last.Player.ID {
		t.Errorf("%d holders, the first is %+v", len(h.Holders), h.Holders[0])
	}
}
