// Package locals3 runs S3-compatible object storage for development and tests: the program of
// deploy/local/cmd/s3 as a child process, on the loopback address. The child ends with this process.
package locals3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/programs"
)

// Build puts the program into the file. It is quick when nothing changed.
func Build(ctx context.Context, file string) error {
	root, err := checkout.Root()
	if err != nil {
		return err
	}
	return programs.Build(ctx, root, map[string]string{file: "./deploy/local/cmd/s3"})
}

// Options say how a server runs.
type Options struct {
	Program   string // as made by Build
	Dir       string // objects are kept here
	Temporary bool   // the folder goes when the server ends
	Port      int    // 0 picks a free one
	AccessKey string
	SecretKey string
	Log       io.Writer // nil drops the server's log
}

// Server is a running S3 server.
type Server struct {
	Endpoint string

	port    int
	command *exec.Cmd
	stdin   io.Closer
	done    chan struct{}
}

const (
	portTries    = 5
	readyTimeout = 20 * time.Second
)

// Start runs a server and returns when it listens.
func Start(ctx context.Context, o Options) (*Server, error) {
	if o.Port != 0 {
		return run(ctx, o)
	}
	var failures []error
	for range portTries {
		var err error
		if o.Port, err = freeport.Pick(); err != nil {
			return nil, err
		}
		s, err := run(ctx, o)
		if err == nil {
			return s, nil
		}
		failures = append(failures, err)
		if freeport.Free(o.Port) { // it was not about the port
			break
		}
	}
	return nil, errors.Join(failures...)
}

func run(ctx context.Context, o Options) (*Server, error) {
	address := fmt.Sprintf("127.0.0.1:%d", o.Port)
	// Not CommandContext: the server outlives its start.
	command := exec.Command(o.Program, "-addr", address, "-dir", o.Dir,
		fmt.Sprintf("-temporary=%t", o.Temporary)) //nolint:noctx // our own program
	command.Env = append(os.Environ(), "S3_ACCESS_KEY="+o.AccessKey, "S3_SECRET_KEY="+o.SecretKey)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the terminal's Ctrl-C is for its starter
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	said := &lines{next: o.Log, ready: make(chan struct{})}
	command.Stdout, command.Stderr = said, said
	command.WaitDelay = time.Second
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start the S3 server: %w", err)
	}
	s := &Server{Endpoint: Endpoint(o.Port), port: o.Port, command: command, stdin: stdin, done: make(chan struct{})}
	go func() {
		_ = command.Wait()
		close(s.done)
	}()
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	select {
	case <-said.ready:
		return s, nil
	case <-s.done:
		return nil, fmt.Errorf("the S3 server ended at its start: %s", said)
	case <-ctx.Done():
		return nil, errors.Join(fmt.Errorf("the S3 server did not get ready: %w: %s", ctx.Err(), said), s.Stop(ctx))
	}
}

// Endpoint is the address of the server on a port.
func Endpoint(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

// Port is where the server listens.
func (s *Server) Port() int { return s.port }

// PID is the process to look for in the system's list.
func (s *Server) PID() int { return s.command.Process.Pid }

// Done is closed when the server has ended.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop lets the server finish what is in flight and returns when it has ended; it is killed when ctx ends first.
func (s *Server) Stop(ctx context.Context) error {
	_ = s.stdin.Close()
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
		err := s.command.Process.Kill()
		<-s.done
		if errors.Is(err, os.ErrProcessDone) {
			return nil
		}
		return err
	}
}
