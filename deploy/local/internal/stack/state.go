package stack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// State is what DATA_DIR/stack.json says about a running stack. It is there from the moment the stack is ready
// until it stops, follows restarts, and is for this user's eyes only.
type State struct {
	Site      string         `json:"site"`
	PID       int            `json:"pid"` // the launcher's
	DataDir   string         `json:"dataDir"`
	Servers   Addresses      `json:"servers"`
	Processes []ProcessState `json:"processes"`
}

// Addresses are where the servers are.
type Addresses struct {
	Database string    `json:"database"` // the server's maintenance database
	NATS     string    `json:"nats"`
	Redis    string    `json:"redis"`
	S3       S3Address `json:"s3"`
}

// S3Address is how to reach object storage.
type S3Address struct {
	Endpoint  string `json:"endpoint"`
	AccessKey string `json:"accessKey"`
	SecretKey string `json:"secretKey"`
}

// ProcessState is one running process. Program and Settings are what an operator's command
// (`players grant`, say) needs to be run beside it.
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
	state := State{Site: s.settings.PublicURL, PID: os.Getpid(), DataDir: s.dataDir, Servers: s.servers}
	for _, p := range s.processes {
		state.Processes = append(state.Processes, ProcessState{
			Name: p.Name(), Kind: p.replica.Kind.Name, PID: p.PID(),
			HTTP: "http://" + p.replica.HTTP, Ops: "http://" + p.replica.Ops,
			Program: s.program(p.replica.Kind.Package), Settings: p.settings,
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

// portFile is where the data folder of the stack on a port is written down, in the user's cache folder,
// so that tools find the stack by its port alone.
func (s *Stack) portFile() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "capzone", "ports", strconv.Itoa(s.settings.Port)), err
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

// removeState removes what says that the stack is ready.
func (s *Stack) removeState() {
	_ = os.Remove(s.file(stateFile))
	if path, err := s.portFile(); err == nil {
		_ = os.Remove(path)
	}
}
