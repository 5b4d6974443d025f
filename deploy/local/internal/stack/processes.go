package stack

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Kind is a program of the stack. Each of its replicas gets free ports and the settings that all share
// (see sharedSettings); what only this kind needs is in its own function.
type Kind struct {
	Name     string
	Package  string // what `go build` makes the program of, seen from the root of the tree
	Stage    int    // one stage starts when the one before it is ready, and stops when the one after it has stopped
	Database bool   // has a database of its own, capzone_<name>
	Bucket   bool   // has a bucket of its own, capzone-<name>
	Behind   string // the gateway's setting for this kind's addresses
	Settings func(s *Stack, self Replica) map[string]string
}

// Kinds are the programs of Capzone, besides the servers that they stand on. Auth comes first because all others
// read its keys, the gateway last and goes first. They would find each other in any order, with
// warnings on the way.
var Kinds = []Kind{
	{Name: "auth", Package: "./services/auth/cmd/auth", Stage: 1, Database: true, Behind: "AUTH_ADDR",
		Settings: authSettings},
	{Name: "maps", Package: "./services/maps/cmd/maps", Stage: 2, Database: true, Bucket: true, Behind: "MAPS_ADDR"},
	{Name: "records", Package: "./services/records/cmd/records", Stage: 2, Database: true, Bucket: true,
		Behind: "RECORDS_ADDR"},
	{Name: "players", Package: "./services/players/cmd/players", Stage: 2, Database: true, Bucket: true,
		Behind: "PLAYERS_ADDR"},
	{Name: "bot", Package: "./bot/cmd/bot", Stage: 2, Settings: botSettings},
	{Name: gatewayName, Package: "./gateway/cmd/gateway", Stage: 3, Settings: gatewaySettings},
}

// Provision is the command that makes the event streams, run before everything else.
const Provision = "./platform/cmd/provision"

const gatewayName = "gateway"

// provisioner is the user of NATS that makes the streams.
const provisioner = "provision"

// Replica is one process of a kind.
type Replica struct {
	Kind   Kind
	Number int // from 1
	HTTP   string
	Ops    string
}

// name is the kind's, with the number where there are several.
func (r Replica) name(of int) string {
	if of == 1 {
		return r.Kind.Name
	}
	return fmt.Sprintf("%s.%d", r.Kind.Name, r.Number)
}

// sharedSettings are every process's.
func sharedSettings(s *Stack, self Replica) map[string]string {
	settings := map[string]string{
		"HTTP_ADDR":     self.HTTP,
		"OPS_ADDR":      self.Ops,
		"NATS_URL":      s.natsURL(self.Kind.Name),
		"REDIS_URL":     s.servers.Redis,
		"S3_ENDPOINT":   s.servers.S3.Endpoint,
		"S3_ACCESS_KEY": s.servers.S3.AccessKey,
		"S3_SECRET_KEY": s.servers.S3.SecretKey,
		"JWKS_URL":      s.keysURLs(),
		"PUBLIC_URL":    s.settings.PublicURL,
	}
	if self.Kind.Database {
		settings["DATABASE_URL"] = databaseURL(s.servers.Database, databaseName(self.Kind.Name))
	}
	if self.Kind.Bucket {
		settings["S3_BUCKET"] = "capzone-" + self.Kind.Name
	}
	return settings
}

// keysURLs is where each replica of auth publishes the keys of tokens.
func (s *Stack) keysURLs() string {
	var urls []string
	for _, address := range s.addresses("auth") {
		urls = append(urls, "http://"+address+"/.well-known/jwks.json")
	}
	return strings.Join(urls, ",")
}

func authSettings(s *Stack, _ Replica) map[string]string {
	return map[string]string{
		"TOKEN_KEYS_FILE":  s.file("token-keys.pem"),
		"CODE_SECRET_FILE": s.file("code-secret"),
	}
}

func botSettings(_ *Stack, self Replica) map[string]string {
	_, port, _ := strings.Cut(self.HTTP, ":")
	return map[string]string{"BOT_PUBLIC_URL": "http://localhost:" + port}
}

func gatewaySettings(s *Stack, _ Replica) map[string]string {
	settings := map[string]string{}
	for _, kind := range s.kinds {
		if kind.Behind != "" {
			settings[kind.Behind] = strings.Join(s.addresses(kind.Name), ",")
		}
	}
	site := filepath.Join(s.root, "web", "dist")
	if _, err := os.Stat(filepath.Join(site, "index.html")); err == nil {
		settings["WEB_DIR"] = site
	}
	return settings
}

// generous are limits for one machine, on which all visitors have one address. The environment overrides them.
var generous = map[string]string{
	"ROOMS_PER_HOUR":       "1000000",
	"ROOMS_PER_ADDRESS":    "1000000",
	"SUBMISSIONS_PER_HOUR": "1000000",
	"REQUESTS_PER_MINUTE":  "1000000",
	"LOGINS_PER_MINUTE":    "1000000",

	"CONNECTIONS_PER_ADDRESS":        "100000",
	"REQUESTS_IN_FLIGHT_PER_ADDRESS": "100000",
}

// development are the settings of a stack that is watched at a terminal. The environment overrides them.
var development = map[string]string{
	"LOG_FORMAT":  "text",
	"BOT_MODE":    "simulated",
	"DRAIN_DELAY": "0s", // Ctrl-C stops all at once
}
