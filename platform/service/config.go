package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/telemetry"
)

// ProcessConfig is the environment of every program. docs/settings.md lists the variables.
type ProcessConfig struct {
	// HTTPAddr is the address of the API. A program without one sets it to "".
	HTTPAddr string `env:"HTTP_ADDR" envDefault:":8080"`
	OpsAddr  string `env:"OPS_ADDR"  envDefault:":9090"`
	NATSURL  string `env:"NATS_URL,required,notEmpty"`
	LogConfig
	// DrainDelay is how long a stopping process still serves while its health checks
	// fail: longer than gateways and clusters take to notice.
	DrainDelay time.Duration `env:"DRAIN_DELAY" envDefault:"3s"`
	Tracing    telemetry.Config

	// Listeners are open already, in place of those at HTTPAddr and OpsAddr.
	Listeners Listeners `env:"-"`
}

// Listeners are those of a program. Nil ones are opened by Process.Listen.
type Listeners struct{ API, Ops net.Listener }

// Config is the environment of a program with a database.
type Config struct {
	ProcessConfig

	DatabaseURL string `env:"DATABASE_URL,required,notEmpty"`
	// MigrationDatabaseURL is the same database for the role that owns its tables. Where it is set, the role of
	// DatabaseURL gets rights to their rows only, and cannot change the audit log.
	MigrationDatabaseURL string  `env:"MIGRATION_DATABASE_URL"`
	PublicURL            SiteURL `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
}

// LogConfig selects the level and the format of the log.
type LogConfig struct {
	LogLevel  slog.Level `env:"LOG_LEVEL"  envDefault:"info"`
	LogFormat LogFormat  `env:"LOG_FORMAT" envDefault:"json"`
}

// LogFormat is the format of log lines, json or text.
type LogFormat string

const textLog LogFormat = "text"

// UnmarshalText accepts the name of a format.
func (f *LogFormat) UnmarshalText(text []byte) error {
	*f = LogFormat(text)
	if *f != "json" && *f != textLog {
		return fmt.Errorf("%q is neither json nor text", text)
	}
	return nil
}

// KeysConfig has the URLs at which auth's replicas publish the keys of access tokens.
type KeysConfig struct {
	JWKSURLs []string `env:"JWKS_URL,required,notEmpty"`
}

// StorageConfig locates the service's bucket.
type StorageConfig struct {
	Endpoint  string `env:"S3_ENDPOINT,required,notEmpty"`
	AccessKey string `env:"S3_ACCESS_KEY,required,notEmpty"`
	SecretKey string `env:"S3_SECRET_KEY,required,notEmpty"`
	// Bucket is empty for the service's usual bucket.
	Bucket string `env:"S3_BUCKET"`
}

// For returns the bucket of the named service.
func (c StorageConfig) For(service string) objectstore.Config {
	bucket := c.Bucket
	if bucket == "" {
		bucket = "capzone-" + service
	}
	return objectstore.Config{Endpoint: c.Endpoint, AccessKey: c.AccessKey, SecretKey: c.SecretKey, Bucket: bucket}
}

// APIOnlyConfig is the environment of a service with an API and without a bucket.
type APIOnlyConfig struct {
	Config
	KeysConfig
}

// APIConfig is the environment of a service with an API and a bucket.
type APIConfig struct {
	Config
	KeysConfig
	StorageConfig
}

// RedisConfig locates Redis. Programs that use it embed it.
type RedisConfig struct {
	RedisURL string `env:"REDIS_URL,required,notEmpty"`
}

// ReadEnv fills cfg, a pointer to a struct with env tags, from the environment.
// Its error names every variable that is missing or wrong.
func ReadEnv(cfg any) error {
	err := env.Parse(cfg)
	all, ok := errors.AsType[env.AggregateError](err)
	if !ok {
		return err
	}
	lines := make([]string, 0, len(all.Errors))
	for _, e := range all.Errors {
		line := e.Error()
		if wrong, ok := errors.AsType[env.ParseError](e); ok {
			line = variableOf(reflect.TypeOf(cfg).Elem(), wrong.Name) + ": " + wrong.Err.Error()
		}
		lines = append(lines, "  "+line)
	}
	return fmt.Errorf("the environment is wrong:\n%s", strings.Join(lines, "\n"))
}

// variableOf returns the environment variable of a field of a configuration,
// which operators know, where env's error names the field.
func variableOf(config reflect.Type, field string) string {
	if found, ok := config.FieldByName(field); ok {
		variable, _, _ := strings.Cut(found.Tag.Get("env"), ",")
		return variable
	}
	for _, part := range reflect.VisibleFields(config) {
		if part.Type.Kind() != reflect.Struct || part.Anonymous {
			continue
		}
		if variable := variableOf(part.Type, field); variable != field {
			return variable
		}
	}
	return field
}

// FromEnv returns what runs a service with the configuration of the environment.
func FromEnv[C any](run func(ctx context.Context, cfg C) error) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		var cfg C
		if err := ReadEnv(&cfg); err != nil {
			return err
		}
		return run(ctx, cfg)
	}
}

// Logger returns the logger of a process. What is logged within a request or a
// delivery carries their ids (telemetry.LogHandler).
func (c LogConfig) Logger(process string) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	var handler slog.Handler = slog.NewJSONHandler(os.Stderr, options)
	if c.LogFormat == textLog {
		handler = slog.NewTextHandler(os.Stderr, options)
	}
	return slog.New(telemetry.LogHandler(handler)).With("service", process)
}

// SiteURL is the site's address as browsers see it. It decides about Secure
// cookies, the cookies' names and which origins are the site's own.
type SiteURL struct{ url.URL }

// UnmarshalText accepts http://host[:port] and https://host[:port].
func (u *SiteURL) UnmarshalText(text []byte) error {
	parsed, err := url.Parse(string(text))
	if err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") ||
		strings.Trim(parsed.Path, "/") != "" {
		return errors.New("must be http://HOST[:PORT] or https://HOST[:PORT]")
	}
	parsed.Path = ""
	u.URL = *parsed
	return nil
}

// Secure reports whether the site is served over TLS.
func (u SiteURL) Secure() bool { return u.Scheme == "https" }

// Origin returns the site's origin as browsers send it.
func (u SiteURL) Origin() string { return u.Scheme + "://" + u.Host }

// IsOrigin reports whether an Origin header names the site. For a site at localhost, 127.0.0.1 on
// the same port is the site too, and the other way round: both addresses are this machine's.
func (u SiteURL) IsOrigin(origin string) bool {
	if origin == u.Origin() {
		return true
	}
	loopback := map[string]string{"localhost": "127.0.0.1", "127.0.0.1": "localhost"}[u.Hostname()]
	if loopback == "" {
		return false
	}
	if port := u.Port(); port != "" {
		loopback += ":" + port
	}
	return origin == u.Scheme+"://"+loopback
}

// CookieName returns the name of a cookie of the site. The name carries the port if there is one, because
// browsers share cookies between ports and two stacks may run on one host. Under TLS it has the prefix __Host-,
// with which a browser accepts the cookie from this host alone and only with the path "/".
func (u SiteURL) CookieName(name string) string {
	if port := u.Port(); port != "" {
		name += "_" + port
	}
	if u.Secure() {
		return "__Host-" + name
	}
	return name
}
