package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/telemetry"
)

// Process is a running program: its log, metrics, traces, connection to NATS and
// operations endpoints. A program with a database uses Service instead.
type Process struct {
	Name      string
	Log       *slog.Logger
	NATS      *nats.Conn
	JetStream jetstream.JetStream
	// Registry has all metrics of the program. Each part registers its own.
	Registry *prometheus.Registry

	cfg         ProcessConfig
	api, ops    net.Listener // nil until Listen; api also where there is no API
	stopTracing func()
	checks      map[string]func(context.Context) error
	serving     []func(context.Context) error
}

// Start connects to NATS, which need not be up yet, and starts tracing. The caller calls Close.
func Start(ctx context.Context, name string, tier telemetry.Tier, cfg ProcessConfig) (*Process, error) {
	registerMappers()
	p := &Process{Name: name, Log: cfg.Logger(name), Registry: prometheus.NewRegistry(), cfg: cfg}
	var err error
	if p.stopTracing, err = telemetry.Start(ctx, name, tier, cfg.Tracing, p.Log); err != nil {
		return nil, err
	}
	if p.NATS, err = eventbus.Connect(cfg.NATSURL, name, p.Log); err != nil {
		p.Close()
		return nil, err
	}
	if p.JetStream, err = eventbus.JetStream(p.NATS); err != nil {
		p.Close()
		return nil, err
	}
	p.checks = map[string]func(context.Context) error{"nats": httpserve.StartupCheck(p.CheckNATS)}
	p.Registry.MustRegister(collectors.NewBuildInfoCollector(), collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	p.Registry.MustRegister(eventbus.NewConnCollectors(p.NATS)...)
	return p, nil
}

// registerMappers lets problem.From translate the errors of the libraries used here.
func registerMappers() { problem.RegisterMapper(postgres.Problem) }

// Close closes the listeners and the connection to NATS, and flushes traces.
func (p *Process) Close() {
	for _, listener := range []net.Listener{p.api, p.ops} {
		if listener != nil {
			_ = listener.Close() // closed already if it was served
		}
	}
	if p.NATS != nil {
		p.NATS.Close()
	}
	p.stopTracing()
}

// CheckNATS returns an error unless NATS answers.
func (p *Process) CheckNATS(ctx context.Context) error {
	if !p.NATS.IsConnected() {
		return errors.New("not connected")
	}
	return p.NATS.FlushWithContext(ctx)
}

// AddCheck adds a condition of readiness. It is called before Run.
func (p *Process) AddCheck(name string, check func(context.Context) error) { p.checks[name] = check }

// WhileServing adds a part that Run runs until the API has finished its last
// request, unlike its other parts, which end with ctx.
func (p *Process) WhileServing(part func(context.Context) error) { p.serving = append(p.serving, part) }

// Consume returns a part of Run that passes a consumer's messages to h.
func (p *Process) Consume(c event.Consumer, h eventbus.Handler) func(context.Context) error {
	return p.ConsumeRaw(c, eventbus.Enveloped(h))
}

// ConsumeRaw is Consume for streams whose messages have no envelope.
func (p *Process) ConsumeRaw(c event.Consumer, h eventbus.MsgHandler) func(context.Context) error {
	return func(ctx context.Context) error {
		p.Registry.MustRegister(eventbus.NewLagCollector(p.JetStream, c))
		return eventbus.Consume(ctx, p.JetStream, c, h, p.Log)
	}
}

// Answer returns a part of Run that answers the requests of other programs on a subject with h. One replica answers
// each of them. It completes the requests in progress when it ends.
func Answer[Req, Resp any](
	p *Process, subject string, h func(ctx context.Context, req Req) (Resp, error),
) func(context.Context) error {
	return func(ctx context.Context) error {
		stop, err := eventbus.ServeRPC(p.NATS, subject, p.Name, p.Log, h)
		if err != nil {
			return err
		}
		defer stop()
		<-ctx.Done()
		return nil
	}
}

// Listen opens the ports of the API, if HTTPAddr is set, and of the operations
// endpoints. Run calls it unless the caller has, to learn the address.
func (p *Process) Listen(ctx context.Context) (api net.Addr, err error) {
	var config net.ListenConfig
	p.api, p.ops = p.cfg.Listeners.API, p.cfg.Listeners.Ops
	if p.api == nil && p.cfg.HTTPAddr != "" {
		if p.api, err = inheritListener(); p.api == nil && err == nil {
			p.api, err = config.Listen(ctx, "tcp", p.cfg.HTTPAddr)
		}
		if err != nil {
			return nil, fmt.Errorf("HTTP_ADDR: %w", err)
		}
	}
	if p.ops == nil {
		if p.ops, err = config.Listen(ctx, "tcp", p.cfg.OpsAddr); err != nil {
			return nil, fmt.Errorf("OPS_ADDR: %w", err)
		}
	}
	if p.api != nil {
		api = p.api.Addr()
	}
	return api, nil
}

// Run serves handler, the operations endpoints and parts until ctx ends or one of
// them fails, and then stops them all. Requests in flight are finished first.
func (p *Process) Run(ctx context.Context, handler http.Handler, parts ...func(context.Context) error) error {
	if p.ops == nil {
		if _, err := p.Listen(ctx); err != nil {
			return err
		}
	}
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	defer stopServing()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer stopServing()
		if p.api == nil {
			<-ctx.Done()
			return nil
		}
		drain := httpserve.Drain{HealthPath: httpserve.HealthPath, Delay: p.cfg.DrainDelay}
		return httpserve.Serve(ctx, p.api, handler, drain, p.Log)
	})
	g.Go(func() error {
		// A cluster checks the readiness; the liveness does not fail.
		drain := httpserve.Drain{HealthPath: httpserve.ReadyPath, Delay: p.cfg.DrainDelay}
		return httpserve.Serve(ctx, p.ops, httpserve.Ops(p.checks, p.Registry), drain, p.Log)
	})
	for _, part := range parts {
		g.Go(func() error { return part(ctx) })
	}
	for _, part := range p.serving {
		g.Go(func() error { return part(serving) })
	}
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	return nil
}

// firstInherited is the first file descriptor that a supervisor passes on.
const firstInherited = 3

// inheritListener returns the listening socket that the supervisor has opened for the API,
// by systemd's protocol for socket activation, or nil. The socket outlives the process:
// connections that come during a restart wait for the next one.
func inheritListener() (net.Listener, error) {
	if pid := os.Getenv("LISTEN_PID"); os.Getenv("LISTEN_FDS") != "1" || pid != "" && pid != strconv.Itoa(os.Getpid()) {
		return nil, nil //nolint:nilnil // there is none
	}
	socket := os.NewFile(firstInherited, "LISTEN_FDS")
	defer func() { _ = socket.Close() }() // the listener has a copy
	listener, err := net.FileListener(socket)
	if err != nil {
		return nil, fmt.Errorf("LISTEN_FDS: %w", err)
	}
	return listener, nil
}
