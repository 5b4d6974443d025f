package app

import (
	"cmp"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
)

// GameConfig says how the real mode reaches the game.
type GameConfig struct {
	// SiteName is a part of the rooms' names and of the User-Agent.
	SiteName string `env:"BOT_SITE_NAME" envDefault:"Capzone"`
	// The account's name and password, or a file with the one in its first and the other in its second line.
	AccountName     string        `env:"BOT_ACCOUNT_NAME"`
	AccountPassword bonkio.Secret `env:"BOT_ACCOUNT_PASSWORD"`
	AccountFile     string        `env:"BOT_ACCOUNT_FILE"`

	// Servers are used where the game itself names none.
	Servers   []string `env:"BOT_GAME_SERVERS"    envDefault:"b2ny1"`
	SocketURL string   `env:"BOT_GAME_SOCKET_URL" envDefault:"wss://{server}.bonk.io/socket.io/"`
	LoginURL  string   `env:"BOT_GAME_LOGIN_URL"  envDefault:"https://bonk2.io/scripts/login_legacy.php"`
	// RoomsURL names a server; empty is getrooms.php beside LoginURL.
	RoomsURL string   `env:"BOT_GAME_ROOMS_URL"`
	LinkURL  string   `env:"BOT_GAME_LINK_URL"   envDefault:"https://bonk.io/"`
	Version  int      `env:"BOT_GAME_VERSION"    envDefault:"49"`
	Location Location `env:"BOT_GAME_LOCATION"   envDefault:"40.71,-74.01,US"`
	// CAFile has intermediate certificates, which complete the chains of the game's servers.
	CAFile string `env:"BOT_GAME_CA_FILE"`
	// IPv4 makes login and rooms use IPv4, where the machine has several addresses.
	IPv4 bool `env:"BOT_GAME_IPV4" envDefault:"false"`
	// Contact is a mail address or a web page for the game's owners, in the User-Agent.
	Contact string `env:"BOT_CONTACT"`

	// ChatSpacing is the shortest time between two lines of a room's chat.
	ChatSpacing time.Duration `env:"BOT_CHAT_SPACING" envDefault:"700ms"`
}

// The pauses in the rooms of the game.
const (
	firstBackoff, maxBackoff = 2 * time.Second, 15 * time.Minute
	guestStay, guestReads    = 12 * time.Second, 5 * time.Second
	closingPause             = 3 * time.Second
)

const (
	maxSiteName    = 30 // characters: the name fits into a line of the game's chat
	maxChatSpacing = 3 * time.Second
)

var contactText = regexp.MustCompile(`^[!-~]{3,100}$`)

// Check returns an error that names every setting that cannot be used.
func (c GameConfig) Check() error {
	_, accountErr := c.credentials()
	_, certificateErr := c.intermediates()
	length := utf8.RuneCountInString(strings.TrimSpace(c.SiteName))
	socket := strings.ReplaceAll(c.SocketURL, bonkio.ServerPlaceholder, "1") // the place of a host's name or a port
	const address = "%s: must be https://… (http:// only on this machine)"
	errs := []error{
		accountErr, certificateErr,
		require(length >= 1 && length <= maxSiteName, "BOT_SITE_NAME: must have 1 to %d characters", maxSiteName),
		require(c.Contact == "" || contactText.MatchString(c.Contact),
			"BOT_CONTACT: must be a mail address or a web page"),
		require(isBetween(c.ChatSpacing, 0, maxChatSpacing),
			"BOT_CHAT_SPACING: must be a time from 0s to 3s, as in 700ms"),
		require(socket != c.SocketURL && isProtected(socket, "wss", "ws"),
			"BOT_GAME_SOCKET_URL: must be wss://… with %s in it (ws:// only on this machine)",
			bonkio.ServerPlaceholder),
		require(isProtected(c.LoginURL, "https", "http"), address, "BOT_GAME_LOGIN_URL"),
		require(c.RoomsURL == "" || isProtected(c.RoomsURL, "https", "http"), address, "BOT_GAME_ROOMS_URL"),
		require(isProtected(c.LinkURL, "https", "http"), address, "BOT_GAME_LINK_URL"),
		require(len(c.Servers) > 0, "BOT_GAME_SERVERS: must name a server"),
	}
	for _, server := range c.servers() {
		errs = append(errs, require(bonkio.IsServerName(server.Name),
			"BOT_GAME_SERVERS: %q is not a server's name such as b2ny1", server.Name))
	}
	return errors.Join(errs...)
}

// isProtected reports whether requests to an address are encrypted, or stay on this machine: they
// carry the account's password or token.
func isProtected(address, secure, plain string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.User != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	own := u.Hostname() == "localhost" || (ip != nil && ip.IsLoopback())
	return u.Scheme == secure || (u.Scheme == plain && own)
}

// rooms returns how to treat the game.
func (c GameConfig) rooms() (gameroom.Config, error) {
	account, err := c.credentials()
	if err != nil {
		return gameroom.Config{}, err
	}
	return gameroom.Config{
		Account: account, Servers: c.servers(), SiteName: strings.TrimSpace(c.SiteName),
		Backoff:   gameroom.BackoffLimits{Initial: firstBackoff, Max: maxBackoff},
		GuestStay: guestStay, GuestReads: guestReads, ClosingPause: closingPause,
	}, nil
}

// servers returns the operator's servers.
func (c GameConfig) servers() []bonkio.Server {
	servers := make([]bonkio.Server, len(c.Servers))
	for i, name := range c.Servers {
		servers[i] = bonkio.Server{Name: strings.TrimSpace(name), Location: bonkio.Location(c.Location)}
	}
	return servers
}

// client returns where the game is, and how the bot presents itself.
func (c GameConfig) client() (bonkio.Config, error) {
	intermediates, err := c.intermediates()
	if err != nil {
		return bonkio.Config{}, err
	}
	login, err := url.Parse(c.LoginURL)
	if err != nil {
		return bonkio.Config{}, fmt.Errorf("BOT_GAME_LOGIN_URL: %w", err)
	}
	userAgent := strings.Join(strings.Fields(c.SiteName), "") + "-bot/1.0"
	if c.Contact != "" {
		userAgent += " (" + c.Contact + ")"
	}
	return bonkio.Config{
		LoginURL: c.LoginURL, RoomsURL: cmp.Or(c.RoomsURL, login.JoinPath("..", "getrooms.php").String()),
		SocketURL: c.SocketURL, LinkURL: strings.TrimSuffix(c.LinkURL, "/") + "/", Version: c.Version,
		Intermediates: intermediates, IPv4: c.IPv4, UserAgent: userAgent, ChatSpacing: c.ChatSpacing,
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

// credentials returns the game account's. No error holds the contents of the file.
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
		return nil, errors.New("BOT_GAME_CA_FILE has no certificate in PEM")
	}
	return found, nil
}

// Location is where rooms are on the game's map of players.
type Location bonkio.Location

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

// UnmarshalText accepts "LATITUDE,LONGITUDE,COUNTRY", as in 40.71,-74.01,US.
func (l *Location) UnmarshalText(text []byte) error {
	var parsed Location
	_, err := fmt.Sscanf(string(text), "%g,%g,%s", &parsed.Latitude, &parsed.Longitude, &parsed.Country)
	isPlace := parsed.Latitude >= -90 && parsed.Latitude <= 90 && parsed.Longitude >= -180 && parsed.Longitude <= 180
	if err != nil || !isPlace || !countryCode.MatchString(parsed.Country) {
		return errors.New("must be LATITUDE,LONGITUDE,COUNTRY in degrees and two letters, as in 40.71,-74.01,US")
	}
	*l = parsed
	return nil
}
