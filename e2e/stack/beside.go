package stack

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"capzone.dev/devstack/freeport"
	"capzone.dev/devstack/httpget"
)

// Beside starts further processes of the given kinds with some settings changed, on the same servers and behind a
// gateway of their own, whose address is returned. They end when stop is called.
func (s Stack) Beside(
	ctx context.Context, kinds []string, changed map[string]string,
) (site string, stop func(), err error) {
	var commands []*exec.Cmd
	stop = func() {
		for _, command := range commands {
			_ = command.Process.Signal(syscall.SIGTERM)
		}
		for _, command := range commands {
			_ = command.Wait()
		}
	}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	start := func(kind string, more map[string]string) (address string, err error) {
		p, err := s.process(kind)
		if err != nil {
			return "", err
		}
		var addresses [2]string
		for i := range addresses {
			port, err := freeport.Pick()
			if err != nil {
				return "", err
			}
			addresses[i] = fmt.Sprintf("127.0.0.1:%d", port)
		}
		settings := map[string]string{"HTTP_ADDR": addresses[0], "OPS_ADDR": addresses[1]}
		maps.Copy(settings, changed)
		maps.Copy(settings, more)
		command := s.command(context.WithoutCancel(ctx), p, settings)
		if err := command.Start(); err != nil {
			return "", err
		}
		commands = append(commands, command)
		return addresses[0], awaitReady(ctx, kind, "http://"+addresses[1]+"/readyz")
	}
	behind := map[string]string{}
	for _, kind := range kinds {
		address, err := start(kind, nil)
		if err != nil {
			return "", nil, err
		}
		behind[strings.ToUpper(kind)+"_ADDR"] = address
	}
	address, err := start("gateway", behind)
	if err != nil {
		return "", nil, err
	}
	return "http://" + strings.Replace(address, "127.0.0.1", "localhost", 1), stop, nil
}

const readyTimeout = 30 * time.Second

func awaitReady(ctx context.Context, kind, address string) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		_, err := httpget.Body(ctx, address)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w", kind, err)
		case <-time.After(pollEvery):
		}
	}
}
