package app

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"capzone.dev/platform/service"
	"capzone.dev/platform/telemetry"
)

// Config is what the bot reads from the environment.
type Config struct {
	HTTPAddr string `env:"HTTP_ADDR" envDefault:":8080"`
	OpsAddr  string `env:"OPS_ADDR"  envDefault:":9090"`
	NATSURL  string `env:"NATS_URL,required,notEmpty"`
	// Mode says where rooms are opened. It has no default: a bot that simulates by mistake lets anybody log in as
	// anyone.
	Mode Mode `env:"BOT_MODE,required,notEmpty"`
	// Rooms is how many rooms the bot holds at once; zero is the mode's usual number.
	Rooms Capacity `env:"BOT_ROOMS"`
	// PublicURL is where browsers reach the simulated rooms. Empty means
	// http://localhost with the port that is listened on.
	PublicURL service.SiteURL `env:"BOT_PUBLIC_URL"`
	// Patience is how long the bot keeps its rooms while NATS is away.
	Patience time.Duration `env:"BOT_NATS_PATIENCE" envDefault:"30s"`
	GameConfig
	service.LogConfig
	Tracing telemetry.Config

	// OnListen is called when the rooms' page and the operations listener are
	// open, so that tests learn which ports ":0" became. In real mode there are no pages, and rooms is nil.
	OnListen func(rooms, ops net.Addr) `env:"-"`
}

// errAccountUnused is for whoever meant the other mode.
var errAccountUnused = errors.New("BOT_ACCOUNT_* names a game account, which simulated rooms have no use for: set BOT_MODE=real, or no account")

// Check reports what only some modes need, and what does not fit the mode.
func (c Config) Check() error {
	if c.Mode != Real {
		if c.AccountFile != "" || c.AccountName != "" || c.AccountPassword != "" {
			return errAccountUnused
		}
		return nil
	}
	_, err := c.credentials()
	_, caErr := c.authorities()
	return errors.Join(err, caErr)
}

// Mode names a verification.Game.
type Mode string

const (
	// Simulated rooms are web pages, for development.
	Simulated Mode = "simulated"
	// Real rooms are on the game's own servers.
	Real Mode = "real"
)

// UnmarshalText accepts the name of a mode.
func (m *Mode) UnmarshalText(text []byte) error {
	switch Mode(text) {
	case Simulated, Real:
		*m = Mode(text)
		return nil
	default:
		return fmt.Errorf("there is no mode %q; the modes are %q and %q", text, Simulated, Real)
	}
}

const (
	maxRooms = 1000
	// Rooms at once where the operator says nothing. Each real one is a connection to the game.
	usualSimulatedRooms, usualRealRooms = 64, 8
)

// Capacity is a number of rooms.
type Capacity int

// UnmarshalText accepts 1 to 1000.
func (c *Capacity) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > maxRooms {
		return fmt.Errorf("must be a number from 1 to %d", maxRooms)
	}
	*c = Capacity(n)
	return nil
}

// capacity is how many rooms the bot holds at once.
func (c Config) capacity() int {
	switch {
	case c.Rooms > 0:
		return int(c.Rooms)
	case c.Mode == Real:
		return usualRealRooms
	default:
		return usualSimulatedRooms
	}
}

// roomsURL is where browsers find the rooms that are served at address.
func (c Config) roomsURL(address net.Addr) string {
	if c.PublicURL.Host != "" {
		return c.PublicURL.Origin()
	}
	port := 0
	if tcp, ok := address.(*net.TCPAddr); ok {
		port = tcp.Port
	}
	return "http://localhost:" + strconv.Itoa(port)
}
