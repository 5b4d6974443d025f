package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/leaderboard"
)

const (
	siteTotalSQL   = `select coalesce(sum(records), 0) from map_totals`
	playerTotalSQL = `select coalesce((select records from player_totals where player_id = @player), 0)`
)

// List implements leaderboard.Queries. The page and the total are read in one round trip.
func (s *Store) List(ctx context.Context, q leaderboard.List) (leaderboard.RankedList, error) {
	totalSQL := siteTotalSQL
	if q.PlayerID != "" {
		totalSQL = playerTotalSQL
	}
	var list leaderboard.RankedList
	args := pgx.NamedArgs{"player": q.PlayerID, "limit": q.Limit + 1, "offset": q.Offset}
	if q.After != nil {
		args["at"], args["time"], args["record"] = q.After.At, q.After.FinishTime, q.After.ID
	}
	batch := &pgx.Batch{}
	postgres.QueueRow(batch, totalSQL, args, &list.Total)
	postgres.QueueRows(batch, &list.Records, scanRanked, listSQL(q.PlayerID != "", q.After != nil, q.Sort), args)
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return leaderboard.RankedList{}, fmt.Errorf("list records: %w", err)
	}
	list.Records, list.HasNext = cut(list.Records, q.Limit)
	return list, nil
}

// listOrder is an order of lists. Each has an index for all records and one for the records of a player.
type listOrder struct {
	// after is the condition of the records that come after a position, and orderBy the order.
	after, orderBy string
}

var listOrders = map[leaderboard.Sort]listOrder{
	{By: leaderboard.ByUpdated}: {
		` and (created_at, id) > (@at, @record)`, ` order by created_at, id`},
	{By: leaderboard.ByUpdated, Descending: true}: {
		` and (created_at, id) < (@at, @record)`, ` order by created_at desc, id desc`},
	{By: leaderboard.ByTime}: {
		` and (finish_time, finished_at, id) > (@time, @at, @record)`, ` order by finish_time, finished_at, id`},
	{By: leaderboard.ByTime, Descending: true}: {
		` and (finish_time, finished_at, id) < (@time, @at, @record)`, ` order by finish_time desc, finished_at desc, id desc`},
}

// listSQL returns the statement of a list, from the beginning or after a position. Removed maps and hidden players are
// few: the planner reads them once, while it scans the index of the order.
func listSQL(ofPlayer, after bool, sort leaderboard.Sort) string {
	order, filter := listOrders[sort], ``
	if ofPlayer {
		filter = ` and player_id = @player`
	}
	if after {
		filter += order.after
	}
	return `with page as materialized (
		select id from records r
		where ` + isActive + filter + order.orderBy + `
		limit @limit offset @offset
	) select ` + rankedColumns + ` from page join records r on r.id = page.id ` + rankedJoins + order.orderBy
}
