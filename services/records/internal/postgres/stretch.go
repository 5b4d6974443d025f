package postgres

import (
	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/record"
)

// stretchLength cuts the finish times of a leaderboard into stretches, in
// milliseconds. The table stretches counts the rows in each, so that a rank is
// the sum of the stretches before a run plus its place within its own, and a page
// far down begins at the stretch that holds it.
//
// With a million players on a map whose times spread over minutes, there are some
// hundred stretches of some thousand rows: both the sum and the walk within one
// stretch take about a millisecond. Counting the million takes a hundred. Shorter
// stretches would make the sum longer, longer ones the walk. A count changes only under its
// map's lock, which every change of the map's totals takes anyway, so that it
// costs no further waiting.
//
// Whoever changes the length counts all stretches anew.
const stretchLength = 500

// nearOffset is up to where a page is reached by walking from the first row,
// which needs no sum.
const nearOffset = 200

func stretchOf(finishTime int) int { return finishTime / stretchLength }

// moveStretch queues that a best run of the map comes, goes or changes; nil is none.
func moveStretch(batch *pgx.Batch, mapID string, from, to *record.Run) {
	if from != nil && to != nil && stretchOf(from.FinishTime) == stretchOf(to.FinishTime) {
		return
	}
	if from != nil {
		batch.Queue(`update stretches set players = players - 1 where map_id = @map and stretch = @stretch`,
			pgx.NamedArgs{"map": mapID, "stretch": stretchOf(from.FinishTime)})
	}
	if to != nil {
		batch.Queue(`
			insert into stretches (map_id, stretch, players) values (@map, @stretch, 1)
			on conflict (map_id, stretch) do update set players = stretches.players + 1`,
			pgx.NamedArgs{"map": mapID, "stretch": stretchOf(to.FinishTime)})
	}
}

// rankSQL counts the rows of a leaderboard up to and including a run.
const rankSQL = `
	select 1
		+ coalesce((select sum(players) from stretches where map_id = @map and stretch < @stretch), 0)
		+ (select count(*) from bests
			where map_id = @map and finish_time >= @from
			  and (finish_time, finish_stamp, run_id) < (@time, @stamp, @run::uuid))`

func rankArgs(r record.Run) pgx.NamedArgs {
	stretch := stretchOf(r.FinishTime)
	return pgx.NamedArgs{
		"map": r.MapID, "stretch": stretch, "from": stretch * stretchLength,
		"time": r.FinishTime, "stamp": r.FinishTimeStamp, "run": r.ID,
	}
}
