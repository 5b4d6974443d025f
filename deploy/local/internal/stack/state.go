package stack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"capzone.dev/devstack/localpg"
)

// State is the content of DATA_DIR/stack.json about a running stack. The file exists while the stack is ready,
// follows restarts, and can be read by this user only.
type State struct {
	Site      string         `json:"site"`
	PID       int            `json:"pid"` // the launcher's
	DataDir   string         `json:"dataDir"`
	Servers   Addresses      `json:"servers"`
	Processes []ProcessState `json:"processes"`
}

// Addresses are the addresses of the servers.
type Addresses struct {
	Database string    `json:"database"` // the server's maintenance database
	NATS     string    `json:"nats"`
	Redis    string    `json:"redis"`
	S3       S3Address `json:"s3"`
}

// S3Address is the address of the object storage, with the keys.
type S3Address struct {
	Endpoint  string `json:"endpoint"`
	AccessKey string `json:"accessKey"`
	SecretKey string `json:"secretKey"`
}

// ProcessState is one running process. An operator's command (such as `players grant`) uses its Program and
// Settings.
type ProcessState struct {
	Name     string            `json:"name"`
	Kind     string            `json:"kind"`
	PID      int               `json:"pid"`
	HTTP     string            `json:"http"` // http://host:port
	Ops      string            `json:"ops"`
	Program  string            `json:"program"`
	Settings map[string]string `json:"settings"`
}

const stateFile = "stack.json"

// ErrNotRunning means that there is no ready stack on the data folder.
var ErrNotRunning = errors.New("no stack is running here: start one with `make up`")

// ReadState reads the state of the stack that runs on a data folder.
func ReadState(dataDir string) (State, error) {
	text, err := os.ReadFile(filepath.Join(dataDir, stateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, ErrNotRunning
	}
	if err != nil {
		return State{}, err
	}
	var state State
	if err := json.Unmarshal(text, &state); err != nil {
		return State{}, fmt.Errorf("%s: %w", stateFile, err)
	}
	return state, nil
}

func (s *Stack) writeState() error {
	state := State{Site: s.Settings.PublicURL, PID: os.Getpid(), DataDir: s.dataDir, Servers: s.servers}
	for _, p := range s.processes {
		state.Processes = append(state.Processes, ProcessState{
			Name: p.replica.Name, Kind: p.replica.Kind.Name, PID: p.PID(),
			HTTP: "http://" + p.replica.HTTP, Ops: "http://" + p.replica.Ops,
			Program: p.replica.Kind.Program, Settings: p.settings,
		})
	}
	text, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return err
	}
	if err := writeWhole(s.file(stateFile), append(text, '\n')); err != nil {
		return err
	}
	return s.writePort()
}

// portFile returns the path of the file that contains the data folder of the stack on this port. It is in the
// user's cache folder, so that tools find the stack by its port alone.
func (s *Stack) portFile() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "capzone", "ports", strconv.Itoa(s.Settings.Port)), err
}

// writePort writes the port file. A user without a home folder has none.
func (s *Stack) writePort() error {
	path, err := s.portFile()
	if err != nil {
		return nil //nolint:nilerr // tools then need DATA_DIR
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return writeWhole(path, []byte(s.dataDir+"\n"))
}

// removeState removes the files that exist while the stack is ready.
func (s *Stack) removeState() {
	_ = os.Remove(s.file(stateFile))
	if path, err := s.portFile(); err == nil {
		_ = os.Remove(path)
	}
}

// lockFolder creates the data folder and locks it against other stacks until unlock.
func lockFolder(dataDir string) (unlock func(), err error) {
	if err := os.MkdirAll(dataDir, 0o755); err != nil {
		return nil, fmt.Errorf("DATA_DIR: %w", err)
	}
	path := filepath.Join(dataDir, "lock")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("DATA_DIR: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder, _ := os.ReadFile(path)
		_ = file.Close()
		return nil, fmt.Errorf("another stack runs on %s (process %s): stop it, or choose another DATA_DIR", dataDir,
			strings.TrimSpace(string(holder)))
	}
	_ = file.Truncate(0)
	if _, err := fmt.Fprintln(file, os.Getpid()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, nil // which releases the lock
}

// entries are the files of a stack in its data folder, besides the database.
var entries = []string{
	"nats", "s3", "token-keys.pem", "code-secret", "postgres.log", "nats.log", "redis.log", "s3.log", stateFile,
}

const databaseEntry = "postgres"

// Reset removes everything that a stack stores in its data folder, and nothing else. It returns an error while
// a stack runs there.
func Reset(dataDir string) error {
	unlock, err := lockFolder(dataDir)
	if err != nil {
		return err
	}
	defer unlock()
	if err := localpg.RemoveData(filepath.Join(dataDir, databaseEntry)); err != nil {
		return err
	}
	for _, entry := range append(entries, "lock") {
		if err := os.RemoveAll(filepath.Join(dataDir, entry)); err != nil {
			return err
		}
	}
	_ = os.Remove(dataDir) // unless something else is in it
	return nil
}
