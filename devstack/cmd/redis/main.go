// Command redis runs a Redis (miniredis) for a test, which need not link it. It ends at an interrupt or when its
// standard input ends, and so with the process that started it.
//
// It has two commands that Redis lacks: "TEST.FORWARD milliseconds" lets the time of all keys pass, and "TEST.FAIL
// message" answers every other command with that error until it gets an empty message.
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2/server"

	"capzone.dev/devstack/child"
	"capzone.dev/devstack/localredis"
)

func main() {
	port := flag.Int("port", 0, "port of the loopback address")
	flag.Parse()
	ctx, stop := child.Context()
	defer stop()
	redis, err := localredis.Start(*port)
	if err == nil {
		err = addTestCommands(redis)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "redis:", err)
		os.Exit(1) //nolint:gocritic // nothing is left to stop
	}
	<-ctx.Done()
	redis.Stop()
}

func addTestCommands(redis *localredis.Server) error {
	var failure atomic.Value
	failure.Store("")
	redis.Server().SetPreHook(func(peer *server.Peer, command string, _ ...string) bool {
		message, _ := failure.Load().(string)
		if message == "" || command == "TEST.FAIL" {
			return false
		}
		peer.WriteError(message)
		return true
	})
	err := redis.Server().Register("TEST.FAIL", func(peer *server.Peer, _ string, arguments []string) {
		if len(arguments) != 1 {
			peer.WriteError("ERR TEST.FAIL takes a message")
			return
		}
		failure.Store(arguments[0])
		peer.WriteOK()
	})
	if err != nil {
		return err
	}
	return redis.Server().Register("TEST.FORWARD", func(peer *server.Peer, _ string, arguments []string) {
		if len(arguments) != 1 {
			peer.WriteError("ERR TEST.FORWARD takes milliseconds")
			return
		}
		ms, err := strconv.Atoi(arguments[0])
		if err != nil {
			peer.WriteError("ERR " + err.Error())
			return
		}
		redis.FastForward(time.Duration(ms) * time.Millisecond)
		peer.WriteOK()
	})
}
