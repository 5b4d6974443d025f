// Package testservers runs the servers of tests as programs of their own, so that no test links them: nats-server, and
// a small Redis and S3 that are built from this tree or, with TEST_SERVERS=real (make test-real sets it), PostgreSQL
// and Redis from the system's packages and MinIO. They listen on the loopback address and end with the process that
// started them.
package testservers

import (
	"bufio"
	"context"
	"fmt"
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

	port    int
	monitor int // of a NATS server with the configuration of a deployment
}

// Port returns the port that the server listens on.
func (p *Process) Port() int { return p.port }

// MonitorPort returns the port of the health checks of a server of StartProductionNATS.
func (p *Process) MonitorPort() int { return p.monitor }

// Stop terminates the server and returns when it has ended. It is killed if ctx ends first.
func (p *Process) Stop(ctx context.Context) error { return p.Process.Stop(ctx, syscall.SIGTERM) }

// start runs the server that describe describes for a port. Port 0 picks a free one.
func start(ctx context.Context, port int, describe func(port int) child.Spec) (*Process, error) {
	p := &Process{}
	err := freeport.Try(port, func(port int) (err error) {
		spec := describe(port)
		spec.Environment = append(os.Environ(), spec.Environment...)
		p.port = port
		p.Process, err = child.Start(ctx, spec)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// StartRedis runs a Redis that stores nothing on disk. Port 0 picks a free one.
func StartRedis(ctx context.Context, dir string, port int) (*Process, error) {
	program, arguments := redisProgram, []string{"--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "no"}
	if !Real() {
		var err error
		if program, err = Embedded(ctx, "redis"); err != nil {
			return nil, err
		}
		arguments = nil
	}
	return start(ctx, port, func(port int) child.Spec {
		return child.Spec{
			Name: "Redis", Program: program,
			Arguments: append(arguments, "--port", strconv.Itoa(port)),
			Ready:     func(ctx context.Context) error { return answers(ctx, port, redisPing, "+PONG") },
		}
	})
}

// redisPing is the request that a Redis answers with a line of "+PONG".
const redisPing = "*1\r\n$4\r\nPING\r\n"

// StartNATS runs a NATS server with JetStream and without authentication. The streams are stored in dir. Port 0 picks a
// free port.
func StartNATS(ctx context.Context, dir string, port int) (*Process, error) {
	return startNATS(ctx, port, []string{"--jetstream", "--store_dir", dir}, nil)
}

// StartProductionNATS runs a NATS server with the configuration of a deployment. The passwords are by user name.
func StartProductionNATS(ctx context.Context, dir string, port int, passwords map[string]string) (*Process, error) {
	root, err := checkout.Root()
	if err != nil {
		return nil, err
	}
	environment := []string{"NATS_STORE_DIR=" + dir}
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
	p, err := startNATS(ctx, port, arguments, environment)
	if err != nil {
		return nil, err
	}
	p.monitor = monitor
	return p, nil
}

func startNATS(ctx context.Context, port int, arguments, environment []string) (*Process, error) {
	nats, err := Embedded(ctx, "nats-server")
	if err != nil {
		return nil, err
	}
	return start(ctx, port, func(port int) child.Spec {
		return child.Spec{
			Name: "NATS", Program: nats,
			Arguments:   append(arguments, "--addr", "127.0.0.1", "--port", strconv.Itoa(port)),
			Environment: environment,
			Ready:       func(ctx context.Context) error { return answers(ctx, port, "", "INFO ") },
		}
	})
}

// StartMinIO runs a MinIO with its administrator's name and password, which has at least 8 characters.
// The objects are stored in dir.
func StartMinIO(ctx context.Context, dir string, port int, user, password string) (*Process, error) {
	minio, err := built(minioModule)
	if err != nil {
		return nil, err
	}
	return start(ctx, port, func(port int) child.Spec {
		address := fmt.Sprintf("127.0.0.1:%d", port)
		return child.Spec{
			Name: "minio", Program: minio,
			Arguments: []string{"server", dir, "--address", address},
			Environment: []string{
				"MINIO_ROOT_USER=" + user, "MINIO_ROOT_PASSWORD=" + password,
				"MINIO_BROWSER=off", "MINIO_UPDATE=off", "MINIO_CI_CD=on",
			},
			Ready: func(ctx context.Context) error {
				_, err := httpget.Body(ctx, "http://"+address+"/minio/health/cluster")
				return err
			},
		}
	})
}

// answers returns nil if the server on a port answers the request with a line that begins as wanted.
func answers(ctx context.Context, port int, request, wanted string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if _, err := conn.Write([]byte(request)); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && !strings.HasPrefix(line, wanted) {
		err = fmt.Errorf("it answers %q", line)
	}
	return err
}
