package app

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/service"
)

// Config is what the bot reads from the environment.
type Config struct {
	service.ProcessConfig

	// Mode says where rooms are opened. It has no default: a bot that simulates by mistake lets anybody log in as
	// anyone.
	Mode Mode `env:"BOT_MODE,required,notEmpty"`
	// Rooms is how many rooms the bot holds at once; zero is the mode's usual number.
	Rooms Capacity `env:"BOT_ROOMS"`
	// RoomBurst rooms are created at once, after that one in each RoomInterval; empty is the mode's usual interval.
	RoomBurst    int      `env:"BOT_ROOM_BURST" envDefault:"3"`
	RoomInterval Interval `env:"BOT_ROOM_INTERVAL"`
	// SpareRooms is how many rooms are created ahead while no login waits; only in real mode.
	SpareRooms int `env:"BOT_SPARE_ROOMS" envDefault:"2"`
	// LineTimeout is how long a login waits for a room.
	LineTimeout Wait `env:"BOT_LINE_TIMEOUT" envDefault:"70s"`
	// UnusedAfter is how long a room that nobody entered is kept while other logins wait.
	UnusedAfter Wait `env:"BOT_UNUSED_AFTER" envDefault:"60s"`
	// CheckEvery is how often the bot enters a room of its own as a visitor; only in real mode.
	CheckEvery Wait `env:"BOT_CHECK_EVERY" envDefault:"1h"`
	// PublicURL is where browsers reach the simulated rooms. Empty means
	// http://localhost with the port that is listened on.
	PublicURL service.SiteURL `env:"BOT_PUBLIC_URL"`
	// Patience is how long the bot keeps its rooms while NATS is away.
	Patience time.Duration `env:"BOT_NATS_PATIENCE" envDefault:"30s"`
	GameConfig
}

// errAccountUnused is returned where probably the other mode was meant.
var errAccountUnused = errors.New("BOT_ACCOUNT_* names a game account, which simulated rooms do not use: " +
	"set BOT_MODE=real, or no account")

// Check reports what only some modes need, and what does not fit the mode.
func (c Config) Check() error {
	err := c.checkPace()
	if c.Mode != Real {
		if c.AccountFile != "" || c.AccountName != "" || c.AccountPassword != "" {
			err = errors.Join(err, errAccountUnused)
		}
		return err
	}
	_, accountErr := c.credentials()
	_, clientErr := c.client()
	return errors.Join(err, accountErr, clientErr)
}

// checkPace returns an error for numbers that cannot be.
func (c Config) checkPace() error {
	var errs []error
	if c.RoomBurst < 0 || c.RoomBurst > maxRooms {
		errs = append(errs, fmt.Errorf("BOT_ROOM_BURST must be a number from 1 to %d", maxRooms))
	}
	if c.SpareRooms < 0 {
		errs = append(errs, errors.New("BOT_SPARE_ROOMS must not be negative"))
	}
	return errors.Join(errs...)
}

// Wait is a time of the line or between checks.
type Wait time.Duration

// UnmarshalText accepts 1s to 24h.
func (w *Wait) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < time.Second || d > 24*time.Hour {
		return errors.New("must be a time from 1s to 24h")
	}
	*w = Wait(d)
	return nil
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

// verification returns how many rooms the bot holds, and how fast it creates them.
func (c Config) verification() verification.Config {
	cfg := verification.Config{
		Capacity: c.capacity(), Burst: max(1, c.RoomBurst), Interval: time.Duration(c.RoomInterval),
		LineTimeout: time.Duration(c.LineTimeout), UnusedAfter: time.Duration(c.UnusedAfter),
	}
	if c.Mode == Real {
		cfg.Spares, cfg.CheckEvery = c.SpareRooms, time.Duration(c.CheckEvery)
		if cfg.Interval == 0 {
			cfg.Interval = usualRealInterval
		}
	}
	return cfg
}

// usualRealInterval is the pace at which public bots of the game create rooms.
const usualRealInterval = 2500 * time.Millisecond

// Interval is the time between two creations of a room.
type Interval time.Duration

// UnmarshalText accepts 1ms to 1m.
func (i *Interval) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < time.Millisecond || d > time.Minute {
		return errors.New("must be a time from 1ms to 1m, as in 2500ms")
	}
	*i = Interval(d)
	return nil
}

// capacity returns how many rooms the bot holds at once.
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

// roomsURL returns where browsers find the rooms that are served at address.
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
