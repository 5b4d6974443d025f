package app

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/services/records/internal/files"
	"capzone.dev/services/records/internal/natsapi"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
)

// Commands returns the operators' subcommands. The running service publishes the events that they append to the outbox.
func Commands() []service.Command {
	return []service.Command{
		{
			Name: "remove", Args: "ID REASON",
			Summary: "remove a record from the leaderboards: the player's next-best takes its place, the replay stays",
			Run:     changeRecord(access.RemoveRecord, "Removed"),
		},
		{
			Name: "restore", Args: "ID REASON",
			Summary: "restore a removed record with its places on the leaderboard and in the history of world records",
			Run:     changeRecord(access.RestoreRecord, "Restored"),
		},
		{
			Name: "hide", Args: "PLAYER-ID REASON",
			Summary: "hide all records of a player, who cannot submit until they are shown again",
			Run:     changePlayer(access.HidePlayer, "Hid"),
		},
		{
			Name: "show", Args: "PLAYER-ID REASON",
			Summary: "show the records of a hidden player again, with all their places",
			Run:     changePlayer(access.ShowPlayer, "Showed"),
		},
		{Name: "labels", Summary: "count the unknown labels of all stored replays, with their sizes", Run: countLabels},
		{Name: "dump", Summary: "write the dump of the day now, unless there is one", Run: writeDump},
		service.Rebuild(Name,
			"make the copies of maps and players again from the streams, and world records and points from the records",
			event.RecordsCopies,
			func(pool *postgres.Pool) eventbus.Handler { return natsapi.ApplyCopies(records.NewStore(pool)) },
			func(ctx context.Context, pool *postgres.Pool) error {
				return records.NewStore(pool).RebuildWorldRecords(ctx)
			},
			rebuildPoints),
		service.Republish("totals", "publish the totals of every map and player again",
			func(ctx context.Context, pool *postgres.Pool) (int, error) {
				return records.NewStore(pool).Republish(ctx)
			}),
		service.Sweep(Name,
			func(pool *postgres.Pool) objectstore.IsReferenced { return records.NewStore(pool).IsReferenced }),
	}
}

// changeRecord returns the command that changes the record with the id in the first argument, for the reason in the
// others.
func changeRecord(action access.Action, done string) func(context.Context, io.Writer, []string) error {
	return func(ctx context.Context, out io.Writer, args []string) error {
		return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
			r, err := newModerator(pool).ModerateRecord(ctx, record.Moderation{
				Action: action, RecordID: args[0], By: service.ByOperator(args[1:]...),
			})
			if err == nil {
				fmt.Fprintf(out, "%s the record of %s on map %s by player %s.\n",
					done, racetime.Format(r.FinishTime), r.MapID, r.PlayerID)
			}
			return err
		})
	}
}

// changePlayer is changeRecord for all records of a player.
func changePlayer(action access.Action, done string) func(context.Context, io.Writer, []string) error {
	return func(ctx context.Context, out io.Writer, args []string) error {
		return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
			player, err := newModerator(pool).ModeratePlayer(ctx, record.Moderation{
				Action: action, PlayerID: args[0], By: service.ByOperator(args[1:]...),
			})
			if err == nil {
				fmt.Fprintf(out, "%s the records of %s.\n", done, player.Name)
			}
			return err
		})
	}
}

// newModerator returns a moderator that knows the players who have a copy.
func newModerator(pool *postgres.Pool) *record.Moderator {
	store := records.NewStore(pool)
	return &record.Moderator{Records: store, Players: lookup.NewPlayers(store, store.Player), Now: time.Now}
}

// openFiles opens the bucket that the environment names.
func openFiles(ctx context.Context, pool *postgres.Pool) (*files.Files, error) {
	var cfg service.StorageConfig
	if err := service.ReadEnv(&cfg); err != nil {
		return nil, err
	}
	bucket, err := objectstore.Open(ctx, cfg.For(Name))
	return files.New(bucket, pool), err
}

func rebuildPoints(ctx context.Context, pool *postgres.Pool) error {
	var cfg PointsConfig
	if err := service.ReadEnv(&cfg); err != nil {
		return err
	}
	if err := cfg.Check(); err != nil {
		return err
	}
	return records.NewStore(pool).RebuildPoints(ctx, cfg.thresholds(), event.InMillis(time.Now()))
}

// countLabels writes a table of the unknown labels of all stored replays, after lines that say how far it is.
func countLabels(ctx context.Context, out io.Writer, _ []string) error {
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		bucket, err := openFiles(ctx, pool)
		if err != nil {
			return err
		}
		report, err := record.CountLabels(ctx, records.NewStore(pool), bucket,
			func(replays int64) { fmt.Fprintf(out, "%d replays read\n", replays) })
		if err != nil {
			return err
		}
		return printLabels(out, report)
	})
}

func printLabels(out io.Writer, report record.LabelReport) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "LABEL\tREPLAYS\tLINES\tBYTES\tLONGEST")
	for _, l := range report.Labels {
		// Quoted, because a player may have written anything.
		fmt.Fprintf(table, "%q\t%d\t%d\t%d\t%d\n", l.Label, l.Replays, l.Lines, l.Bytes, l.Longest)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d replays, %d missing, %d unknown labels\n", report.Replays, report.Missing, len(report.Labels))
	return nil
}
