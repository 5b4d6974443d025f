package app

import (
	"context"
	"fmt"
	"io"
	"strings"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/internal/subscriber"
)

// Commands are the operators' subcommands. What they do is told on out. What
// they leave in the outbox is published by the running service.
func Commands(out io.Writer) []service.Command {
	return []service.Command{
		{
			Name: "remove", Args: "ID REASON", Summary: "take a run off the boards: the player's next-best takes its place, the replay stays",
			Run: func(ctx context.Context, args []string) error {
				if len(args) < 2 {
					return service.ErrUsage
				}
				return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
					return remove(ctx, out, pool, args[0], strings.Join(args[1:], " "))
				})
			},
		},
		service.Rebuild(out, Name, "make the copies of maps and players again from the streams, and count the leaderboards", rebuilding),
		service.Republish(out, "totals", "publish the totals of every map and player again", republish),
		service.Sweep(out, Name, sweeping),
	}
}

func remove(ctx context.Context, out io.Writer, pool *postgres.Pool, id, reason string) error {
	run, err := record.Remove(ctx, records.NewRecords(pool), id, record.Attribution{Operator: service.Operator(), Reason: reason})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Removed the run of %s on map %s by player %s.\n", racetime.Format(run.FinishTime), run.MapID, run.PlayerID)
	return err
}

// rebuilding makes the copies again from the streams, and counts them and the
// rows of the leaderboards.
func rebuilding(pool *postgres.Pool) service.RebuildSpec {
	copies := records.NewCopies(pool)
	states := subscriber.States{Maps: copies, Players: copies}
	return service.RebuildSpec{
		Subjects: event.RecordsCopies.Subjects,
		Handle:   states.Handle,
		Then:     []func(context.Context) error{copies.Recount, records.NewRecords(pool).RecountBoards},
	}
}

// republish leaves the totals of every map and player in the outbox.
func republish(ctx context.Context, pool *postgres.Pool) (int, error) {
	return records.NewRecords(pool).Republish(ctx)
}

// sweeping tells which files are named.
func sweeping(pool *postgres.Pool) objectstore.Named { return named(records.NewRecords(pool)) }
