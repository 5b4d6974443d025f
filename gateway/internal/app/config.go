// Package app configures and wires the gateway.
package app

import (
	"errors"
	"fmt"
	"net"
	"strings"

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
	limit.Numbers

	PublicURL service.SiteURL `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
	// PageCacheMB bounds the stored responses, in MiB; 0 stores none.
	PageCacheMB int64 `env:"PAGE_CACHE_MB" envDefault:"64"`

	AuthAddr    Addresses `env:"AUTH_ADDR,required,notEmpty"`
	MapsAddr    Addresses `env:"MAPS_ADDR,required,notEmpty"`
	RecordsAddr Addresses `env:"RECORDS_ADDR,required,notEmpty"`
	PlayersAddr Addresses `env:"PLAYERS_ADDR,required,notEmpty"`

	// WebDir holds the built web application. Where it is empty a page says that there is none.
	WebDir         string                `env:"WEB_DIR"`
	TrustedProxies client.TrustedProxies `env:"TRUSTED_PROXIES"`
}

// ReadConfig reads the environment. Its error names everything that is wrong.
func ReadConfig() (Config, error) {
	var cfg Config
	err := errors.Join(service.ReadEnv(&cfg), cfg.Check(), cfg.checkCache())
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

func (c Config) upstreams() map[route.Service]Addresses {
	return map[route.Service]Addresses{
		route.Auth: c.AuthAddr, route.Maps: c.MapsAddr, route.Records: c.RecordsAddr, route.Players: c.PlayersAddr,
	}
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
