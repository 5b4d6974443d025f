package realservers

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/httpget"
)

// StartRedis runs a Redis that keeps nothing over a restart. The port may be 0
// for a free one.
func StartRedis(ctx context.Context, dir string, port int) (*Process, error) {
	return start(ctx, port, func(port int) spec {
		return spec{
			name: "redis-server", program: redisProgram,
			arguments: []string{"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", dir, "--save", "", "--appendonly",
				"no"},
			ready: func(ctx context.Context) error { return says(ctx, port, "PING\r\n", "+PONG") },
		}
	})
}

// StartNATS runs a NATS server with JetStream that anybody may do anything on.
// The streams are kept in dir.
func StartNATS(ctx context.Context, dir string, port int) (*Process, error) {
	return startNATS(ctx, port, []string{"--jetstream", "--store_dir", dir}, nil)
}

// StartProductionNATS runs a NATS server as a deployment does, with its users
// and their permissions. The environment holds the passwords.
func StartProductionNATS(ctx context.Context, dir string, port int, passwords map[string]string) (*Process, error) {
	root, err := checkout.Root()
	if err != nil {
		return nil, err
	}
	environment := []string{"NATS_STORE_DIR=" + dir}
	for user, password := range passwords {
		environment = append(environment, "NATS_"+strings.ToUpper(user)+"_PASSWORD="+password)
	}
	// The port of the file may be taken.
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
	nats, err := built(natsModule)
	if err != nil {
		return nil, err
	}
	return start(ctx, port, func(port int) spec {
		return spec{
			name: "nats-server", program: nats,
			arguments:   append(arguments, "--addr", "127.0.0.1", "--port", strconv.Itoa(port)),
			environment: environment,
			ready:       func(ctx context.Context) error { return says(ctx, port, "", "INFO ") },
		}
	})
}

// StartMinIO runs a MinIO with its administrator's name and password, which has
// at least 8 characters. The objects are kept in dir.
func StartMinIO(ctx context.Context, dir string, port int, user, password string) (*Process, error) {
	minio, err := built(minioModule)
	if err != nil {
		return nil, err
	}
	return start(ctx, port, func(port int) spec {
		address := fmt.Sprintf("127.0.0.1:%d", port)
		return spec{
			name: "minio", program: minio,
			arguments: []string{"server", dir, "--address", address},
			environment: []string{
				"MINIO_ROOT_USER=" + user, "MINIO_ROOT_PASSWORD=" + password,
				"MINIO_BROWSER=off", "MINIO_UPDATE=off", "MINIO_CI_CD=on",
			},
			ready: func(ctx context.Context) error {
				_, err := httpget.Body(ctx, "http://"+address+"/minio/health/cluster")
				return err
			},
		}
	})
}

// says returns nil when the server on a port answers with a line that begins as wanted.
func says(ctx context.Context, port int, ask, wanted string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if _, err := conn.Write([]byte(ask)); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && !strings.HasPrefix(line, wanted) {
		err = fmt.Errorf("it says %q", line)
	}
	return err
}
