package app

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/service"
)

// Config is the environment of the bot. docs/settings.md lists the variables.
type Config struct {
	service.ProcessConfig

	// Mode has no default: a bot that simulates by mistake lets anybody log in as anyone.
	Mode Mode `env:"BOT_MODE,required,notEmpty"`
	// Rooms is how many rooms the bot holds at once; 0 is the mode's usual number.
	Rooms int `env:"BOT_ROOMS"`
	// RoomBurst rooms are created at once, after that one in each RoomInterval; 0 is the mode's usual interval.
	RoomBurst    int           `env:"BOT_ROOM_BURST" envDefault:"3"`
	RoomInterval time.Duration `env:"BOT_ROOM_INTERVAL"`
	// SpareRooms is how many rooms are created ahead while no login waits; only in real mode.
	SpareRooms int `env:"BOT_SPARE_ROOMS" envDefault:"2"`
	// QueueTimeout is how long a login waits for a room.
	QueueTimeout time.Duration `env:"BOT_QUEUE_TIMEOUT" envDefault:"70s"`
	// UnusedAfter is how long a room without visitors is kept while other logins wait.
	UnusedAfter time.Duration `env:"BOT_UNUSED_AFTER" envDefault:"60s"`
	// CheckEvery is how often the bot enters a room of its own as a visitor; only in real mode.
	CheckEvery time.Duration `env:"BOT_CHECK_EVERY" envDefault:"1h"`
	// PublicURL is where browsers reach the simulated rooms. Empty means
	// http://localhost with the port that is listened on.
	PublicURL service.SiteURL `env:"BOT_PUBLIC_URL"`
	// NATSOutageTimeout is how long the bot keeps its rooms while NATS is unavailable.
	NATSOutageTimeout time.Duration `env:"BOT_NATS_OUTAGE_TIMEOUT" envDefault:"30s"`
	GameConfig
}

// Mode names a verification.Game.
type Mode string

const (
	// Simulated rooms are web pages, for development.
	Simulated Mode = "simulated"
	// Real rooms are on the game's own servers.
	Real Mode = "real"
)

const (
	maxRooms = 1000
	// Rooms at once where the operator sets no number. Each real one is a connection to the game.
	usualSimulatedRooms, usualRealRooms = 64, 8
	// usualRealInterval is the rate at which public bots of the game create rooms.
	usualRealInterval = 2500 * time.Millisecond
)

// Check returns an error that names every setting that is out of range or does not fit the mode.
func (c Config) Check() error {
	errs := []error{
		require(c.Mode == Real || c.Mode == Simulated, "BOT_MODE: must be %q or %q, not %q", Simulated, Real, c.Mode),
		require(c.Rooms >= 0 && c.Rooms <= maxRooms, "BOT_ROOMS: must be a number from 1 to %d", maxRooms),
		require(c.RoomBurst >= 0 && c.RoomBurst <= maxRooms, "BOT_ROOM_BURST: must be a number from 1 to %d", maxRooms),
		require(c.RoomInterval == 0 || isBetween(c.RoomInterval, time.Millisecond, time.Minute),
			"BOT_ROOM_INTERVAL: must be a time from 1ms to 1m, as in 2500ms"),
		require(c.SpareRooms >= 0, "BOT_SPARE_ROOMS: must not be negative"),
	}
	for name, d := range map[string]time.Duration{
		"BOT_QUEUE_TIMEOUT": c.QueueTimeout, "BOT_UNUSED_AFTER": c.UnusedAfter, "BOT_CHECK_EVERY": c.CheckEvery,
	} {
		errs = append(errs, require(isBetween(d, time.Second, 24*time.Hour), "%s: must be a time from 1s to 24h", name))
	}
	if c.Mode == Real {
		return errors.Join(append(errs, c.GameConfig.Check())...)
	}
	hasAccount := c.AccountFile != "" || c.AccountName != "" || c.AccountPassword != ""
	return errors.Join(append(errs, require(!hasAccount,
		"BOT_ACCOUNT_* names a game account, which simulated rooms do not use: set BOT_MODE=real, or no account"))...)
}

// require returns an error unless a setting is valid.
func require(isValid bool, format string, args ...any) error {
	if isValid {
		return nil
	}
	return fmt.Errorf(format, args...)
}

func isBetween(d, shortest, longest time.Duration) bool { return d >= shortest && d <= longest }

// verification returns how many rooms the bot holds, and how fast it creates them.
func (c Config) verification() verification.Config {
	cfg := verification.Config{
		Burst: max(1, c.RoomBurst), Interval: c.RoomInterval,
		QueueTimeout: c.QueueTimeout, UnusedAfter: c.UnusedAfter,
	}
	if c.Mode == Simulated {
		cfg.Capacity = cmp.Or(c.Rooms, usualSimulatedRooms)
		return cfg
	}
	cfg.Capacity, cfg.Interval = cmp.Or(c.Rooms, usualRealRooms), cmp.Or(c.RoomInterval, usualRealInterval)
	cfg.Spares, cfg.CheckEvery = c.SpareRooms, c.CheckEvery
	return cfg
}

// roomsURL returns where browsers find the simulated rooms that are served at address.
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
