package postgres

import (
	"math/bits"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/records/internal/record"
)

// stretchBits is how many significant binary digits of a finish time tell its
// stretch: the times of a stretch differ by less than one part in 64, and there
// are 64 stretches from any time to its double, for a map of seconds as for one
// of an hour.
//
// The table stretches counts the rows of a leaderboard in each, and the table
// frames those of each finish time, of which there are 30 in a second. A rank is
// the sum of the stretches before a run, of the frames before it in its own, and
// its place within its frame; a page far down begins at the frame that holds it.
// With a million players, whose times spread over a factor of four or so, there
// are some hundred stretches of some dozen frames of some hundred rows: a few
// hundred rows are looked at, where counting takes a million. A count changes only
// under its map's lock, which every change of the map's totals takes anyway, so
// that it costs no further waiting.
//
// Whoever changes the number counts all stretches anew.
const stretchBits = 7

// nearOffset is up to where a page is reached by walking from the first row,
// which costs less than the sum.
const nearOffset = 1000

// stretchOf returns the shortest time of the stretch of a finish time.
func stretchOf(finishTime int) int {
	shift := max(0, bits.Len(uint(finishTime))-stretchBits)
	return finishTime >> shift << shift
}

// Each of these changes counts of different maps by one.
const (
	leaveFramesSQL = `
		update frames f set players = f.players - 1
		from unnest($1::uuid[], $2::int[]) as row (map_id, finish_time)
		where f.map_id = row.map_id and f.finish_time = row.finish_time`
	enterFramesSQL = `
		insert into frames (map_id, finish_time, players)
		select map_id, finish_time, 1 from unnest($1::uuid[], $2::int[]) as row (map_id, finish_time)
		on conflict (map_id, finish_time) do update set players = frames.players + 1`
	leaveStretchesSQL = `
		update stretches s set players = s.players - 1
		from unnest($1::uuid[], $2::int[]) as row (map_id, start)
		where s.map_id = row.map_id and s.start = row.start`
	enterStretchesSQL = `
		insert into stretches (map_id, start, players)
		select map_id, start, 1 from unnest($1::uuid[], $2::int[]) as row (map_id, start)
		on conflict (map_id, start) do update set players = stretches.players + 1`
)

// moveCounts queues that rows of different maps come, go or change.
func moveCounts(batch *pgx.Batch, rows []row) {
	var leaveFrames, enterFrames, leaveStretches, enterStretches places
	for _, r := range rows {
		from, to := r.best, r.now
		if from != nil && to != nil && from.FinishTime == to.FinishTime {
			continue
		}
		stays := from != nil && to != nil && stretchOf(from.FinishTime) == stretchOf(to.FinishTime)
		if from != nil {
			leaveFrames.add(r.mapID, from.FinishTime)
			if !stays {
				leaveStretches.add(r.mapID, stretchOf(from.FinishTime))
			}
		}
		if to != nil {
			enterFrames.add(r.mapID, to.FinishTime)
			if !stays {
				enterStretches.add(r.mapID, stretchOf(to.FinishTime))
			}
		}
	}
	leaveFrames.queue(batch, leaveFramesSQL)
	enterFrames.queue(batch, enterFramesSQL)
	leaveStretches.queue(batch, leaveStretchesSQL)
	enterStretches.queue(batch, enterStretchesSQL)
}

// places are finish times of maps, or the beginnings of stretches.
type places struct {
	maps  []string
	times []int
}

func (p *places) add(mapID string, time int) {
	p.maps, p.times = append(p.maps, mapID), append(p.times, time)
}

func (p *places) queue(batch *pgx.Batch, sql string) {
	if len(p.maps) > 0 {
		batch.Queue(sql, p.maps, p.times)
	}
}

// rankSQL counts the rows of a leaderboard up to and including a run.
const rankSQL = `
	select 1
		+ coalesce((select sum(players) from stretches where map_id = @map and start < @start), 0)
		+ coalesce((select sum(players) from frames where map_id = @map and finish_time >= @start and finish_time < @time), 0)
		+ (select count(*) from bests
			where map_id = @map and finish_time = @time and (finish_stamp, run_id) < (@stamp, @run::uuid))`

func rankArgs(r record.Run) pgx.NamedArgs {
	return pgx.NamedArgs{
		"map": r.MapID, "start": stretchOf(r.FinishTime),
		"time": r.FinishTime, "stamp": r.FinishTimeStamp, "run": r.ID,
	}
}
