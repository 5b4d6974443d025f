package stack

import (
	"context"
	"fmt"
	"os"
	"os/exec"
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
	pollInterval   = 50 * time.Millisecond
)

// Restart builds the programs again and restarts processes of the stack that runs on the data folder, one after
// the other: each is ready, and gets requests again, before the next one stops. No request is lost if there are
// two of a kind and they drain before they stop (DRAIN_DELAY). The names are those of processes or kinds;
// without names, all services behind the gateway are restarted.
func Restart(ctx context.Context, o Options, names []string) error {
	state, err := ReadState(o.Settings.DataDir)
	if err != nil {
		return err
	}
	chosen, err := choose(state.Processes, o.Kinds, names)
	if err != nil {
		return err
	}
	if err := o.Build(ctx); err != nil {
		return err
	}
	console := supervise.NewConsole(o.Out)
	for _, p := range chosen {
		if err := restart(ctx, state, p); err != nil {
			return fmt.Errorf("restart %s: %w", p.Name, err)
		}
		console.Printf("%s is restarted", p.Name)
	}
	return nil
}

func choose(processes []ProcessState, kinds []Kind, names []string) ([]ProcessState, error) {
	if len(names) == 0 {
		for _, kind := range kinds {
			if kind.Service {
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

// restart stops a process, which its supervisor starts again, and waits until it gets requests.
func restart(ctx context.Context, state State, p ProcessState) error {
	ctx, cancel := context.WithTimeout(ctx, restartTimeout)
	defer cancel()
	if err := syscall.Kill(p.PID, syscall.SIGTERM); err != nil {
		return err
	}
	for _, done := range []func() bool{
		func() bool { return hasNewPID(state.DataDir, p) },
		func() bool { _, err := httpget.Body(ctx, p.Ops+httpserve.ReadyPath); return err == nil },
		func() bool { return getsRequests(ctx, state, p) },
	} {
		for !done() {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(pollInterval):
			}
		}
	}
	return nil
}

func hasNewPID(dataDir string, before ProcessState) bool {
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

// Run runs an operator's command: a service's program with arguments, and with the settings of the service's
// process in the stack that runs on the data folder.
func Run(ctx context.Context, dataDir, kind string, arguments []string) error {
	state, err := ReadState(dataDir)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(state.Processes, func(p ProcessState) bool { return p.Kind == kind })
	if at < 0 {
		var names []string
		for _, p := range state.Processes {
			names = append(names, p.Kind)
		}
		return fmt.Errorf("no process called %q: there are %s", kind, strings.Join(slices.Compact(names), ", "))
	}
	command := exec.CommandContext(ctx, state.Processes[at].Program, arguments...)
	command.Env = os.Environ()
	for name, value := range state.Processes[at].Settings {
		command.Env = append(command.Env, name+"="+value)
	}
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	return command.Run()
}
