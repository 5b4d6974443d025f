// Package stack runs all of Capzone on one machine: the servers that it needs, its services, the bot and the gateway.
package stack

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"capzone.dev/deploy/local/internal/supervise"
	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/platform/httpserve"
)

// Options say what to run and where.
type Options struct {
	Root        string // of the source tree
	Settings    Settings
	Kinds       []Kind
	Build       func(ctx context.Context) error // builds the programs
	Provision   string                          // the program that makes the event streams, run before the processes
	Environment map[string]string               // goes through to the processes
	Out         io.Writer
}

// Stack is a running or starting stack.
type Stack struct {
	Options
	dataDir string
	console *supervise.Console
	servers Addresses

	site      *os.File // the site's listening socket
	replicas  []Replica
	processes []process // written before they start, then only read

	mu      sync.Mutex
	running []*child.Process
	lost    chan error // has why a server ended
	ready   bool
}

// process is a replica that is kept running.
type process struct {
	*supervise.Process
	replica  Replica
	settings map[string]string
}

// readyTimeout is generous: a first start on a slow machine migrates the database of each service.
const readyTimeout = 2 * time.Minute

// Up runs a stack until ctx ends, and then stops it: the gateway first, then the services and the bot, then
// auth, then the servers.
func Up(ctx context.Context, o Options) error {
	dataDir, err := filepath.Abs(o.Settings.DataDir)
	if err != nil {
		return err
	}
	unlock, err := lockFolder(dataDir)
	if err != nil {
		return err
	}
	defer unlock()
	site, err := listen(o.Settings.Port)
	if err != nil {
		return err
	}
	s := &Stack{
		Options: o, dataDir: dataDir, console: supervise.NewConsole(o.Out), site: site, lost: make(chan error, 4),
	}
	s.removeState() // which a stack that was killed has left
	began := time.Now()
	err = s.start(ctx)
	if err == nil {
		s.console.Printf("Capzone is at %s (ready in %.1f s). To log in, ask for a verification room (the login button, "+
			"or /api/v1/auth/request-room-link), join it under any name and enter the code that the bot writes there.",
			s.Settings.PublicURL, time.Since(began).Seconds())
		select {
		case <-ctx.Done():
		case err = <-s.lost:
		}
		s.console.Printf("stopping")
	} else if ctx.Err() != nil {
		err = nil // asked to stop while starting
	}
	s.stop()
	return err
}

// listen returns a listening socket on a port of the loopback address. It stays open when a process that has inherited
// it ends, so that visitors who come before the gateway starts, or while it is restarted, wait.
func listen(port int) (*os.File, error) {
	listener, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return nil, fmt.Errorf("port %d is taken: end what listens there, or choose another with PORT=%d: %w", port, port+1,
			err)
	}
	defer func() { _ = listener.Close() }() // the file is a copy
	return listener.File()
}

func (s *Stack) start(ctx context.Context) error {
	if err := s.makeSecrets(); err != nil {
		return err
	}
	s.console.Printf("building and starting (the first time takes a few minutes)")
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() error { return s.Build(groupCtx) })
	group.Go(func() error { return s.startServers(groupCtx) })
	if err := group.Wait(); err != nil {
		return err
	}
	if err := s.provision(ctx); err != nil {
		return err
	}
	if err := s.assignPorts(); err != nil {
		return err
	}
	for stage := firstStage; stage <= lastStage; stage++ {
		s.startProcesses(stage)
		if err := s.awaitReady(ctx, stage); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready = true
	return s.writeState()
}

// assignPorts gives every replica its ports.
func (s *Stack) assignPorts() error {
	for _, kind := range s.Kinds {
		count := s.Settings.replicas(kind.Name)
		for number := range count {
			site, err := freeport.Pick()
			if err != nil {
				return err
			}
			ops, err := freeport.Pick()
			if err != nil {
				return err
			}
			name := kind.Name
			if count > 1 {
				name = fmt.Sprintf("%s.%d", kind.Name, number+1)
			}
			if kind.Name == gatewayName {
				site = s.Settings.Port
			}
			s.replicas = append(s.replicas, Replica{
				Kind: kind, Name: name, HTTP: fmt.Sprintf("127.0.0.1:%d", site), Ops: fmt.Sprintf("127.0.0.1:%d", ops),
			})
		}
	}
	return nil
}

// addresses are where the replicas of a kind serve.
func (s *Stack) addresses(kind string) []string {
	var list []string
	for _, replica := range s.replicas {
		if replica.Kind.Name == kind {
			list = append(list, replica.HTTP)
		}
	}
	return list
}

func (s *Stack) startProcesses(stage int) {
	s.mu.Lock() // the state is not written while the list grows
	defer s.mu.Unlock()
	for _, replica := range s.replicas {
		if replica.Kind.Stage != stage {
			continue
		}
		settings := sharedSettings(s, replica)
		if replica.Kind.Settings != nil {
			maps.Copy(settings, replica.Kind.Settings(s, replica))
		}
		spec := child.Spec{
			Name: replica.Name, Program: replica.Kind.Program, Environment: s.environment(settings), Dir: s.dataDir,
		}
		readyURL := "http://" + replica.Ops + httpserve.ReadyPath
		if replica.Kind.Optional {
			readyURL = "http://" + replica.Ops + httpserve.HealthPath
		}
		if replica.Kind.Name == gatewayName {
			spec.Socket = s.site
		}
		s.processes = append(s.processes, process{
			supervise.Start(spec, readyURL, s.console, s.restarted), replica, settings,
		})
	}
}

// restarted puts the new process's number into the state.
func (s *Stack) restarted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ready {
		return
	}
	if err := s.writeState(); err != nil {
		s.console.Printf("%s: %v", stateFile, err)
	}
}

// awaitReady waits until the processes of a stage are ready.
func (s *Stack) awaitReady(ctx context.Context, stage int) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	for _, p := range s.processes {
		if p.replica.Kind.Stage == stage {
			group.Go(func() error { return p.AwaitReady(ctx) })
		}
	}
	return group.Wait()
}

func (s *Stack) stop() {
	s.mu.Lock()
	s.ready = false
	s.mu.Unlock()
	s.removeState()
	for stage := lastStage; stage >= firstStage; stage-- {
		s.stopProcesses(stage)
		_ = s.site.Close() // the gateway, which has stopped first, had a copy
	}
	s.stopServers()
}

// stopProcesses stops one stage, all of it at once.
func (s *Stack) stopProcesses(stage int) {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	var group sync.WaitGroup
	for _, p := range s.processes {
		if p.replica.Kind.Stage == stage {
			group.Go(func() { p.Stop(ctx) })
		}
	}
	group.Wait()
}

// environment is what a process gets: what was passed to the launcher, generous limits where that names none,
// and the settings, which win. The passwords of NATS are in the URLs of their processes alone.
func (s *Stack) environment(settings map[string]string) []string {
	all := maps.Clone(development)
	if s.Settings.Limits == "" {
		maps.Copy(all, generous)
	}
	maps.Copy(all, s.Environment)
	maps.Copy(all, settings)
	var list []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !strings.HasPrefix(name, "NATS_") || !strings.HasSuffix(name, "_PASSWORD") {
			list = append(list, name+"="+all[name])
		}
	}
	return list
}

func (s *Stack) file(name string) string { return filepath.Join(s.dataDir, name) }
