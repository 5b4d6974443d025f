package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/points"
)

const (
	countedPlayersSQL = `
		select o.player_id, coalesce(p.registered, false), coalesce(p.banned, false), coalesce(p.removed, false),
			b.maps, b.authors, coalesce(c.counts, false)
		from unnest(@players::uuid[]) as o (player_id)
			left join players p on p.id = o.player_id
			left join points_players c on c.player_id = o.player_id
			cross join lateral (
				select count(*) as maps, count(distinct m.author_id) as authors
				from personal_bests b join maps m on m.id = b.map_id and m.gives_points
				where b.player_id = o.player_id
			) b`
	writePlayersSQL = `
		merge into points_players p
		using unnest(@players::uuid[], @maps::integer[], @authors::integer[], @counts::boolean[])
			as c (player_id, maps, authors, counts)
		on p.player_id = c.player_id
		when matched and c.maps = 0 then delete
		when matched and (p.maps, p.authors, p.counts) <> (c.maps, c.authors, c.counts) then
			update set maps = c.maps, authors = c.authors, counts = c.counts
		when not matched and c.maps > 0 then
			insert (player_id, maps, authors, counts) values (c.player_id, c.maps, c.authors, c.counts)`
)

// countedPlayer is a player with whether the player counts.
type countedPlayer struct {
	ID string
	points.Player

	Counts bool
}

// countPlayers stores who counts of players, and returns those that begin or cease to.
func countPlayers(
	ctx context.Context, tx pgx.Tx, players []string, thresholds points.Thresholds,
) (turned []string, err error) {
	for ids := range slices.Chunk(players, pointsPlayersBatch) {
		counted, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[countedPlayer], countedPlayersSQL,
			pgx.NamedArgs{"players": ids})
		if err != nil {
			return nil, err
		}
		for i, p := range counted {
			counted[i].Counts = thresholds.Counts(p.Player)
			if counted[i].Counts != p.Counts {
				turned = append(turned, p.ID)
			}
		}
		_, err = tx.Exec(ctx, writePlayersSQL, pgx.NamedArgs{
			"players": postgres.Column(counted, func(p countedPlayer) string { return p.ID }),
			"maps":    postgres.Column(counted, func(p countedPlayer) int { return p.Maps }),
			"authors": postgres.Column(counted, func(p countedPlayer) int { return p.Authors }),
			"counts":  postgres.Column(counted, func(p countedPlayer) bool { return p.Counts }),
		})
		if err != nil {
			return nil, err
		}
	}
	return turned, nil
}
