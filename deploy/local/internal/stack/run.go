package stack

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Run runs a service's program with other arguments (an operator's command) and the settings of the service's
// process in the stack that runs on the data folder.
func Run(ctx context.Context, dataDir, kind string, arguments []string) error {
	state, err := ReadState(dataDir)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(state.Processes, func(p ProcessState) bool { return p.Kind == kind })
	if at < 0 {
		var names []string
		for _, p := range state.Processes {
			names = append(names, p.Kind)
		}
		return fmt.Errorf("no process called %q: there are %s", kind, strings.Join(slices.Compact(names), ", "))
	}
	command := exec.CommandContext(ctx, state.Processes[at].Program, arguments...)
	command.Env = os.Environ()
	for name, value := range state.Processes[at].Settings {
		command.Env = append(command.Env, name+"="+value)
	}
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	return command.Run()
}
