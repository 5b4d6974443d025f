package app

import "capzone.dev/platform/service"

// Name is the service's name in logs, in NATS and of its bucket.
const Name = "maps"

// Config is the service's environment.
type Config struct {
	service.Config
	service.KeysConfig
	service.StorageConfig
}
