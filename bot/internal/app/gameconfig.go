package app

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
)

// GameConfig says how the real mode reaches the game and treats it.
type GameConfig struct {
	// SiteName is what visitors of a room are greeted with.
	SiteName SiteName `env:"BOT_SITE_NAME" envDefault:"Capzone"`
	// The account's name and password, or a file with the one in its first and the other in its second line.
	AccountName     string        `env:"BOT_ACCOUNT_NAME"`
	AccountPassword bonkio.Secret `env:"BOT_ACCOUNT_PASSWORD"`
	AccountFile     string        `env:"BOT_ACCOUNT_FILE"`

	Servers   ServerNames `env:"BOT_GAME_SERVERS"    envDefault:"b2ny1"`
	SocketURL SocketURL   `env:"BOT_GAME_SOCKET_URL" envDefault:"wss://{server}.bonk.io/socket.io/"`
	LoginURL  LoginURL    `env:"BOT_GAME_LOGIN_URL"  envDefault:"https://bonk2.io/scripts/login_legacy.php"`
	LinkURL   LinkURL     `env:"BOT_GAME_LINK_URL"   envDefault:"https://bonk.io/"`
	Version   int         `env:"BOT_GAME_VERSION"    envDefault:"49"`
	Location  Location    `env:"BOT_GAME_LOCATION"   envDefault:"40.71,-74.01,US"`
	// CAFile adds certificate authorities to the system's.
	CAFile string `env:"BOT_GAME_CA_FILE"`

	RoomsPerMinute Quota `env:"BOT_ROOMS_PER_MINUTE" envDefault:"20"`
	// ChatSpacing is the least time between two lines of a room's chat.
	ChatSpacing Spacing `env:"BOT_CHAT_SPACING" envDefault:"700ms"`
}

// What a login to the game and its rooms are treated with.
const (
	firstBackoff, maxBackoff = 5 * time.Second, 15 * time.Minute
	guestStay, guestReads    = 12 * time.Second, 5 * time.Second
	parting                  = 3 * time.Second
)

// rooms are how to treat the game.
func (c GameConfig) rooms() (gameroom.Config, error) {
	account, err := c.credentials()
	return gameroom.Config{
		Account: account, Servers: c.Servers, SiteName: string(c.SiteName), RoomsPerMinute: int(c.RoomsPerMinute),
		Backoff:   gameroom.BackoffLimits{Initial: firstBackoff, Max: maxBackoff},
		GuestStay: guestStay, GuestReads: guestReads, Parting: parting,
	}, err
}

// client is where the game is.
func (c GameConfig) client() (bonkio.Config, error) {
	authorities, err := c.authorities()
	if err != nil {
		return bonkio.Config{}, err
	}
	lobby, err := gameroom.LobbyMap(string(c.SiteName))
	return bonkio.Config{
		LoginURL: string(c.LoginURL), SocketURL: string(c.SocketURL), LinkURL: string(c.LinkURL),
		Version: c.Version, Location: bonkio.Location(c.Location), RootCAs: authorities,
		Map: lobby, ChatSpacing: time.Duration(c.ChatSpacing),
	}, err
}

var errNoAccount = errors.New("real mode needs a game account: BOT_ACCOUNT_FILE, or BOT_ACCOUNT_NAME and BOT_ACCOUNT_PASSWORD")

// credentials are the game account's. No error holds what a file holds.
func (c GameConfig) credentials() (bonkio.Credentials, error) {
	if c.AccountFile == "" {
		if c.AccountName == "" || c.AccountPassword == "" {
			return bonkio.Credentials{}, errNoAccount
		}
		return bonkio.Credentials{Name: c.AccountName, Password: c.AccountPassword}, nil
	}
	if c.AccountName != "" || c.AccountPassword != "" {
		return bonkio.Credentials{}, errors.New("BOT_ACCOUNT_FILE stands beside BOT_ACCOUNT_NAME or BOT_ACCOUNT_PASSWORD: set one or the other")
	}
	text, err := os.ReadFile(c.AccountFile)
	if err != nil {
		return bonkio.Credentials{}, fmt.Errorf("BOT_ACCOUNT_FILE: %w", err)
	}
	name, rest, _ := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	password, _, _ := strings.Cut(rest, "\n")
	if strings.TrimSpace(name) == "" || password == "" {
		return bonkio.Credentials{}, errors.New("BOT_ACCOUNT_FILE: the account's name stands in the first line, its password in the second")
	}
	return bonkio.Credentials{Name: strings.TrimSpace(name), Password: bonkio.Secret(password)}, nil
}

// authorities are the system's and those of the file; nil where there is no file.
func (c GameConfig) authorities() (*x509.CertPool, error) {
	if c.CAFile == "" {
		return nil, nil // the library's word for the system's
	}
	text, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, fmt.Errorf("BOT_GAME_CA_FILE: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("the system's certificate authorities: %w", err)
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, errors.New("BOT_GAME_CA_FILE holds no certificate in PEM")
	}
	return pool, nil
}

// SiteName is a name that fits into a line of the game's chat.
type SiteName string

const maxSiteName = 30

// UnmarshalText accepts 1 to 30 characters.
func (n *SiteName) UnmarshalText(text []byte) error {
	name := strings.TrimSpace(string(text))
	if length := len([]rune(name)); length < 1 || length > maxSiteName {
		return fmt.Errorf("must have 1 to %d characters", maxSiteName)
	}
	*n = SiteName(name)
	return nil
}

// ServerNames are names of game servers.
type ServerNames []string

var serverName = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// UnmarshalText accepts names with commas between them.
func (s *ServerNames) UnmarshalText(text []byte) error {
	var names []string
	for name := range strings.SplitSeq(string(text), ",") {
		name = strings.TrimSpace(name)
		if !serverName.MatchString(name) {
			return fmt.Errorf("%q is no server's name such as b2ny1", name)
		}
		names = append(names, name)
	}
	*s = names
	return nil
}

// SocketURL is where a server takes connections.
type SocketURL string

// UnmarshalText accepts wss://…{server}…; ws only on this machine, because the
// account's token travels there.
func (u *SocketURL) UnmarshalText(text []byte) error {
	// The placeholder may stand for a port.
	example := strings.ReplaceAll(string(text), bonkio.ServerPlaceholder, "1")
	if !strings.Contains(string(text), bonkio.ServerPlaceholder) || !protected(example, "wss", "ws") {
		return fmt.Errorf("must be wss://… with %s in it (ws:// only on this machine)", bonkio.ServerPlaceholder)
	}
	*u = SocketURL(text)
	return nil
}

// LoginURL is where accounts log in.
type LoginURL string

// UnmarshalText accepts https://…; http only on this machine, because the
// account's password travels there.
func (u *LoginURL) UnmarshalText(text []byte) error {
	if !protected(string(text), "https", "http") {
		return errors.New("must be https://… (http:// only on this machine)")
	}
	*u = LoginURL(text)
	return nil
}

// LinkURL is what links of rooms begin with.
type LinkURL string

// UnmarshalText accepts what LoginURL does.
func (u *LinkURL) UnmarshalText(text []byte) error {
	if !protected(string(text), "https", "http") {
		return errors.New("must be https://… (http:// only on this machine)")
	}
	*u = LinkURL(strings.TrimSuffix(string(text), "/") + "/")
	return nil
}

// protected tells whether nobody on the way can read what is sent to an address.
func protected(address, secure, plain string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.User != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	own := u.Hostname() == "localhost" || (ip != nil && ip.IsLoopback())
	return u.Scheme == secure || (u.Scheme == plain && own)
}

// Location is where rooms claim to be.
type Location bonkio.Location

// UnmarshalText accepts "LATITUDE,LONGITUDE,COUNTRY", as in 40.71,-74.01,US.
func (l *Location) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), ",")
	if len(parts) == 3 {
		latitude, err := strconv.ParseFloat(strings.TrimSpace(parts[0]), 64)
		longitude, err2 := strconv.ParseFloat(strings.TrimSpace(parts[1]), 64)
		country := strings.TrimSpace(parts[2])
		if err == nil && err2 == nil && latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180 && countryCode.MatchString(country) {
			*l = Location{Latitude: latitude, Longitude: longitude, Country: country}
			return nil
		}
	}
	return errors.New("must be LATITUDE,LONGITUDE,COUNTRY in degrees and two letters, as in 40.71,-74.01,US")
}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

const maxRoomsPerMinute = 600

// Quota is a number of rooms a minute.
type Quota int

// UnmarshalText accepts 1 to 600.
func (q *Quota) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > maxRoomsPerMinute {
		return fmt.Errorf("must be a number from 1 to %d", maxRoomsPerMinute)
	}
	*q = Quota(n)
	return nil
}

const maxSpacing = 3 * time.Second

// Spacing is a time between lines of chat.
type Spacing time.Duration

// UnmarshalText accepts 0 to 3 seconds, after which auth would take the bot for silent.
func (s *Spacing) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < 0 || d > maxSpacing {
		return errors.New("must be a time from 0s to 3s, as in 700ms")
	}
	*s = Spacing(d)
	return nil
}
