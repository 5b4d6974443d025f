package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"capzone.dev/e2e/internal/load"
)

// row is a line of the table.
type row struct {
	measure   string
	system    string
	reference string // "" for none
	ratio     string
	target    string // "" for a figure that is only told
	met       bool
}

// report is what a run has found.
type report struct {
	rows  []row
	notes []section
}

// section is a part of the document of its own.
type section struct{ title, text string }

// atLeast adds the ratio of two rates, which is to reach a target.
func (r *report) atLeast(measure string, system, reference load.Result, of string, target float64) {
	ratio := system.Rate / reference.Rate
	r.rows = append(r.rows, row{
		measure, rate(system), rate(reference) + " " + of, fmt.Sprintf("%.2f", ratio), fmt.Sprintf("≥ %.2f", target), ratio >= target,
	})
}

// beside adds the ratio of two rates that has no target.
func (r *report) beside(measure string, system, reference load.Result, of string) {
	r.rows = append(r.rows, row{
		measure: measure, system: rate(system), reference: rate(reference) + " " + of, ratio: fmt.Sprintf("%.2f", system.Rate/reference.Rate),
	})
}

// atMost adds a figure that is to stay below a target.
func (r *report) atMost(measure, system, reference string, figure, target float64, unit string) {
	r.rows = append(r.rows, row{
		measure, system, reference, strings.TrimSpace(fmt.Sprintf("%.3g %s", figure, unit)), strings.TrimSpace(fmt.Sprintf("≤ %g %s", target, unit)), figure <= target,
	})
}

// failed notes that a part could not be measured.
func (r *report) failed(part string) {
	r.rows = append(r.rows, row{measure: part + ": could not be measured", target: "to be measured"})
}

func (r *report) note(title, text string) { r.notes = append(r.notes, section{title, text}) }

func rate(r load.Result) string { return fmt.Sprintf("%.0f/s", r.Rate) }

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000)
}

func (r row) verdict() string {
	switch {
	case r.target == "":
		return ""
	case r.met:
		return "yes"
	default:
		return "NO"
	}
}

var columns = []string{"measure", "system", "reference", "ratio", "target", "met"}

func (r row) cells() []string {
	return []string{r.measure, r.system, r.reference, r.ratio, r.target, r.verdict()}
}

// print writes the table and the notes as text.
func (r *report) print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\n"+strings.Join(columns, "\t"))
	for _, row := range r.rows {
		fmt.Fprintln(table, strings.Join(row.cells(), "\t"))
	}
	_ = table.Flush()
	for _, n := range r.notes {
		fmt.Fprintf(out, "\n%s\n\n%s", n.title, n.text)
	}
}

// markdownTable is a table of Markdown.
func markdownTable(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	line(strings.Split(strings.Repeat("---,", len(head)-1)+"---", ","))
	for _, cells := range rows {
		line(cells)
	}
	return b.String()
}
