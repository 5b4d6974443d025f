package stack

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"capzone.dev/devstack/programs"
)

// Kind is a program of the stack. Each of its replicas gets free ports, the settings that all programs
// share (see sharedSettings) and those of Settings.
type Kind struct {
	Name     string
	Program  string // its path
	Stage    int    // a stage starts when the one before is ready, and stops when the one after has stopped
	Service  bool   // is behind the gateway, and has a database of its own, capzone_<name>
	Optional bool   // the site is up without it: the stack waits until it runs, not until it is ready
	Settings func(s *Stack, self Replica) map[string]string
}

// The first stage has the service whose keys all others read, the last one the gateway. Another order would only cause
// warnings.
const firstStage, lastStage = 1, 3

// Kinds returns the programs of Capzone, besides the servers that they use: the services of deploy/services.yaml, the
// bot and the gateway.
func Kinds(root string) ([]Kind, error) {
	services, err := programs.Services(root)
	if err != nil {
		return nil, err
	}
	kinds := []Kind{
		{Name: "bot", Stage: 2, Optional: true, Settings: botSettings},
		{Name: gatewayName, Stage: lastStage, Settings: gatewaySettings},
	}
	for _, s := range services {
		kind := Kind{Name: s.Name, Stage: 2, Service: true}
		if s.Keys {
			kind.Stage, kind.Settings = firstStage, authSettings
		}
		kinds = append(kinds, kind)
	}
	for i := range kinds {
		kinds[i].Program = programs.Path(root, kinds[i].Name)
	}
	return kinds, nil
}

const gatewayName = "gateway"

// Replica is one process of a kind.
type Replica struct {
	Kind Kind
	Name string // of the kind, and the number of the replica if the kind has several
	HTTP string
	Ops  string
}

// sharedSettings returns the settings of every process.
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
		"PUBLIC_URL":    s.Settings.PublicURL,
	}
	if self.Kind.Service {
		settings["MIGRATION_DATABASE_URL"], settings["DATABASE_URL"] = databaseURLs(s.servers.Database, self.Kind.Name)
	}
	return settings
}

// keysURLs returns the URLs at which the replicas of auth publish the keys of tokens.
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
	for _, kind := range s.Kinds {
		if kind.Service {
			settings[strings.ToUpper(kind.Name)+"_ADDR"] = strings.Join(s.addresses(kind.Name), ",")
		}
	}
	site := filepath.Join(s.Root, "web", "dist")
	if _, err := os.Stat(filepath.Join(site, "index.html")); err == nil {
		settings["WEB_DIR"] = site
	}
	return settings
}

// generous has limits for one machine, on which all visitors have one address. The environment overrides them.
var generous = map[string]string{
	"ROOMS_PER_HOUR":       "1000000",
	"ROOMS_PER_ADDRESS":    "1000000",
	"SUBMISSIONS_PER_HOUR": "1000000",
	"REQUESTS_PER_MINUTE":  "1000000",
	"LOGINS_PER_MINUTE":    "1000000",

	"REQUESTS_IN_FLIGHT_PER_ADDRESS": "100000",
	"STREAMS_PER_ADDRESS":            "100000",
	"TOKEN_REQUESTS_PER_MINUTE":      "1000000",
	"INVALID_TOKENS_PER_MINUTE":      "1000000",
}

// development has settings for a stack at a terminal. The environment overrides them.
var development = map[string]string{
	"LOG_FORMAT":  "text",
	"BOT_MODE":    "simulated",
	"DRAIN_DELAY": "0s", // Ctrl-C stops all at once
}

// provision runs the command that makes the event streams.
func (s *Stack) provision(ctx context.Context) error {
	command := exec.CommandContext(ctx, s.Provision)
	command.Env = s.environment(map[string]string{"NATS_URL": s.natsURL("provision")})
	output, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("provision: %w\n%s", err, strings.TrimSpace(string(output)))
	}
	return nil
}

// natsURL returns the URL of NATS for a user, as named in deploy/nats, with the user's password if there is one.
func (s *Stack) natsURL(user string) string {
	password, ok := s.Environment["NATS_"+strings.ToUpper(user)+"_PASSWORD"]
	address, err := url.Parse(s.servers.NATS)
	if !ok || err != nil {
		return s.servers.NATS
	}
	address.User = url.UserPassword(user, password)
	return address.String()
}
