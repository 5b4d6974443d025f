package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/platform/searchkey"
	"capzone.dev/services/players/internal/player"
)

// everyone is the gram that every player counts under.
const everyone = ""

// recountGrams counts the name of a newly registered player in search_totals, or
// of one who is no more. The grams come in their order, so that two registrations
// never wait for each other in a ring.
func recountGrams(ctx context.Context, tx pgx.Tx, before, after player.Player) error {
	change := 1
	switch {
	case before.Registered == after.Registered:
		return nil
	case before.Registered:
		change = -1
	}
	_, err := tx.Exec(ctx, `
		insert into search_totals (gram, players)
		select gram, @change from unnest(@grams::text[]) as grams (gram)
		on conflict (gram) do update set players = search_totals.players + excluded.players`,
		pgx.NamedArgs{"change": change, "grams": append([]string{everyone}, searchkey.Grams(searchkey.Key(after.Name))...)})
	if err != nil {
		return fmt.Errorf("count the grams of %q: %w", after.Name, err)
	}
	return nil
}

// Reindex makes search keys, grams and their totals again from the names, for a
// release that changed what searchkey makes of a name.
func (s *Players) Reindex(ctx context.Context) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(`set local statement_timeout = 0`)
		// Nobody registers meanwhile, nor locks a player; reading goes on.
		batch.Queue(`lock table players in exclusive mode`)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("reindex players: %w", err)
		}
		if err := refreshKeys(ctx, tx); err != nil {
			return err
		}
		batch = &pgx.Batch{}
		batch.Queue(`delete from search_totals`)
		batch.Queue(`
			insert into search_totals (gram, players)
			select gram, count(*) from players cross join unnest(grams || $1::text) as gram
			where registered group by gram`, everyone)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("recount grams: %w", err)
		}
		return nil
	})
}

// refreshKeys stores the keys that are not what they would be made today.
func refreshKeys(ctx context.Context, tx pgx.Tx) error {
	type stored struct{ ID, Name, SearchKey string }
	for after := firstID; ; {
		rows, err := tx.Query(ctx, `select id, name, search_key from players where id > $1 order by id limit $2`, after, batchSize)
		if err != nil {
			return fmt.Errorf("read names: %w", err)
		}
		players, err := pgx.CollectRows(rows, pgx.RowToStructByName[stored])
		if err != nil {
			return fmt.Errorf("read names: %w", err)
		}
		if len(players) == 0 {
			return nil
		}
		after = players[len(players)-1].ID
		batch := &pgx.Batch{}
		for _, p := range players {
			if key := searchkey.Key(p.Name); key != p.SearchKey {
				batch.Queue(`update players set search_key = $2, grams = $3 where id = $1`, p.ID, key, searchkey.Grams(key))
			}
		}
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("store search keys: %w", err)
		}
	}
}
