package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/services/records/internal/dump"
	"capzone.dev/services/records/internal/files"
	"capzone.dev/services/records/internal/natsapi"
	records "capzone.dev/services/records/internal/postgres"
)

// DumpConfig says when dumps are written.
type DumpConfig struct {
	// At is the time of the day (UTC) at which the dump of the day is written, as in 03:30, or "off".
	At string `env:"DUMP_AT" envDefault:"03:30"`
}

// timeOfDay returns how long after midnight dumps are written, and whether they are.
func (c DumpConfig) timeOfDay() (after time.Duration, isOn bool, err error) {
	if c.At == "" || c.At == "off" {
		return 0, false, nil
	}
	at, err := time.Parse("15:04", c.At)
	if err != nil {
		return 0, false, errors.New(`DUMP_AT must be a time of the day in UTC as in 03:30, or "off"`)
	}
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute, true, nil
}

const (
	// dumpEvery is how often it is looked whether a dump is due, and dumpRetry how long after a failure the next try is.
	dumpEvery = time.Minute
	dumpRetry = 10 * time.Minute
	// factsSettle is longer than the state of a change is published after its fact, and stored as a copy.
	factsSettle = 15 * time.Second
)

// dumpWorker writes a dump a day. Several replicas try, and one of them does it.
type dumpWorker struct {
	dumper    *dump.Dumper
	timeOfDay time.Duration
	log       *slog.Logger
}

// newDumpWorker registers the metrics of dumps.
func newDumpWorker(
	dumper *dump.Dumper, timeOfDay time.Duration, log *slog.Logger, registry prometheus.Registerer,
) *dumpWorker {
	registerGauge(registry, "records_dump_timestamp_seconds", "When the newest dump was complete, 0 where there is none.",
		ofNewest(dumper, func(d dump.Dump) float64 { return float64(d.FinishedAt.UnixMilli()) / 1000 }))
	registerGauge(registry, "records_dump_duration_seconds", "How long the newest dump took to write.",
		ofNewest(dumper, func(d dump.Dump) float64 { return d.FinishedAt.Sub(d.CreatedAt).Seconds() }))
	return &dumpWorker{dumper: dumper, timeOfDay: timeOfDay, log: log}
}

// ofNewest returns what reads a value of the newest dump, 0 where there is none.
func ofNewest(dumper *dump.Dumper, value func(dump.Dump) float64) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) {
		latest, err := dumper.Latest(ctx)
		if errors.Is(err, dump.ErrUnknown) {
			return 0, nil
		}
		return value(latest), err
	}
}

// run writes the dump of each day until ctx ends.
func (w *dumpWorker) run(ctx context.Context) error {
	for pause := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		pause = dumpEvery
		isDue, err := w.dumper.IsDue(ctx, w.timeOfDay)
		if err == nil && isDue {
			err = w.write(ctx)
		}
		if err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "the dump of the day failed", "error", err)
			pause = dumpRetry
		}
	}
}

// write writes the dump of the day unless another replica does.
func (w *dumpWorker) write(ctx context.Context) error {
	m, err := w.dumper.Write(ctx)
	switch {
	case errors.Is(err, dump.ErrBusy), errors.Is(err, dump.ErrExists):
		return nil
	case err != nil:
		return err
	}
	w.log.InfoContext(ctx, "dump written", "date", m.Date, "sequence", m.Sequence, "records", m.Counts["records"])
	return nil
}

func newDumper(store *records.Store, bucket *files.Files, js jetstream.JetStream) *dump.Dumper {
	facts := &natsapi.Facts{JetStream: js, Settle: factsSettle}
	return &dump.Dumper{Store: store, Files: bucket, Facts: facts, Now: time.Now}
}

// writeDump writes the dump of the day now.
func writeDump(ctx context.Context, out io.Writer, _ []string) error {
	return service.WithNATS(ctx, Name, func(pool *postgres.Pool, nc *nats.Conn) error {
		js, err := eventbus.JetStream(nc)
		if err != nil {
			return err
		}
		bucket, err := openFiles(ctx, pool)
		if err != nil {
			return err
		}
		m, err := newDumper(records.NewStore(pool), bucket, js).Write(ctx)
		if err != nil {
			return err
		}
		var size int64
		for _, f := range m.Files {
			size += f.Size
		}
		fmt.Fprintf(out, "Wrote the dump of %s: %d maps, %d players, %d records, %d world records, %d bytes.\n",
			m.Date, m.Counts["maps"], m.Counts["players"], m.Counts["records"], m.Counts["world-records"], size)
		return nil
	})
}
