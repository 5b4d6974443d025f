// Package debian installs packages of the Debian system that a process runs on,
// for tests that run their programs.
package debian

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"capzone.dev/devstack/checkout"
)

// Install installs packages. Where this process may not, or the system is
// another one, its error says what to install.
func Install(ctx context.Context, names ...string) error {
	wanted := strings.Join(names, " ")
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return fmt.Errorf("the Debian packages %s are needed: install them as root (apt-get install %[1]s)", wanted)
	}
	// apt-get does not wait for another one's lists.
	folder, err := checkout.Cache()
	if err != nil {
		return err
	}
	unlock, err := checkout.Lock(filepath.Join(folder, "apt.lock"))
	if err != nil {
		return err
	}
	defer unlock()
	for _, arguments := range [][]string{{"update", "-qq"},
		append([]string{"install", "-qq", "-y", "--no-install-recommends"}, names...)} {
		// Somebody else may be installing just now.
		command := exec.CommandContext(ctx, apt, append([]string{"-o", "DPkg::Lock::Timeout=300"}, arguments...)...)
		// No server is to start by itself.
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1")
		if output, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s: %w\n%s", arguments[0], err, strings.TrimSpace(string(output)))
		}
	}
	return nil
}
