// Package locals3 runs S3-compatible object storage for development and tests: the program of
// deploy/local/cmd/s3 as a child process, on the loopback address. The child ends with this process.
package locals3

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/httpget"
)

// Options configure a server.
type Options struct {
	Program   string // that of deploy/local/cmd/s3
	Dir       string // objects are stored here
	Temporary bool   // the folder is removed when the server ends
	Port      int    // 0 picks a free one
	AccessKey string
	SecretKey string
	Log       io.Writer // nil drops the server's log
}

// Server is a running S3 server.
type Server struct {
	*child.Process

	// Endpoint is http://host:port.
	Endpoint string
	port     int
}

// Start runs a server and returns when it serves.
func Start(ctx context.Context, o Options) (*Server, error) {
	s := &Server{}
	err := freeport.Try(o.Port, func(port int) (err error) {
		s.port, s.Endpoint = port, Endpoint(port)
		s.Process, err = child.Start(ctx, child.Spec{
			Name: "the S3 server", Program: o.Program,
			Arguments: []string{"-addr", fmt.Sprintf("127.0.0.1:%d", port), "-dir", o.Dir,
				fmt.Sprintf("-temporary=%t", o.Temporary)},
			Environment: append(os.Environ(), "S3_ACCESS_KEY="+o.AccessKey, "S3_SECRET_KEY="+o.SecretKey),
			Log:         o.Log,
			Ready: func(ctx context.Context) error {
				_, err := httpget.Body(ctx, s.Endpoint+"/health")
				return err
			},
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Endpoint returns the address of the server on a port.
func Endpoint(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

// Port returns the port that the server listens on.
func (s *Server) Port() int { return s.port }

// Stop lets the server finish the requests in flight, and returns when it has ended. It is killed if ctx ends first.
func (s *Server) Stop(ctx context.Context) error { return s.Process.Stop(ctx, syscall.SIGTERM) }
