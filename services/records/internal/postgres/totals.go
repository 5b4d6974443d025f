package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/outbox"
	"capzone.dev/services/records/internal/record"
)

// siteTotal names one of the totals of the whole site.
type siteTotal string

const (
	totalMaps    siteTotal = "maps"
	totalPlayers siteTotal = "players"
	totalRuns    siteTotal = "runs"
)

// shards is in how many rows each total of the site is kept. Whoever submits
// changes one of them, so that strangers rarely wait for each other.
const shards = 16

// countSite queues that a total of the site changes.
func countSite(batch *pgx.Batch, total siteTotal, change int64) {
	if change == 0 {
		return
	}
	batch.Queue(`
		insert into site_totals (total, shard, count) values (@total, @shard, @change)
		on conflict (total, shard) do update set count = site_totals.count + excluded.count`,
		pgx.NamedArgs{"total": total, "shard": rand.IntN(shards), "change": change})
}

// Stats implements record.Totals.
func (s *Records) Stats(ctx context.Context) (record.Stats, error) {
	var stats record.Stats
	err := s.pool.QueryRow(ctx, `
		select coalesce(sum(count) filter (where total = 'maps'), 0),
		       coalesce(sum(count) filter (where total = 'players'), 0),
		       coalesce(sum(count) filter (where total = 'runs'), 0)
		from site_totals`).Scan(&stats.Maps, &stats.Players, &stats.Records)
	if err != nil {
		return record.Stats{}, fmt.Errorf("totals of the site: %w", err)
	}
	return stats, nil
}

// countRun queues that the map has a run more or less (change) and so many
// players more or less, that the player and the site have the run more or less,
// and the news of it.
func (b *board) countRun(ctx context.Context, batch *pgx.Batch, change, players int) error {
	b.ofMap.Version++
	b.ofMap.Records += int64(change)
	batch.Queue(`update map_totals set version = @version, runs = @runs, players = players + @players where map_id = @map`,
		pgx.NamedArgs{"map": b.mapID, "version": b.ofMap.Version, "runs": b.ofMap.Records, "players": players})
	countSite(batch, totalRuns, int64(change))
	return errors.Join(outbox.Queue(ctx, batch, b.ofMap), b.countPlayer(ctx, batch, change))
}

// countPlayer queues that the player has runs more or less, and the news of it.
func (b *board) countPlayer(ctx context.Context, batch *pgx.Batch, change int) error {
	b.ofPlayer.Version++
	b.ofPlayer.Records += int64(change)
	batch.Queue(`update player_totals set version = @version, runs = @runs where player_id = @player`,
		pgx.NamedArgs{"player": b.ofPlayer.PlayerID, "version": b.ofPlayer.Version, "runs": b.ofPlayer.Records})
	return outbox.Queue(ctx, batch, b.ofPlayer)
}
