package check

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/compose-spec/compose-go/v2/dotenv"
	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"

	"capzone.dev/devstack/require"
)

// root is the folder of docker-compose.yml.
const root = "../.."

const publicURL = "https://capzone.example"

// deployment is a folder with the files that a deployment is made of, and the
// secrets of one.
type deployment struct {
	t      *testing.T
	folder string
}

// deploy copies the files and makes the secrets as an operator does.
func deploy(t *testing.T) deployment {
	t.Helper()
	d := deployment{t, t.TempDir()}
	d.fill()
	return d
}

// fill copies the files into the folder, and runs init.sh.
func (d deployment) fill() {
	d.t.Helper()
	d.copy("docker-compose.yml", "deploy/docker", "deploy/nats", "deploy/observability")
	if output, err := d.init("", publicURL); err != nil {
		d.t.Fatalf("init.sh: %v\n%s", err, output)
	}
}

// testFolder is a folder that all tests share.
var testFolder string

func TestMain(m *testing.M) {
	var err error
	if testFolder, err = os.MkdirTemp("", "capzone-check-*"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(testFolder)
	os.Exit(code)
}

// shared returns a deployment that no test changes, with the bot's account.
func shared(t *testing.T) deployment {
	t.Helper()
	d := deployment{t, filepath.Join(testFolder, "deployment")}
	made.Do(func() {
		d.fill()
		d.fillBotAccount()
		made.complete = true
	})
	if !made.complete {
		t.Fatal("the deployment could not be made")
	}
	return d
}

var made struct {
	sync.Once
	complete bool
}

// copy copies files and folders of the project, without the secrets of a deployment there.
func (d deployment) copy(paths ...string) {
	d.t.Helper()
	for _, path := range paths {
		to := filepath.Join(d.folder, path)
		require.NoError(d.t, os.MkdirAll(filepath.Dir(to), 0o755))
		info, err := os.Stat(filepath.Join(root, path))
		require.NoError(d.t, err)
		if info.IsDir() {
			err = os.CopyFS(to, os.DirFS(filepath.Join(root, path)))
			err = errors.Join(err, os.RemoveAll(filepath.Join(to, "secrets")))
		} else {
			err = os.WriteFile(to, []byte(read(d.t, filepath.Join(root, path))), info.Mode())
		}
		require.NoError(d.t, err)
	}
}

// init runs init.sh, with the programs of a folder before all others if it is not empty, and returns the output.
func (d deployment) init(programs string, arguments ...string) (string, error) {
	command := exec.CommandContext(d.t.Context(), filepath.Join(d.folder, "deploy/docker/init.sh"), arguments...)
	command.Env = append(os.Environ(), "PATH="+strings.TrimPrefix(programs+":"+os.Getenv("PATH"), ":"))
	output, err := command.CombinedOutput()
	return string(output), err
}

// env returns what init.sh wrote to .env.
func (d deployment) env() map[string]string {
	d.t.Helper()
	env, err := dotenv.Read(filepath.Join(d.folder, ".env"))
	require.NoError(d.t, err)
	return env
}

// load reads Compose files as "docker compose" does.
func (d deployment) load(env map[string]string, files ...string) (*types.Project, error) {
	d.t.Helper()
	details := types.ConfigDetails{WorkingDir: d.folder, Environment: env}
	for _, file := range files {
		details.ConfigFiles = append(details.ConfigFiles, types.ConfigFile{Filename: filepath.Join(d.folder, file)})
	}
	return loader.LoadWithContext(d.t.Context(), details, func(o *loader.Options) { o.SetProjectName("capzone", true) })
}

// project is the deployment's docker-compose.yml with the given overrides.
func (d deployment) project(overrides ...string) *types.Project {
	d.t.Helper()
	p, err := d.load(d.env(), append([]string{"docker-compose.yml"}, overrides...)...)
	require.NoError(d.t, err)
	return p
}

const simulated = "deploy/docker/simulated.yml"

// environment lists a container's variables as a process gets them.
func environment(s types.ServiceConfig) (list []string) {
	for name, value := range s.Environment {
		if value != nil {
			list = append(list, name+"="+*value)
		}
	}
	return list
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(bytes.TrimSpace(data))
}
