package check

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/localpg"
	"capzone.dev/devstack/realservers"
	"capzone.dev/devstack/testdeps"
)

// Everything that the Compose file runs but for containers: the servers with the
// deployment's configuration and passwords, each program with its container's
// environment. Only addresses differ. On it a newcomer does what the readme says.
func TestTheContainersProgramsRunTogether(t *testing.T) {
	t.Parallel()
	needRealServers(t)
	for _, tool := range []string{"curl", "jq"} {
		testdeps.Program(t, tool, tool)
	}
	d := deployment{t, t.TempDir()}
	site := "127.0.0.1:" + pickPort(t)
	d.fillFor("http://" + site)
	rooms := "127.0.0.1:" + pickPort(t)
	h := d.stand()
	for range 2 { // as at every start
		h.runOnce("provision", nil)
		h.runOnce("provision-storage", nil)
	}

	h.run("bot", map[string]string{"HTTP_ADDR": rooms, "BOT_PUBLIC_URL": "http://" + rooms})
	for _, name := range serviceNames(t, anyService) {
		address := "127.0.0.1:" + pickPort(t)
		h.addresses = append(h.addresses, name+":8080", address)
		h.started = append(h.started, h.start(name, map[string]string{"HTTP_ADDR": address}))
	}
	h.awaitHealthy()
	h.run("gateway", map[string]string{"HTTP_ADDR": site})

	readme := regexp.MustCompile("(?s)```bash\nsite=[^\n]+\n(.*?)```").FindStringSubmatch(read(t,
		filepath.Join(root, "README.md")))
	if readme == nil {
		t.Fatal("the readme has no commands for the main job")
	}
	command := exec.CommandContext(
		t.Context(),
		"bash",
		"-c",
		"set -eo pipefail\nsite=http://"+site+"/api/v1\n"+readme[1],
	)
	command.Dir = root
	output, err := command.CombinedOutput()
	if err != nil ||
		!regexp.MustCompile(`(?s)"rank": 1,\s+"player": "cloudstep".*"rank": 2,\s+"player": "mossfoot"`).Match(output) {
		t.Errorf("%v\n%s", err, output)
	}
	h.save()
	h.stopAll()
}

// save has the backup's container save the running site.
func (h *here) save() {
	h.t.Helper()
	testdeps.Program(h.t, "rclone", "rclone")
	saved := h.t.TempDir()
	h.project.Services["backup"] = h.backup()
	command := h.command("backup", map[string]string{"PG_BIN": filepath.Join(realservers.PostgreSQLHome, "bin")})
	command.Args = append(command.Args, "save", saved)
	if output, err := command.CombinedOutput(); err != nil {
		h.t.Errorf("backup: %v\n%s", err, output)
	}
	for _, path := range []string{"databases/records.dump", "files/records/replays", "files/maps/replays"} {
		if _, err := os.Stat(filepath.Join(saved, path)); err != nil {
			h.t.Error(err)
		}
	}
}

// here is a deployment on this machine.
type here struct {
	deployment
	project *types.Project
	// addresses are containers' and what they are here, in turn.
	addresses []string
	started   []*program
}

// program is a container's program that runs here.
type program struct {
	name    string
	command *exec.Cmd
	said    *bytes.Buffer
	ops     string // address of its health check
}

func pickPort(t *testing.T) string {
	t.Helper()
	port, err := freeport.Pick()
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Itoa(port)
}

// stand starts the servers, with their containers' passwords.
func (d deployment) stand() *here {
	d.t.Helper()
	h := &here{deployment: d, project: d.project(simulated)}
	valkey, _ := d.startValkey()
	nats := d.startNATS()
	minio := d.startMinIO()
	h.addresses = []string{
		"postgres:5432", d.startPostgres(), "valkey:6379", valkey,
		"nats:4222", "127.0.0.1:" + strconv.Itoa(nats.Port()), "minio:9000", "127.0.0.1:" + strconv.Itoa(minio.Port()),
	}
	return h
}

// startPostgres runs PostgreSQL with the deployment's databases, which asks for
// passwords as the image's does: PostgreSQL 15, whose tools can be had.
func (d deployment) startPostgres() (address string) {
	d.t.Helper()
	psql := testdeps.Program(d.t, "psql", "postgresql-client")
	server, err := localpg.StartTemporary(d.t.Context(), realservers.PostgreSQLHome)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = server.Stop(context.Background()) })
	container := d.project().Services["postgres"]
	makeDatabases(d.t, psql, server, environment(container))
	conn, err := pgx.Connect(d.t.Context(), server.URL("postgres"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = conn.Close(d.t.Context()) }()
	// The image's superuser.
	if _, err := conn.Exec(d.t.Context(),
		"create role postgres superuser login password '"+*container.Environment["POSTGRES_PASSWORD"]+"'"); err != nil {
		d.t.Fatal(err)
	}
	var file string
	if err := conn.QueryRow(d.t.Context(), "show hba_file").Scan(&file); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("host all all 127.0.0.1/32 scram-sha-256\n"), 0o600); err != nil {
		d.t.Fatal(err)
	}
	if _, err := conn.Exec(d.t.Context(), "select pg_reload_conf()"); err != nil {
		d.t.Fatal(err)
	}
	address = "127.0.0.1:" + strconv.Itoa(server.Port())
	eventually.WaitFor(d.t, "passwords to count", func() bool {
		conn, err := pgx.Connect(d.t.Context(), "postgres://auth:wrong@"+address+"/capzone_auth?sslmode=disable")
		if err == nil {
			_ = conn.Close(d.t.Context())
		}
		return err != nil
	})
	return address
}

func (d deployment) startNATS() *realservers.Process {
	d.t.Helper()
	passwords := map[string]string{}
	for _, variable := range environment(d.project().Services["nats"]) {
		name, value, _ := strings.Cut(variable, "=")
		if user, is := strings.CutSuffix(strings.TrimPrefix(name, "NATS_"), "_PASSWORD"); is {
			passwords[user] = value
		}
	}
	server, err := realservers.StartProductionNATS(d.t.Context(), d.t.TempDir(), 0, passwords)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = server.Kill() })
	return server
}

func (d deployment) startMinIO() *realservers.Process {
	d.t.Helper()
	env := d.project().Services["minio"].Environment
	server, err := realservers.StartMinIO(d.t.Context(), d.t.TempDir(), 0, *env["MINIO_ROOT_USER"],
		*env["MINIO_ROOT_PASSWORD"])
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = server.Kill() })
	return server
}

// command is a container's program with its environment and some changes.
func (h *here) command(name string, changes map[string]string) *exec.Cmd {
	h.t.Helper()
	// Without the test's context, which ends before the program is asked to.
	command := exec.Command(filepath.Join(builtPrograms(h.t), name))
	there := strings.NewReplacer(h.addresses...)
	for _, variable := range h.inContainer(h.project.Services[name]) {
		key, _, _ := strings.Cut(variable, "=")
		if _, changed := changes[key]; !changed {
			command.Env = append(command.Env, there.Replace(variable))
		}
	}
	for key, value := range changes {
		command.Env = append(command.Env, key+"="+value)
	}
	return command
}

// runOnce runs a container's program to its end.
func (h *here) runOnce(name string, changes map[string]string) {
	h.t.Helper()
	if output, err := h.command(name, changes).CombinedOutput(); err != nil {
		h.t.Fatalf("%s: %v\n%s", name, err, output)
	}
}

// run starts a container's program and waits until it is healthy.
func (h *here) run(name string, changes map[string]string) {
	h.t.Helper()
	h.started = append(h.started, h.start(name, changes))
	h.awaitHealthy()
}

func (h *here) start(name string, changes map[string]string) *program {
	h.t.Helper()
	p := &program{name: name, said: &bytes.Buffer{}, ops: "127.0.0.1:" + pickPort(h.t)}
	changes["OPS_ADDR"] = p.ops
	p.command = h.command(name, changes)
	p.command.Stdout, p.command.Stderr = p.said, p.said
	if err := p.command.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		_ = p.command.Process.Kill()
		_ = p.command.Wait()
		if h.t.Failed() {
			h.t.Logf("%s said:\n%s", name, p.said)
		}
	})
	return p
}

// awaitHealthy waits until every program's own health check says that it is well.
func (h *here) awaitHealthy() {
	h.t.Helper()
	for _, p := range h.started {
		test := h.project.Services[p.name].HealthCheck.Test
		eventually.WaitFor(h.t, fmt.Sprintf("%v", test), func() bool {
			check := exec.CommandContext(
				h.t.Context(),
				filepath.Join(builtPrograms(h.t), filepath.Base(test[1])),
				test[2:]...)
			check.Env = []string{"OPS_ADDR=" + p.ops}
			return check.Run() == nil
		})
	}
}

// stopAll asks every program to end, as Compose does, each within its grace period.
func (h *here) stopAll() {
	h.t.Helper()
	for _, p := range h.started {
		if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
			h.t.Errorf("%s: %v", p.name, err)
		}
	}
	for _, p := range h.started {
		grace := time.AfterFunc(time.Duration(*h.project.Services[p.name].StopGracePeriod),
			func() { _ = p.command.Process.Kill() })
		if err := p.command.Wait(); err != nil {
			h.t.Errorf("%s does not end well: %v", p.name, err)
		}
		grace.Stop()
	}
}
