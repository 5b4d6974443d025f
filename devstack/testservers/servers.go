// Package testservers runs the servers of development and tests as programs of their own, so that nothing links them:
// nats-server, and a small Redis and S3 that are built from this tree or, with TEST_SERVERS=real (make test-real sets
// it), PostgreSQL and Redis from the system's packages and MinIO. They listen on the loopback address and end with the
// process that started them.
package testservers

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/httpget"
)

// Real reports whether tests use the servers of a deployment.
func Real() bool { return os.Getenv("TEST_SERVERS") == "real" }

// Process is a running server.
type Process struct {
	*child.Process

	port int
}

// Port returns the port that the server listens on.
func (p *Process) Port() int { return p.port }

// Address returns where the server listens: "127.0.0.1:4222".
func (p *Process) Address() string { return fmt.Sprintf("127.0.0.1:%d", p.port) }

// Stop terminates the server and returns when it has ended. It is killed if ctx ends first.
func (p *Process) Stop(ctx context.Context) error { return p.Process.Stop(ctx, syscall.SIGTERM) }

// Options say how a server is started.
type Options struct {
	Program string    // empty for the one that Embedded returns
	Dir     string    // what the server stores is there
	Port    int       // 0 picks a free one
	Log     io.Writer // receives the server's output, nil to drop it
}

// start runs the server that describe describes for a port.
func start(ctx context.Context, o Options, describe func(port int) child.Spec) (*Process, error) {
	p := &Process{}
	err := freeport.Try(o.Port, func(port int) (err error) {
		spec := describe(port)
		spec.Environment, spec.Log = append(os.Environ(), spec.Environment...), o.Log
		p.port = port
		p.Process, err = child.Start(ctx, spec)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// program returns the path of the program of a server that is started with the options.
func (o Options) program(ctx context.Context, embedded string) (string, error) {
	if o.Program != "" {
		return o.Program, nil
	}
	return Embedded(ctx, embedded)
}

// StartRedis runs a Redis that stores nothing on disk.
func StartRedis(ctx context.Context, o Options) (*Process, error) {
	program, arguments := redisProgram, []string{"--bind", "127.0.0.1", "--dir", o.Dir, "--save", "", "--appendonly", "no"}
	if !Real() {
		var err error
		if program, err = o.program(ctx, "redis"); err != nil {
			return nil, err
		}
		arguments = nil
	}
	return start(ctx, o, func(port int) child.Spec {
		return child.Spec{
			Name: "Redis", Program: program, Arguments: append(arguments, "--port", strconv.Itoa(port)), Ready: listens(port),
		}
	})
}

// StartNATS runs a NATS server with JetStream and without authentication.
func StartNATS(ctx context.Context, o Options) (*Process, error) {
	return startNATS(ctx, o, []string{"--jetstream", "--store_dir", o.Dir}, nil)
}

// StartProductionNATS runs a NATS server with the configuration of a deployment. The passwords are by user name.
func StartProductionNATS(ctx context.Context, o Options, passwords map[string]string) (*Process, error) {
	root, err := checkout.Root()
	if err != nil {
		return nil, err
	}
	environment := []string{"NATS_STORE_DIR=" + o.Dir}
	for user, password := range passwords {
		environment = append(environment, "NATS_"+strings.ToUpper(user)+"_PASSWORD="+password)
	}
	// The port in the file may be in use.
	monitor, err := freeport.Pick()
	if err != nil {
		return nil, err
	}
	arguments := []string{"--config", filepath.Join(root, "deploy", "nats", "nats-server.conf"), "--http_port",
		strconv.Itoa(monitor)}
	return startNATS(ctx, o, arguments, environment)
}

func startNATS(ctx context.Context, o Options, arguments, environment []string) (*Process, error) {
	nats, err := o.program(ctx, "nats-server")
	if err != nil {
		return nil, err
	}
	return start(ctx, o, func(port int) child.Spec {
		return child.Spec{
			Name: "NATS", Program: nats, Arguments: append(arguments, "--addr", "127.0.0.1", "--port", strconv.Itoa(port)),
			Environment: environment, Ready: listens(port),
		}
	})
}

// Keys are the keys of an object storage. The secret one of a MinIO has at least 8 characters.
type Keys struct{ Access, Secret string }

// StartS3 runs a small object storage. The arguments are further ones of the program (deploy/local/cmd/s3).
func StartS3(ctx context.Context, o Options, keys Keys, arguments ...string) (*Process, error) {
	s3, err := o.program(ctx, "s3")
	if err != nil {
		return nil, err
	}
	return start(ctx, o, func(port int) child.Spec {
		address := fmt.Sprintf("127.0.0.1:%d", port)
		return child.Spec{
			Name: "the S3 server", Program: s3,
			Arguments:   append(arguments, "-addr", address, "-dir", o.Dir),
			Environment: []string{"S3_ACCESS_KEY=" + keys.Access, "S3_SECRET_KEY=" + keys.Secret},
			Ready:       isHealthy(address + "/health"),
		}
	})
}

// StartMinIO runs a MinIO with its administrator's keys.
func StartMinIO(ctx context.Context, o Options, keys Keys) (*Process, error) {
	program, err := minio(ctx)
	if err != nil {
		return nil, err
	}
	return start(ctx, o, func(port int) child.Spec {
		address := fmt.Sprintf("127.0.0.1:%d", port)
		return child.Spec{
			Name: "minio", Program: program,
			Arguments: []string{"server", o.Dir, "--address", address},
			Environment: []string{
				"MINIO_ROOT_USER=" + keys.Access, "MINIO_ROOT_PASSWORD=" + keys.Secret,
				"MINIO_BROWSER=off", "MINIO_UPDATE=off", "MINIO_CI_CD=on",
			},
			Ready: isHealthy(address + "/minio/health/cluster"),
		}
	})
}

// isHealthy returns a function that returns nil once a health check is answered.
func isHealthy(address string) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := httpget.Body(ctx, "http://"+address)
		return err
	}
}

// listens returns a function that returns nil once a server listens on a port.
func listens(port int) func(context.Context) error {
	return func(ctx context.Context) error {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return err
		}
		return conn.Close()
	}
}
