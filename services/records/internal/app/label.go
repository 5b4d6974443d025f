package app

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
)

// countLabels writes a table of the unknown labels of all stored replays, after lines that tell how far it is.
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
