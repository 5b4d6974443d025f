package app

import (
	"context"
	"fmt"
	"io"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
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
	c := commands{out}
	return []service.Command{
		{
			Name: "remove", Args: "ID REASON",
			Summary: "remove a record from the leaderboards: the player's next-best takes its place, the replay stays",
			Run:     c.remove,
		},
		{
			Name: "restore", Args: "ID REASON",
			Summary: "restore a removed record with its places on the leaderboard and in the history of world records",
			Run:     c.restore,
		},
		{
			Name: "hide", Args: "PLAYER-ID REASON",
			Summary: "hide all records of a player, who cannot submit until they are shown again",
			Run:     c.hide,
		},
		{
			Name: "show", Args: "PLAYER-ID REASON",
			Summary: "show the records of a hidden player again, with all their places",
			Run:     c.show,
		},
		{
			Name: "labels", Summary: "count the unknown labels of all stored replays, with their sizes",
			Run: func(ctx context.Context, _ []string) error { return c.labels(ctx) },
		},
		{
			Name: "dump", Summary: "write the dump of the day now, unless there is one",
			Run: func(ctx context.Context, _ []string) error { return c.dump(ctx) },
		},
		service.Rebuild(out, Name,
			"make the copies of maps and players again from the streams, and world records and points from the records",
			rebuild),
		service.Republish(out, "totals", "publish the totals of every map and player again",
			func(ctx context.Context, pool *postgres.Pool) (int, error) {
				return records.NewStore(pool).Republish(ctx)
			}),
		service.Sweep(out, Name,
			func(pool *postgres.Pool) objectstore.IsReferenced {
				return replayFiles{records.NewStore(pool)}.isReferenced
			}),
	}
}

// commands are the subcommands of their own. They write to out.
type commands struct{ out io.Writer }

func (c commands) remove(ctx context.Context, args []string) error {
	return moderate(ctx, args, func(m *record.Moderator, id string, by access.Attribution) error {
		removed, err := m.Remove(ctx, id, by)
		if err != nil {
			return err
		}
		return c.report("Removed", removed)
	})
}

func (c commands) restore(ctx context.Context, args []string) error {
	return moderate(ctx, args, func(m *record.Moderator, id string, by access.Attribution) error {
		restored, err := m.Restore(ctx, id, by)
		if err != nil {
			return err
		}
		return c.report("Restored", restored)
	})
}

func (c commands) hide(ctx context.Context, args []string) error {
	return moderate(ctx, args, func(m *record.Moderator, id string, by access.Attribution) error {
		player, err := m.Hide(ctx, id, by)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.out, "Hid the records of %s.\n", player.Name)
		return err
	})
}

func (c commands) show(ctx context.Context, args []string) error {
	return moderate(ctx, args, func(m *record.Moderator, id string, by access.Attribution) error {
		player, err := m.Show(ctx, id, by)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.out, "Showed the records of %s.\n", player.Name)
		return err
	})
}

// report writes what was done to a record.
func (c commands) report(done string, r record.Record) error {
	_, err := fmt.Fprintf(c.out, "%s the record of %s on map %s by player %s.\n",
		done, racetime.Format(r.FinishTime), r.MapID, r.PlayerID)
	return err
}

// moderate calls change with the id in the first argument, for the reason in the others.
func moderate(
	ctx context.Context, args []string, change func(m *record.Moderator, id string, by access.Attribution) error,
) error {
	return service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		store := records.NewStore(pool)
		return change(&record.Moderator{Records: store, Players: lookup.NewPlayers(store, store.Player)}, args[0],
			service.ByOperator(args[1:]...))
	})
}

// rebuild applies the states of the streams to the copies, and computes the world records of all maps and all
// points, with the thresholds of the environment.
func rebuild(pool *postgres.Pool) service.RebuildSpec {
	store := records.NewStore(pool)
	return service.RebuildSpec{
		Subjects: event.RecordsCopies.Subjects, Handle: natsapi.ApplyCopies(store),
		Then: []func(context.Context) error{store.RebuildWorldRecords, func(ctx context.Context) error {
			var cfg PointsConfig
			if err := service.ReadEnv(&cfg); err != nil {
				return err
			}
			if err := cfg.Check(); err != nil {
				return err
			}
			return store.RebuildPoints(ctx, cfg.thresholds(), time.Now())
		}},
	}
}
