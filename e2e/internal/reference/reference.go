// Package reference has the plainest servers that answer as the system does: what
// the machine can do at most, beside which the system is measured.
package reference

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// Config says what a reference server answers.
type Config struct {
	// Constants are bodies by path. The query is not looked at.
	Constants map[string]string
	// Database is the address of the records service's database; where it is set,
	// GET /api/v1/records answers leaderboards from there.
	Database string
}

// Argument is what a program is started with to become a reference server (see Serve).
const Argument = "reference"

// Start runs this program once more, as a reference server in a process of its
// own. It runs until stop is called.
func Start(ctx context.Context, c Config) (address string, stop func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	config, err := json.Marshal(c)
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	command := exec.CommandContext(ctx, program, Argument)
	command.Stdin, command.Stderr = strings.NewReader(string(config)), os.Stderr
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		cancel()
		return "", nil, err
	}
	stop = func() {
		cancel()
		_ = command.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("the reference server did not start: %w", err)
	}
	return strings.TrimSpace(line), stop, nil
}

// Serve reads a Config from in, tells its address on out, and serves until ctx ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var c Config
	if err := json.NewDecoder(in).Decode(&c); err != nil {
		return err
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	for path, body := range c.Constants {
		bytes := []byte(body)
		engine.GET(path, func(c *gin.Context) { c.Data(http.StatusOK, "application/json; charset=utf-8", bytes) })
	}
	if c.Database != "" {
		boards, err := newBoards(ctx, c.Database)
		if err != nil {
			return err
		}
		defer boards.pool.Close()
		engine.GET("/api/v1/records", boards.answer)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: engine, ReadHeaderTimeout: time.Minute}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintf(out, "http://%s\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
