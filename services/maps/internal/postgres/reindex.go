package postgres

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/searchkey"
	"capzone.dev/services/maps/internal/parkourmap"
)

const reindexBatch = 500

// Reindex makes everything that is derived from maps and copies again: search
// keys, facets, their totals, and which maps are sorted by their records. It is
// for copies that were lost, and for a release that changed what searchkey makes
// of a name.
func (s *Store) Reindex(ctx context.Context) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		// However many maps there are, they may be indexed for as long as it takes.
		batch.Queue("set local statement_timeout = 0")
		// Nothing is made, changed or locked meanwhile; reading goes on. Players come first, as wherever their names change.
		batch.Queue("lock table players, maps, map_stats in exclusive mode")
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("reindex maps: %w", err)
		}
		if err := refreshFacets(ctx, tx); err != nil {
			return err
		}
		batch = &pgx.Batch{}
		batch.Queue("delete from search_totals")
		batch.Queue(`
			insert into search_totals (facet, maps)
			select facet, count(*) from maps cross join unnest(facets) as facet group by facet`)
		batch.Queue(`
			insert into map_stats as s (map_id, listed) select id, true from maps where removed_at is null
			on conflict (map_id) do update set listed = true where not s.listed`)
		batch.Queue(`
			update map_stats s set listed = false
			where listed and not exists (select from maps m where m.id = s.map_id and m.removed_at is null)`)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("recount facets: %w", err)
		}
		return nil
	})
}

// refreshFacets stores the facets that are not what they would be made today.
func refreshFacets(ctx context.Context, tx pgx.Tx) error {
	const mapsSQL = `
		select m.id, m.name, m.game_mode, m.author_id, m.tags, coalesce(p.name, '') as author
		from maps m left join players p on p.id = m.author_id
		where m.id > $1 and m.removed_at is null order by m.id limit $2`
	const updateSQL = `
		update maps set search_key = @key, author_key = @author, facets = @facets
		where id = @id and (search_key, author_key, facets) is distinct from (@key, @author, @facets::text[])`
	type source struct {
		ID, Name, GameMode, AuthorID string
		Tags                         []string
		Author                       string
	}
	for after := uuid.Nil.String(); ; {
		rows, err := tx.Query(ctx, mapsSQL, after, reindexBatch)
		if err != nil {
			return fmt.Errorf("read maps: %w", err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByName[source])
		if err != nil {
			return fmt.Errorf("read maps: %w", err)
		}
		if len(found) == 0 {
			return nil
		}
		after = found[len(found)-1].ID
		batch := &pgx.Batch{}
		for _, m := range found {
			mode, _ := bonkmap.ModeNamed(m.GameMode)
			key, author := searchkey.Key(m.Name), searchkey.Key(m.Author)
			facets := facetsOf(parkourmap.Map{Mode: mode, AuthorID: m.AuthorID, Tags: m.Tags}, key, author)
			batch.Queue(updateSQL, pgx.NamedArgs{"id": m.ID, "key": key, "author": author, "facets": facets})
		}
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("store facets: %w", err)
		}
	}
}
