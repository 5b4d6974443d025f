// Command redis runs a Redis (miniredis) for development and tests, which need not link it. It stores nothing on disk.
//
// It has two commands that Redis lacks: "TEST.FORWARD milliseconds" lets the time of all keys pass, and "TEST.FAIL
// message" answers every other command with that error until it gets an empty message.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

func main() {
	port := flag.Int("port", 0, "port of the loopback address")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	redis := miniredis.NewMiniRedis()
	if err := redis.StartAddr(fmt.Sprintf("127.0.0.1:%d", *port)); err != nil {
		fmt.Fprintln(os.Stderr, "redis:", err)
		os.Exit(1) //nolint:gocritic // nothing is left to stop
	}
	addTestCommands(redis)
	expireKeys(ctx, redis)
	redis.Close()
}

// tick is how exactly keys expire: miniredis never does it by itself.
const tick = 100 * time.Millisecond

// expireKeys lets keys expire as time goes by, until ctx ends.
func expireKeys(ctx context.Context, redis *miniredis.Miniredis) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			// What really passed: a busy machine drops ticks.
			redis.FastForward(now.Sub(last))
			last = now
		}
	}
}

// addTestCommands adds the commands by a hook that sees all commands first.
func addTestCommands(redis *miniredis.Miniredis) {
	var failure atomic.Value
	failure.Store("")
	redis.Server().SetPreHook(func(peer *server.Peer, command string, arguments ...string) bool {
		message, _ := failure.Load().(string)
		switch {
		case command == "TEST.FAIL" && len(arguments) == 1:
			failure.Store(arguments[0])
			peer.WriteOK()
		case message != "":
			peer.WriteError(message)
		case command == "TEST.FORWARD" && len(arguments) == 1:
			ms, err := strconv.Atoi(arguments[0])
			if err != nil {
				peer.WriteError("ERR " + err.Error())
				return true
			}
			redis.FastForward(time.Duration(ms) * time.Millisecond)
			peer.WriteOK()
		default:
			return false
		}
		return true
	})
}
