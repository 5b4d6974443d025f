// Package app configures and wires the gateway.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"capzone.dev/gateway/internal/client"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/service"
)

// Config is the gateway's environment. docs/settings.md explains it.
type Config struct {
	service.ProcessConfig
	service.KeysConfig
	service.RedisConfig
	limit.Config

	PublicURL service.SiteURL `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
	// PageCacheMB bounds the stored responses, in MiB; 0 stores none.
	PageCacheMB int64 `env:"PAGE_CACHE_MB" envDefault:"64"`

	// Services has the addresses of each service of the routing table: MAPS_ADDR and so on.
	Services map[route.Service]Addresses

	// WebDir holds the built web application. Where it is empty, a placeholder is served.
	WebDir         string                `env:"WEB_DIR"`
	TrustedProxies client.TrustedProxies `env:"TRUSTED_PROXIES"`
}

// ReadConfig reads the environment. Its error names everything that is wrong.
func ReadConfig() (Config, error) {
	var cfg Config
	err := errors.Join(service.ReadEnv(&cfg), cfg.readServices(), cfg.Check(), cfg.checkCache())
	return cfg, err
}

// maxPageCache bounds PAGE_CACHE_MB, in MiB.
const maxPageCache = 64 << 10

func (c Config) checkCache() error {
	if c.PageCacheMB < 0 || c.PageCacheMB > maxPageCache {
		return fmt.Errorf("PAGE_CACHE_MB must be from 0 to %d", maxPageCache)
	}
	return nil
}

func (c *Config) readServices() error {
	c.Services = map[route.Service]Addresses{}
	var mistakes []error
	for _, name := range route.Services() {
		variable := strings.ToUpper(string(name)) + "_ADDR"
		var addresses Addresses
		if err := addresses.UnmarshalText([]byte(os.Getenv(variable))); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s: %w", variable, err))
		}
		c.Services[name] = addresses
	}
	return errors.Join(mistakes...)
}

// Addresses are the addresses (host:port) of a service's replicas, separated by commas.
type Addresses []string

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *Addresses) UnmarshalText(text []byte) error {
	var list Addresses
	for field := range strings.SplitSeq(string(text), ",") {
		field = strings.TrimSpace(field)
		if host, port, err := net.SplitHostPort(field); err != nil || host == "" || port == "" {
			return fmt.Errorf("%q is not host:port", field)
		}
		list = append(list, field)
	}
	*a = list
	return nil
}

// redisTimeout is how long a call of Redis takes at most. What only counts requests waits less long: package limit.
const redisTimeout = 2 * time.Second

// LogRedis sets the log of all Redis clients of the process. It is called before Run.
func LogRedis(log *slog.Logger) { redis.SetLogger(redisLog{log}) }

type redisLog struct{ log *slog.Logger }

// Printf implements the client's logger.
func (l redisLog) Printf(ctx context.Context, format string, v ...any) {
	l.log.WarnContext(ctx, fmt.Sprintf(format, v...))
}
