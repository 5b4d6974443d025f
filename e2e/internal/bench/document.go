package bench

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

var javaScript = regexp.MustCompile(`loads ([\d.]+) KB of JavaScript`)

// firstPage measures the home page with Lighthouse, as make lighthouse does all pages.
func (b *bench) firstPage(ctx context.Context) error {
	web := filepath.Join(b.root, "web")
	var output []byte
	var err error
	for range 4 { // a browser on a busy machine ends now and then
		command := exec.CommandContext(ctx, "node_modules/.bin/lighthouse", b.gateway, "--quiet", "--output=json",
			"--preset=desktop",
			"--only-categories=performance,accessibility,best-practices",
			"--chrome-flags=--headless=new --no-sandbox --disable-gpu")
		command.Dir, command.Env = web, append(os.Environ(), "CHROME_PATH=/usr/bin/chromium")
		if output, err = command.Output(); err == nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("lighthouse: %w", err)
	}
	var report struct {
		Categories map[string]struct{ Score float64 }
	}
	if err := json.Unmarshal(output, &report); err != nil {
		return err
	}
	for _, category := range []string{"performance", "accessibility", "best-practices"} {
		score, least := report.Categories[category].Score, 1.0
		if category == "performance" {
			least = 0.95
		}
		b.add("first page in the browser: "+category, fmt.Sprintf("%.0f", 100*score), "",
			fmt.Sprintf("≥ %.0f", 100*least), 0, score >= least)
	}
	weigh := exec.CommandContext(ctx, "node", "scripts/weigh.mjs")
	weigh.Dir = web
	text, err := weigh.Output()
	size := javaScript.FindSubmatch(text)
	if err != nil || size == nil {
		return fmt.Errorf("weigh: %w\n%s", err, text)
	}
	var kb float64
	if _, err := fmt.Sscan(string(size[1]), &kb); err != nil {
		return err
	}
	b.add("first page in the browser: JavaScript, compressed", fmt.Sprintf("%.0f KB", kb), "", "≤ 170 KB", 0, kb <= 170)
	return nil
}

// document returns docs/performance.md.
func (b *bench) document(ctx context.Context) string {
	var text strings.Builder
	fmt.Fprintf(&text, `# Performance

Written by %[1]smake bench%[1]s: the goals of the design, and whether this machine (%[2]d processors, %[3]s, %[4]s) meets them. Servers,
load generators and references share the machine. Rates of different machines say nothing about each other, ratios do. Each is the
ratio of the medians of %[5]d rounds of %[6]s, in which the system and its reference took turns.

| goal | system | reference | ratio | target | met |
|---|---|---|---|---|---|
`, "`", runtime.NumCPU(), kernel(ctx), runtime.Version(), b.rounds, b.length)
	for _, r := range b.rows {
		fmt.Fprintf(&text, "| %s | %s | %s | %s | %s | %s |\n", r.goal, r.system, r.reference, r.ratio, r.target, r.met)
	}
	text.WriteString("\n" + method)
	return text.String()
}

//go:embed method.md
var method string

func kernel(ctx context.Context) string {
	output, _ := exec.CommandContext(ctx, "uname", "-sr").Output()
	return strings.TrimSpace(string(output))
}
