package stack

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"capzone.dev/deploy/local/internal/supervise"
	"capzone.dev/devstack/httpget"
	"capzone.dev/platform/httpserve"
)

const (
	restartTimeout = time.Minute // of one process
	lookEvery      = 50 * time.Millisecond
)

// Restart builds the programs anew and restarts processes of the stack that runs on the data folder, one after the
// other: each is ready, and gets requests again, before the next one stops. Where there are two of a kind and
// they take their time to stop (DRAIN_DELAY), no request is lost. The names are those of processes or kinds; none is
// all that the gateway has requests for.
func Restart(ctx context.Context, o Options, names []string) error {
	state, err := ReadState(o.Settings.DataDir)
	if err != nil {
		return err
	}
	chosen, err := choose(state.Processes, o.Kinds, names)
	if err != nil {
		return err
	}
	s := &Stack{root: o.Root, dataDir: state.DataDir, kinds: o.Kinds, streams: o.Provision,
		console: supervise.NewConsole(o.Out, 0)}
	if err := s.build(ctx); err != nil {
		return err
	}
	for _, p := range chosen {
		if err := restart(ctx, state, p); err != nil {
			return fmt.Errorf("restart %s: %w", p.Name, err)
		}
		s.console.Say("%s is restarted", p.Name)
	}
	return nil
}

func choose(processes []ProcessState, kinds []Kind, names []string) ([]ProcessState, error) {
	if len(names) == 0 {
		for _, kind := range kinds {
			if kind.Behind != "" {
				names = append(names, kind.Name)
			}
		}
	}
	var chosen []ProcessState
	for _, name := range names {
		count := len(chosen)
		for _, p := range processes {
			if p.Name == name || p.Kind == name {
				chosen = append(chosen, p)
			}
		}
		if len(chosen) == count {
			return nil, fmt.Errorf("no process or kind called %q", name)
		}
	}
	return chosen, nil
}

// restart stops a process, which its supervisor starts again, and waits until it is of use.
func restart(ctx context.Context, state State, p ProcessState) error {
	ctx, cancel := context.WithTimeout(ctx, restartTimeout)
	defer cancel()
	if err := syscall.Kill(p.PID, syscall.SIGTERM); err != nil {
		return err
	}
	for _, done := range []func() bool{
		func() bool { return runsAnew(state.DataDir, p) },
		func() bool { _, err := httpget.Body(ctx, p.Ops+httpserve.ReadyPath); return err == nil },
		func() bool { return getsRequests(ctx, state, p) },
	} {
		for !done() {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(lookEvery):
			}
		}
	}
	return nil
}

func runsAnew(dataDir string, before ProcessState) bool {
	state, err := ReadState(dataDir)
	return err == nil && slices.ContainsFunc(state.Processes, func(p ProcessState) bool {
		return p.Name == before.Name && p.PID != 0 && p.PID != before.PID
	})
}

// getsRequests reports whether every gateway that has the process behind it sends it requests.
func getsRequests(ctx context.Context, state State, p ProcessState) bool {
	address := strings.TrimPrefix(p.HTTP, "http://")
	for _, gateway := range state.Processes {
		if gateway.Kind != gatewayName {
			continue
		}
		metrics, err := httpget.Body(ctx, gateway.Ops+"/metrics")
		if err != nil || strings.Contains(metrics,
			fmt.Sprintf("gateway_replica_up{address=%q,service=%q} 0\n", address, p.Kind)) {
			return false
		}
	}
	return true
}
