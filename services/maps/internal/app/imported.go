package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"capzone.dev/platform/postgres"
	"capzone.dev/platform/service"
	"capzone.dev/services/maps/internal/parkourmap"
)

// importMaps imports maps without a replay.
func importMaps(ctx context.Context, out io.Writer, args []string) error {
	var file string
	var dryRun, asJSON bool
	for _, arg := range args {
		switch {
		case arg == "--dry-run":
			dryRun = true
		case arg == "--json":
			asJSON = true
		case file == "" && (arg == "-" || !strings.HasPrefix(arg, "-")):
			file = arg
		default:
			return service.ErrUsage
		}
	}
	if file == "" {
		return service.ErrUsage
	}
	report, err := importFile(ctx, file, dryRun)
	if err != nil {
		return err
	}
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(report)
	} else {
		printImport(out, report)
	}
	if report.Counts[parkourmap.ImportRefused] == len(report.Rows) {
		return errAllRefused
	}
	return err
}

var errAllRefused = errors.New("every row was refused")

// importFile imports the maps of the file with the name, which is "-" for the standard input.
func importFile(ctx context.Context, name string, dryRun bool) (report parkourmap.ImportReport, err error) {
	file := os.Stdin
	if name != "-" {
		if file, err = os.Open(name); err != nil {
			return report, err
		}
		defer func() { _ = file.Close() }()
	}
	err = service.WithDatabase(ctx, func(pool *postgres.Pool) error {
		report, err = newImporter(pool).Import(ctx, service.ByOperator(), file, dryRun)
		return err
	})
	return report, err
}

// outcomeTexts are the outcomes in the order of the summary.
var outcomeTexts = []struct {
	outcome parkourmap.ImportOutcome
	text    string
}{
	{parkourmap.ImportAdded, "added"},
	{parkourmap.ImportChanged, "changed"},
	{parkourmap.ImportUnchanged, "unchanged"},
	{parkourmap.ImportOnSite, "already on the site"},
	{parkourmap.ImportRefused, "refused"},
}

// printImport prints a line for each row, and the counts.
func printImport(out io.Writer, report parkourmap.ImportReport) {
	texts := map[parkourmap.ImportOutcome]string{}
	var counts []string
	for _, o := range outcomeTexts {
		texts[o.outcome] = o.text
		counts = append(counts, fmt.Sprintf("%s: %d", o.text, report.Counts[o.outcome]))
	}
	for _, name := range report.IgnoredColumns {
		fmt.Fprintf(out, "The column %q is ignored.\n", name)
	}
	for _, row := range report.Rows {
		fmt.Fprintf(out, "line %d: %s", row.Line, texts[row.Outcome])
		if row.GameMapID > 0 {
			fmt.Fprintf(out, ", map %d", row.GameMapID)
		}
		if row.Name != "" {
			fmt.Fprintf(out, ", %q", row.Name)
		}
		if row.Reason != "" {
			fmt.Fprintf(out, ". %s", row.Reason)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%s.\n", strings.Join(counts, ", "))
	if report.DryRun {
		fmt.Fprintln(out, "This was a dry run: nothing is stored.")
	}
}
