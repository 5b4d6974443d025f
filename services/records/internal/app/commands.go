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
	"capzone.dev/services/records/internal/natsapi"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
)

// Commands returns the operators' subcommands, which write to out. The running service
// publishes the events that they append to the outbox.
func Commands(out io.Writer) []service.Command {
	return []service.Command{
		{
			Name: "remove", Args: "ID REASON",
			Summary: "remove a record from the leaderboards: the player's next-best takes its place, the replay stays",
			Run: func(ctx context.Context, args []string) error {
				if len(args) < 2 {
					return service.ErrUsage
				}
				return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
					return remove(ctx, out, pool, args[0], strings.Join(args[1:], " "))
				})
			},
		},
		service.Rebuild(out, Name, "make the copies of maps and players again from the streams", rebuild),
		service.Republish(out, "totals", "publish the totals of every map and player again",
			func(ctx context.Context, pool *postgres.Pool) (int, error) {
				return records.NewStore(pool).Republish(ctx)
			}),
		service.Sweep(out, Name,
			func(pool *postgres.Pool) objectstore.IsReferenced { return isFileUsed(records.NewStore(pool)) }),
	}
}

func remove(ctx context.Context, out io.Writer, pool *postgres.Pool, id, reason string) error {
	by := record.Attribution{Operator: service.Operator(), Reason: reason}
	removed, err := record.Remove(ctx, records.NewStore(pool), id, by)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Removed the record of %s on map %s by player %s.\n",
		racetime.Format(removed.FinishTime), removed.MapID, removed.PlayerID)
	return err
}

// rebuild applies the states of the streams to the copies.
func rebuild(pool *postgres.Pool) service.RebuildSpec {
	store := records.NewStore(pool)
	consumers := natsapi.Consumers{Copies: store}
	return service.RebuildSpec{Subjects: event.RecordsCopies.Subjects, Handle: consumers.Handler()}
}
