package bench

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"
)

// row is a goal of the design and what was measured for it.
type row struct{ goal, system, reference, ratio, target, met string }

func rate(r result) string { return fmt.Sprintf("%.0f/s", r.rate) }

// add adds a row. A ratio of 0 is not shown.
func (b *bench) add(goal, system, reference, target string, ratio float64, met bool) {
	r := row{goal: goal, system: system, reference: reference, target: target, met: "yes"}
	if ratio > 0 {
		r.ratio = fmt.Sprintf("%.2f", ratio)
	}
	if !met {
		r.met = "**no**"
	}
	b.rows = append(b.rows, r)
}

func (b *bench) atLeast(goal string, medians []result, least float64) {
	ratio := medians[0].rate / medians[1].rate
	b.add(goal, rate(medians[0]), rate(medians[1]), fmt.Sprintf("≥ %g", least), ratio, ratio >= least)
}

// document returns docs/performance.md.
func (b *bench) document() string {
	var text strings.Builder
	fmt.Fprintf(&text, `# Performance

Written by %[1]smake bench%[1]s: the goals of the design, and whether this machine (%[2]d processors, %[3]s, %[4]s) meets
them. Rates of different machines say nothing about each other, ratios do. Each is the ratio of the medians of
%[5]d rounds of %[6]s, in which the system and its reference took turns.

| goal | system | reference | ratio | target | met |
|---|---|---|---|---|---|
`, "`", runtime.NumCPU(), runtime.GOOS, runtime.Version(), b.rounds, b.length)
	for _, r := range b.rows {
		fmt.Fprintf(&text, "| %s | %s | %s | %s | %s | %s |\n", r.goal, r.system, r.reference, r.ratio, r.target, r.met)
	}
	text.WriteString("\n" + method)
	return text.String()
}

//go:embed method.md.tmpl
var method string
