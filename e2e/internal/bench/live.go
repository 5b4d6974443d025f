package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"capzone.dev/e2e/stack"
)

// liveReaders is how many readers of the live stream one gateway has to serve.
const liveReaders = 5000

// liveMemory reports what the gateway holds while many clients read the live stream.
func (b *bench) liveMemory(ctx context.Context) error {
	i := slices.IndexFunc(b.running.Processes, func(p stack.Process) bool { return p.Kind == "gateway" })
	if i < 0 {
		return errors.New("the stack has no gateway")
	}
	before, err := residentMiB(b.running.Processes[i].PID)
	if err != nil {
		return err
	}
	closeAll, err := openReaders(ctx, strings.TrimPrefix(b.gateway, "http://"), liveReaders)
	defer closeAll()
	if err != nil {
		return err
	}
	with, err := residentMiB(b.running.Processes[i].PID)
	if err != nil {
		return err
	}
	b.add("5,000 readers of the live stream: memory of the gateway", fmt.Sprintf("%d MiB", with),
		fmt.Sprintf("%d MiB without", before), "≤ 150 MiB", 0, with <= 150)
	return nil
}

// openReaders opens streams of live events and waits until each of them has sent something.
func openReaders(ctx context.Context, address string, count int) (closeAll func(), err error) {
	conns := make([]net.Conn, count)
	closeAll = func() {
		for _, conn := range conns {
			if conn != nil {
				_ = conn.Close()
			}
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(64)
	for i := range conns {
		group.Go(func() error {
			var dialer net.Dialer
			conn, err := dialer.DialContext(ctx, "tcp", address)
			if err != nil {
				return err
			}
			conns[i] = conn
			if _, err := fmt.Fprintf(conn, "GET %s/events HTTP/1.1\r\nHost: %s\r\n\r\n", basePath, address); err != nil {
				return err
			}
			for lines := bufio.NewScanner(conn); lines.Scan(); {
				if strings.HasPrefix(lines.Text(), ": keep-alive") {
					return nil
				}
			}
			return fmt.Errorf("reader %d got no stream", i)
		})
	}
	return closeAll, group.Wait()
}

// residentMiB returns the memory of a process that is in use, in MiB.
func residentMiB(pid int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, resident, _ := strings.Cut(string(status), "VmRSS:")
	var kib int
	_, err = fmt.Sscan(resident, &kib)
	return kib / 1024, err
}
