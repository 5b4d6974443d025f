// Package cluster applies deploy/k8s and deploy/observability to a Kubernetes API server, without nodes.
//
// The tests run where K8S is set: `make test-k8s`. The programs are built once, into the folder that CLUSTER names.
package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/checkout"
	"capzone.dev/devstack/freeport"
)

const (
	readyTimeout = 2 * time.Minute
	pollInterval = 200 * time.Millisecond
)

// token is the administrator's for the tested API server.
const token = "administrator"

// The API server under test.
var (
	root     string // the sources
	programs string // the folder of the programs
	server   string // its address
)

func TestMain(m *testing.M) {
	if os.Getenv("K8S") == "" {
		fmt.Println("these tests need a Kubernetes API server: make test-k8s builds and runs one")
		return
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if root, err = checkout.Root(); err != nil {
		return 1, err
	}
	folder := os.Getenv("CLUSTER")
	if folder == "" {
		folder = filepath.Join(root, ".tools", "cluster")
	}
	programs = filepath.Join(folder, "bin")
	build := exec.CommandContext(ctx, filepath.Join(root, "deploy", "check", "cluster", "programs.sh"))
	build.Env = append(os.Environ(), "CLUSTER="+folder)
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		return 1, fmt.Errorf("programs.sh: %w", err)
	}
	data, err := os.MkdirTemp("", "capzone-cluster-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
	stop, err := startServer(ctx, data)
	defer stop()
	if err != nil {
		return 1, err
	}
	if err := prepare(ctx, filepath.Join(folder, "definitions")); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// startServer starts etcd and the API server with their data in a folder. stop ends both, also after an error.
func startServer(ctx context.Context, data string) (stop func(), err error) {
	var started []*exec.Cmd
	stop = func() {
		for i := len(started) - 1; i >= 0; i-- {
			_ = started[i].Process.Kill()
			_ = started[i].Wait()
		}
	}
	start := func(program string, arguments ...string) error {
		log, err := os.Create(filepath.Join(data, program+".log"))
		if err != nil {
			return err
		}
		command := exec.CommandContext(ctx, filepath.Join(programs, program), arguments...)
		command.Dir, command.Stdout, command.Stderr = data, log, log
		if err := command.Start(); err != nil {
			return err
		}
		started = append(started, command)
		return nil
	}
	var ports [3]int
	for i := range ports {
		if ports[i], err = freeport.Pick(); err != nil {
			return stop, err
		}
	}
	clients, peers := fmt.Sprintf("http://127.0.0.1:%d", ports[0]), fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	if err := start("etcd", "--data-dir", "etcd", "--unsafe-no-fsync",
		"--listen-client-urls", clients, "--advertise-client-urls", clients,
		"--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", "default="+peers,
	); err != nil {
		return stop, err
	}
	if err := writeCredentials(data); err != nil {
		return stop, err
	}
	server = fmt.Sprintf("https://127.0.0.1:%d", ports[2])
	if err := start("kube-apiserver", "--etcd-servers="+clients, "--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", ports[2]), "--cert-dir=certificates",
		"--authorization-mode=RBAC", "--token-auth-file=tokens.csv", "--anonymous-auth=false",
		"--service-cluster-ip-range=10.96.0.0/16", "--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file=accounts.key", "--service-account-key-file=accounts.key",
		// No controller makes service accounts.
		"--disable-admission-plugins=ServiceAccount",
	); err != nil {
		return stop, err
	}
	return stop, awaitReady(ctx, data)
}

// writeCredentials writes the administrator's token and the key that signs the tokens of service accounts.
func writeCredentials(data string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return errors.Join(
		os.WriteFile(filepath.Join(data, "accounts.key"), block, 0o600),
		os.WriteFile(filepath.Join(data, "tokens.csv"), []byte(token+`,admin,1,"system:masters"`+"\n"), 0o600),
	)
}

// awaitReady waits until the API server is ready. Its error has the end of the server's log.
func awaitReady(ctx context.Context, data string) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		_, err := kubectl(ctx, nil, "get", "--raw", "/readyz")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(data, "kube-apiserver.log"))
			return fmt.Errorf("the API server is not ready: %w\n%s", err, log[max(0, len(log)-4000):])
		case <-time.After(pollInterval):
		}
	}
}

// prepare creates the operators' resource definitions and applies all manifests.
func prepare(ctx context.Context, definitions string) error {
	for _, arguments := range [][]string{
		{"create", "--filename", definitions},
		{"wait", "--for=condition=Established", "customresourcedefinitions", "--all", "--timeout=60s"},
		{"apply", "--server-side", "--filename", filepath.Join(root, "deploy/k8s/production/namespace.yaml")},
		{"apply", "--server-side", "--kustomize", filepath.Join(root, "deploy/k8s/production")},
		{"apply", "--server-side", "--namespace", "capzone", "--kustomize", filepath.Join(root, "deploy/observability")},
		{"apply", "--server-side", "--filename", filepath.Join(root, "deploy/k8s/operators/postgres.yaml")},
	} {
		if _, err := kubectl(ctx, nil, arguments...); err != nil {
			return err
		}
	}
	return nil
}

// kubectl runs Kubernetes' client and returns its standard output.
func kubectl(ctx context.Context, stdin io.Reader, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, filepath.Join(programs, "kubectl"), append([]string{
		"--kubeconfig", os.DevNull, "--server", server, "--token", token, "--insecure-skip-tls-verify",
	}, arguments...)...)
	var stdout, stderr bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = stdin, &stdout, &stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("kubectl %s: %w\n%s", strings.Join(arguments, " "), err, &stderr)
	}
	// A warning is about what pod security would refuse, or about a deprecated field.
	if text := stderr.String(); strings.Contains(text, "Warning:") {
		return "", fmt.Errorf("kubectl %s: %s", strings.Join(arguments, " "), text)
	}
	return stdout.String(), nil
}
