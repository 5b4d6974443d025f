// Package testservers runs the servers of development and tests as programs of their own, so that nothing links them:
// nats-server, and a small Redis and S3 that are built from this tree or, with TEST_SERVERS=real (make test-real sets
// it), PostgreSQL and Redis from the system's packages and MinIO. They listen on the loopback address and end with the
// process that started them.
package testservers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/child"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/httpget"
)

// Real reports whether tests use the servers of a deployment.
func Real() bool { return os.Getenv("TEST_SERVERS") == "real" }

// Options say how a server is started.
type Options struct {
	Port int       // where it listens, such as one of freeport.Pick
	Dir  string    // what the server stores is there; Redis stores nothing
	Log  io.Writer // receives the server's output, nil to drop it
}

// Address returns where the server listens: "127.0.0.1:4222".
func (o Options) Address() string { return fmt.Sprintf("127.0.0.1:%d", o.Port) }

// StartRedis runs a Redis that stores nothing on disk.
func StartRedis(ctx context.Context, o Options) (*child.Process, error) {
	redis, arguments := redisProgram, []string{"--bind", "127.0.0.1", "--save", "", "--appendonly", "no"}
	if !Real() {
		var err error
		if redis, err = program(redisPackage); err != nil {
			return nil, err
		}
		arguments = nil
	}
	return start(ctx, o, child.Spec{
		Name: "Redis", Program: redis, Arguments: append(arguments, "--port", strconv.Itoa(o.Port)),
		Ready: knowsCommands(o.Address()),
	})
}

// knowsCommands returns a function for Ready that returns nil once a Redis knows a command. miniredis accepts
// connections before it does, and learns this one after those that the site uses.
func knowsCommands(address string) func(context.Context) error {
	return func(ctx context.Context) error {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }()
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		if _, err := io.WriteString(conn, "*2\r\n$6\r\nCLIENT\r\n$7\r\nGETNAME\r\n"); err != nil {
			return err
		}
		answer, err := bufio.NewReader(conn).ReadString('\n')
		if strings.HasPrefix(answer, "-") {
			err = errors.New(strings.TrimSpace(answer))
		}
		return err
	}
}

// StartNATS runs a NATS server with JetStream and without authentication.
func StartNATS(ctx context.Context, o Options) (*child.Process, error) {
	return startNATS(ctx, o, []string{"--jetstream", "--store_dir", o.Dir}, nil)
}

// StartProductionNATS runs a NATS server with the configuration of a deployment. The passwords are by user name.
func StartProductionNATS(ctx context.Context, o Options, passwords map[string]string) (*child.Process, error) {
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

func startNATS(ctx context.Context, o Options, arguments, environment []string) (*child.Process, error) {
	nats, err := program(natsPackage)
	if err != nil {
		return nil, err
	}
	return start(ctx, o, child.Spec{
		Name: "NATS", Program: nats, Environment: environment, Ready: child.Listens(o.Address()),
		Arguments: append(arguments, "--addr", "127.0.0.1", "--port", strconv.Itoa(o.Port)),
	})
}

// Keys are the keys of an object storage. The secret one has at least 8 characters.
type Keys struct{ Access, Secret string }

// StartS3 runs an object storage with its administrator's keys. Without a folder in o it makes one, which is removed
// when the server has ended.
func StartS3(ctx context.Context, o Options, keys Keys) (*child.Process, error) {
	temporary := ""
	if o.Dir == "" {
		dir, err := os.MkdirTemp("", "capzone-s3-")
		if err != nil {
			return nil, err
		}
		o.Dir, temporary = dir, dir
	}
	if Real() {
		return startMinIO(ctx, o, keys, temporary)
	}
	s3, err := program(s3Package)
	if err != nil {
		return nil, err
	}
	return start(ctx, o, child.Spec{
		Name: "the S3 server", Program: s3,
		Arguments:   []string{"-addr", o.Address(), "-dir", o.Dir},
		Environment: []string{"S3_ACCESS_KEY=" + keys.Access, "S3_SECRET_KEY=" + keys.Secret},
		Ready:       isHealthy(o.Address() + "/health"),
		Remove:      temporary,
	})
}

func startMinIO(ctx context.Context, o Options, keys Keys, temporary string) (*child.Process, error) {
	minio, err := buildMinIO(ctx)
	if err != nil {
		return nil, err
	}
	return start(ctx, o, child.Spec{
		Name: "minio", Program: minio,
		Arguments: []string{"server", o.Dir, "--address", o.Address()},
		Environment: []string{
			"MINIO_ROOT_USER=" + keys.Access, "MINIO_ROOT_PASSWORD=" + keys.Secret,
			"MINIO_BROWSER=off", "MINIO_UPDATE=off", "MINIO_CI_CD=on",
		},
		Ready:  isHealthy(o.Address() + "/minio/health/cluster"),
		Remove: temporary,
	})
}

func start(ctx context.Context, o Options, spec child.Spec) (*child.Process, error) {
	spec.Environment, spec.Log = append(os.Environ(), spec.Environment...), o.Log
	return child.Start(ctx, spec)
}

// isHealthy returns a function that returns nil once a health check is answered.
func isHealthy(address string) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := httpget.Body(ctx, "http://"+address)
		return err
	}
}
