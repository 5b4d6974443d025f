package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
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

// news is what a change of totals has to tell.
type news struct {
	ofMap    event.MapStats
	ofPlayer event.PlayerStats
}

// countRun queues that the map has a run more or less (change) and so many
// players more or less, and that the player and the site have the run more or
// less. The new totals are in n when the batch is done.
func (n *news) countRun(batch *pgx.Batch, mapID, playerID string, change, players int) {
	n.ofMap.MapID, n.ofPlayer.PlayerID = mapID, playerID
	batch.Queue(`
		update map_totals set version = version + 1, runs = runs + @change, players = players + @players
		where map_id = @map
		returning version, runs`,
		pgx.NamedArgs{"map": mapID, "change": change, "players": players}).
		QueryRow(func(row pgx.Row) error { return row.Scan(&n.ofMap.Version, &n.ofMap.Records) })
	batch.Queue(`insert into player_totals (player_id, version, runs) values ($1, 0, 0) on conflict do nothing`, playerID)
	batch.Queue(`
		update player_totals set version = version + 1, runs = runs + @change
		where player_id = @player
		returning version, runs`,
		pgx.NamedArgs{"player": playerID, "change": change}).
		QueryRow(func(row pgx.Row) error { return row.Scan(&n.ofPlayer.Version, &n.ofPlayer.Records) })
	countSite(batch, totalRuns, int64(change))
}

// tell writes the news to the outbox.
func (n *news) tell(ctx context.Context, tx pgx.Tx) error {
	if err := outbox.AppendState(ctx, tx, n.ofMap); err != nil {
		return err
	}
	return outbox.AppendState(ctx, tx, n.ofPlayer)
}
