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
			Run:     change(out, "Removed", record.Remove),
		},
		{
			Name: "restore", Args: "ID REASON",
			Summary: "restore a removed record with its places on the leaderboard and in the history of world records",
			Run:     change(out, "Restored", record.Restore),
		},
		service.Rebuild(out, Name,
			"make the copies of maps and players again from the streams, and the histories of world records from the records",
			rebuild),
		service.Republish(out, "totals", "publish the totals of every map and player again",
			func(ctx context.Context, pool *postgres.Pool) (int, error) {
				return records.NewStore(pool).Republish(ctx)
			}),
		service.Sweep(out, Name,
			func(pool *postgres.Pool) objectstore.IsReferenced { return isFileUsed(records.NewStore(pool)) }),
	}
}

// change returns a command that applies to the record with the id of its first argument, for the reason of the
// others. It reports on out, beginning with the word done.
func change(
	out io.Writer, done string,
	apply func(context.Context, record.RemovalStore, string, record.Attribution) (record.Record, error),
) func(ctx context.Context, args []string) error {
	return func(ctx context.Context, args []string) error {
		if len(args) < 2 {
			return service.ErrUsage
		}
		by := record.Attribution{Operator: service.Operator().ID, Reason: strings.Join(args[1:], " ")}
		return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
			changed, err := apply(ctx, records.NewStore(pool), args[0], by)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "%s the record of %s on map %s by player %s.\n",
				done, racetime.Format(changed.FinishTime), changed.MapID, changed.PlayerID)
			return err
		})
	}
}

// rebuild applies the states of the streams to the copies, and computes the world records of all maps.
func rebuild(pool *postgres.Pool) service.RebuildSpec {
	store := records.NewStore(pool)
	consumers := natsapi.Consumers{Copies: store}
	return service.RebuildSpec{
		Subjects: event.RecordsCopies.Subjects, Handle: consumers.Handler(),
		Then: []func(context.Context) error{store.RebuildWorldRecords},
	}
}
