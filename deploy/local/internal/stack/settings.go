package stack

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Settings are the launcher's own. All other variables of the environment are passed to the processes.
type Settings struct {
	PortText  string `env:"PORT" envDefault:"8080"`
	DataDir   string `env:"DATA_DIR" envDefault:".local"`
	Replicas  string `env:"REPLICAS"`
	PublicURL string `env:"PUBLIC_URL"` // default: http://localhost:PORT
	// Limits is "defaults" for the limits of a deployment; empty for limits that one machine does not reach.
	Limits string `env:"LIMITS"`

	// Each of these replaces the embedded server.
	DatabaseURL string `env:"DATABASE_URL"`
	NATSURL     string `env:"NATS_URL"`
	RedisURL    string `env:"REDIS_URL"`
	S3Endpoint  string `env:"S3_ENDPOINT"`
	S3AccessKey string `env:"S3_ACCESS_KEY"`
	S3SecretKey string `env:"S3_SECRET_KEY"`

	Port   int            // of PortText
	counts map[string]int // replicas by kind; absent means 1
}

// maxReplicas is a limit for typing errors.
const maxReplicas = 32

// ReadSettings reads the environment and reports every mistake in it at once.
func ReadSettings(environment map[string]string, kinds []Kind) (Settings, error) {
	var s Settings
	err := env.ParseWithOptions(&s, env.Options{Environment: environment})
	var mistakes []error
	if err != nil {
		mistakes = append(mistakes, err)
	}
	if s.Port, err = strconv.Atoi(s.PortText); err != nil || s.Port < 1 || s.Port > 65535 {
		mistakes = append(mistakes, fmt.Errorf("PORT is %q: it must be a number from 1 to 65535", s.PortText))
	}
	if s.Limits != "" && s.Limits != "defaults" {
		mistakes = append(mistakes, fmt.Errorf("LIMITS is %q: must be \"defaults\" or empty", s.Limits))
	}
	if s.S3Endpoint != "" && (s.S3AccessKey == "" || s.S3SecretKey == "") {
		mistakes = append(mistakes, errors.New("S3_ENDPOINT needs S3_ACCESS_KEY and S3_SECRET_KEY beside it"))
	}
	for name, value := range map[string]string{"DATABASE_URL": s.DatabaseURL, "PUBLIC_URL": s.PublicURL,
		"S3_ENDPOINT": s.S3Endpoint} {
		if address, err := url.Parse(value); value != "" && (err != nil || address.Scheme == "" || address.Host == "") {
			mistakes = append(mistakes, fmt.Errorf("%s is not a URL with a scheme and a host", name))
		}
	}
	if s.counts, err = readReplicas(s.Replicas, kinds); err != nil {
		mistakes = append(mistakes, err)
	}
	if s.PublicURL == "" {
		s.PublicURL = "http://localhost:" + strconv.Itoa(s.Port)
	}
	return s, errors.Join(mistakes...)
}

// readReplicas reads a list like "records=3 maps=2".
func readReplicas(list string, kinds []Kind) (map[string]int, error) {
	var names []string
	for _, kind := range kinds {
		if kind.Name != gatewayName { // which has the one port of the site
			names = append(names, kind.Name)
		}
	}
	counts := map[string]int{}
	for _, item := range strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == ',' }) {
		name, number, _ := strings.Cut(item, "=")
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("REPLICAS names %q: there can be several of %s", name, strings.Join(names, ", "))
		}
		count, err := strconv.Atoi(number)
		if err != nil || count < 1 || count > maxReplicas {
			return nil, fmt.Errorf("REPLICAS contains %q: a number from 1 to %d must follow the name, "+
				"as in \"records=3 maps=2\"",
				item, maxReplicas)
		}
		counts[name] = count
	}
	return counts, nil
}

func (s Settings) replicas(kind string) int { return max(1, s.counts[kind]) }
