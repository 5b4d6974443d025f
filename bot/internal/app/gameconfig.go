package app

import (
	"crypto/x509"
	"encoding/pem"
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
	// SiteName is a part of the rooms' names and of the User-Agent.
	SiteName SiteName `env:"BOT_SITE_NAME" envDefault:"Capzone"`
	// The account's name and password, or a file with the one in its first and the other in its second line.
	AccountName     string        `env:"BOT_ACCOUNT_NAME"`
	AccountPassword bonkio.Secret `env:"BOT_ACCOUNT_PASSWORD"`
	AccountFile     string        `env:"BOT_ACCOUNT_FILE"`

	// Servers are used where the game itself names none.
	Servers   ServerNames `env:"BOT_GAME_SERVERS"    envDefault:"b2ny1"`
	SocketURL SocketURL   `env:"BOT_GAME_SOCKET_URL" envDefault:"wss://{server}.bonk.io/socket.io/"`
	LoginURL  LoginURL    `env:"BOT_GAME_LOGIN_URL"  envDefault:"https://bonk2.io/scripts/login_legacy.php"`
	// RoomsURL names a server; empty is getrooms.php beside LoginURL.
	RoomsURL LoginURL `env:"BOT_GAME_ROOMS_URL"`
	LinkURL  LinkURL  `env:"BOT_GAME_LINK_URL"   envDefault:"https://bonk.io/"`
	Version  int      `env:"BOT_GAME_VERSION"    envDefault:"49"`
	Location Location `env:"BOT_GAME_LOCATION"   envDefault:"40.71,-74.01,US"`
	// CAFile completes the chains of the game's servers. What it holds is no root.
	CAFile string `env:"BOT_GAME_CA_FILE"`
	// IPv4 makes login and rooms leave by IPv4, where the machine has several addresses.
	IPv4 bool `env:"BOT_GAME_IPV4" envDefault:"false"`
	// Contact is an address for the game's owners, in the User-Agent.
	Contact Contact `env:"BOT_CONTACT"`

	// ChatSpacing is the shortest time between two lines of a room's chat.
	ChatSpacing Spacing `env:"BOT_CHAT_SPACING" envDefault:"700ms"`
}

// How the game is treated.
const (
	firstBackoff, maxBackoff = 2 * time.Second, 15 * time.Minute
	guestStay, guestReads    = 12 * time.Second, 5 * time.Second
	closingPause             = 3 * time.Second
)

// rooms returns how to treat the game.
func (c GameConfig) rooms() (gameroom.Config, error) {
	account, err := c.credentials()
	if err != nil {
		return gameroom.Config{}, err
	}
	return gameroom.Config{
		Account: account, Servers: c.servers(), SiteName: string(c.SiteName),
		Backoff:   gameroom.BackoffLimits{Initial: firstBackoff, Max: maxBackoff},
		GuestStay: guestStay, GuestReads: guestReads, ClosingPause: closingPause,
	}, nil
}

// servers returns the operator's servers.
func (c GameConfig) servers() []bonkio.Server {
	servers := make([]bonkio.Server, len(c.Servers))
	for i, name := range c.Servers {
		servers[i] = bonkio.Server{Name: name, Location: bonkio.Location(c.Location)}
	}
	return servers
}

// client returns where the game is, and how the bot presents itself.
func (c GameConfig) client() (bonkio.Config, error) {
	intermediates, err := c.intermediates()
	if err != nil {
		return bonkio.Config{}, err
	}
	roomsURL := string(c.RoomsURL)
	if roomsURL == "" {
		login, err := url.Parse(string(c.LoginURL))
		if err != nil {
			return bonkio.Config{}, fmt.Errorf("BOT_GAME_LOGIN_URL: %w", err)
		}
		roomsURL = login.JoinPath("..", "getrooms.php").String()
	}
	userAgent := strings.Join(strings.Fields(string(c.SiteName)), "") + "-bot/1.0"
	if c.Contact != "" {
		userAgent += " (" + string(c.Contact) + ")"
	}
	return bonkio.Config{
		LoginURL: string(c.LoginURL), RoomsURL: roomsURL, SocketURL: string(c.SocketURL), LinkURL: string(c.LinkURL),
		Version: c.Version, Intermediates: intermediates, IPv4: c.IPv4, UserAgent: userAgent,
		ChatSpacing: time.Duration(c.ChatSpacing),
	}, nil
}

var (
	errNoAccount = errors.New("real mode needs a game account: " +
		"BOT_ACCOUNT_FILE, or BOT_ACCOUNT_NAME and BOT_ACCOUNT_PASSWORD")
	errTwoAccounts = errors.New("BOT_ACCOUNT_FILE and BOT_ACCOUNT_NAME or BOT_ACCOUNT_PASSWORD are both set: " +
		"set one or the other")
	errAccountFile = errors.New("BOT_ACCOUNT_FILE: the first line must be the account's name, " +
		"the second its password")
)

// credentials returns the game account's. No error holds what a file holds.
func (c GameConfig) credentials() (bonkio.Credentials, error) {
	if c.AccountFile == "" {
		if c.AccountName == "" || c.AccountPassword == "" {
			return bonkio.Credentials{}, errNoAccount
		}
		return bonkio.Credentials{Name: c.AccountName, Password: c.AccountPassword}, nil
	}
	if c.AccountName != "" || c.AccountPassword != "" {
		return bonkio.Credentials{}, errTwoAccounts
	}
	text, err := os.ReadFile(c.AccountFile)
	if err != nil {
		return bonkio.Credentials{}, fmt.Errorf("BOT_ACCOUNT_FILE: %w", err)
	}
	name, rest, _ := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	password, _, _ := strings.Cut(rest, "\n")
	if strings.TrimSpace(name) == "" || password == "" {
		return bonkio.Credentials{}, errAccountFile
	}
	return bonkio.Credentials{Name: strings.TrimSpace(name), Password: bonkio.Secret(password)}, nil
}

// intermediates reads the certificates of the file.
func (c GameConfig) intermediates() ([]*x509.Certificate, error) {
	if c.CAFile == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, fmt.Errorf("BOT_GAME_CA_FILE: %w", err)
	}
	var found []*x509.Certificate
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("BOT_GAME_CA_FILE: %w", err)
		}
		found = append(found, certificate)
	}
	if len(found) == 0 {
		return nil, errors.New("BOT_GAME_CA_FILE holds no certificate in PEM")
	}
	return found, nil
}

// Contact is a mail address or a web page.
type Contact string

var contactText = regexp.MustCompile(`^[!-~]{3,100}$`)

// UnmarshalText accepts 3 to 100 visible ASCII characters without spaces.
func (c *Contact) UnmarshalText(text []byte) error {
	if !contactText.Match(text) {
		return errors.New("must be a mail address or a web page")
	}
	*c = Contact(text)
	return nil
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

// UnmarshalText accepts names with commas between them.
func (s *ServerNames) UnmarshalText(text []byte) error {
	var names []string
	for name := range strings.SplitSeq(string(text), ",") {
		name = strings.TrimSpace(name)
		if !bonkio.IsServerName(name) {
			return fmt.Errorf("%q is no server's name such as b2ny1", name)
		}
		names = append(names, name)
	}
	*s = names
	return nil
}

// SocketURL is where a server accepts connections.
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

// protected reports whether what is sent to an address is encrypted, or stays on this machine.
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
		isPlace := latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
		if err == nil && err2 == nil && isPlace && countryCode.MatchString(country) {
			*l = Location{Latitude: latitude, Longitude: longitude, Country: country}
			return nil
		}
	}
	return errors.New("must be LATITUDE,LONGITUDE,COUNTRY in degrees and two letters, as in 40.71,-74.01,US")
}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

const maxSpacing = 3 * time.Second

// Spacing is a time between lines of chat.
type Spacing time.Duration

// UnmarshalText accepts 0 to 3 seconds.
func (s *Spacing) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < 0 || d > maxSpacing {
		return errors.New("must be a time from 0s to 3s, as in 700ms")
	}
	*s = Spacing(d)
	return nil
}
