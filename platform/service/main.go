package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"capzone.dev/platform/httpserve"
)

// Command is a subcommand of a service's binary.
type Command struct {
	Name string
	// Args names the arguments for the usage text: "NAME ROLE".
	Args    string
	Summary string
	// Run writes its results to out. Execute returns the error of a write.
	Run func(ctx context.Context, out io.Writer, args []string) error
}

// Execute runs the command, which writes its results to out. It returns ErrUsage for fewer arguments than Args names,
// of which those in brackets may be left out, and for any argument of a command that has none.
func (c Command) Execute(ctx context.Context, out io.Writer, args []string) error {
	required := slices.DeleteFunc(strings.Fields(c.Args), func(arg string) bool { return strings.HasPrefix(arg, "[") })
	if len(args) < len(required) || c.Args == "" && len(args) > 0 {
		return ErrUsage
	}
	results := &results{Writer: out}
	if err := c.Run(ctx, results, args); err != nil {
		return err
	}
	return results.err
}

// results keeps the first error of a write.
type results struct {
	io.Writer
	err error
}

func (r *results) Write(p []byte) (int, error) {
	n, err := r.Writer.Write(p)
	r.err = cmp.Or(r.err, err)
	return n, err
}

// ErrUsage is returned by a command that was called with the wrong arguments.
var ErrUsage = errors.New("wrong arguments")

// Main runs a service's binary and exits the process: without arguments serve, with arguments the named
// command. The context ends at SIGINT and SIGTERM. The exit code is 1 for an error and 2 for a wrong call.
func Main(name string, serve func(ctx context.Context) error, commands ...Command) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code := run(ctx, os.Stderr, name, os.Args[1:], serve, append(commands, healthcheck))
	stop()
	os.Exit(code)
}

func run(
	ctx context.Context, stderr io.Writer, name string, args []string, serve func(context.Context) error,
	commands []Command,
) int {
	if len(args) == 0 {
		tuneGC()
		return report(stderr, name, serve(ctx))
	}
	for _, c := range commands {
		if c.Name != args[0] {
			continue
		}
		err := c.Execute(ctx, os.Stdout, args[1:])
		if errors.Is(err, ErrUsage) {
			fmt.Fprintf(stderr, "usage: %s %s %s\n", name, c.Name, c.Args)
			return 2
		}
		return report(stderr, name, err)
	}
	usage(stderr, name, commands)
	return 2
}

func report(stderr io.Writer, name string, err error) int {
	if err == nil || errors.Is(err, context.Canceled) {
		return 0
	}
	fmt.Fprintf(stderr, "%s: %v\n", name, err)
	return 1
}

func usage(w io.Writer, name string, commands []Command) {
	fmt.Fprintf(w, "usage: %s [COMMAND]\n\nWithout a command it serves. Commands:\n", name)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range commands {
		fmt.Fprintf(table, "  %s %s\t%s\n", c.Name, c.Args, c.Summary)
	}
	_ = table.Flush()
}

// maxQuotedBody bounds how much of a failed check's answer an error quotes, in bytes.
const maxQuotedBody = 500

// healthcheck is the command for health checks in container images without a shell or curl.
var healthcheck = Command{
	Name: "healthcheck", Summary: "request /readyz of the process on OPS_ADDR; exit code 0 if it is ready",
	Run: func(context.Context, io.Writer, []string) error {
		host, port, err := net.SplitHostPort(cmp.Or(os.Getenv("OPS_ADDR"), ":9090"))
		if err != nil {
			return fmt.Errorf("OPS_ADDR: %w", err)
		}
		url := "http://" + net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port) + httpserve.ReadyPath
		client := http.Client{Timeout: 5 * time.Second}
		resp, err := client.Get(url)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			body, _ := io.ReadAll(io.LimitReader(resp.Body, maxQuotedBody))
			return fmt.Errorf("%s: %s: %s", url, resp.Status, body)
		}
		return nil
	},
}

const (
	// gcPercent is the default of GOGC. Most of what a process allocates lives for one
	// request, so rare collections save work and retain little.
	gcPercent = 400
	// memoryLimit is the default of GOMEMLIMIT in bytes. It bounds the garbage that rare collections leave. With about 35
	// MiB of the program's own file in memory, which Go does not count, a service stays below 100 MiB.
	memoryLimit = 52 << 20
)

// tuneGC sets gcPercent and memoryLimit unless the environment sets GOGC or GOMEMLIMIT.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	LimitMemory(memoryLimit)
}

// LimitMemory sets the soft memory limit of a process that needs more than the
// default, unless the environment sets GOMEMLIMIT.
func LimitMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}
