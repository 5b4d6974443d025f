package child

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Context returns, in a program that Start runs, a context that ends when the program is to end: at an interrupt, or
// when its standard input ends because the process that started it has ended.
func Context() (ctx context.Context, stop context.CancelFunc) {
	ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	return ctx, stop
}
