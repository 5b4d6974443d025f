package programs

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/goccy/go-yaml"
)

// Service is a row of deploy/services.yaml, which describes the fields.
type Service struct {
	Name        string            `yaml:"name"`
	Keys        bool              `yaml:"keys"`
	Memory      int               `yaml:"memory"`
	GoMemLimit  int               `yaml:"gomemlimit"`
	Connections int               `yaml:"connections"`
	MaxReplicas int               `yaml:"maxReplicas"`
	Bucket      bool              `yaml:"bucket"`
	Reads       []string          `yaml:"reads"`
	Valkey      bool              `yaml:"valkey"`
	Internet    bool              `yaml:"internet"`
	Secrets     map[string]string `yaml:"secrets"`
	Settings    map[string]string `yaml:"settings"`
}

// Services reads the services behind the gateway from deploy/services.yaml of the tree.
func Services(root string) ([]Service, error) {
	text, err := os.ReadFile(filepath.Join(root, "deploy", "services.yaml"))
	if err != nil {
		return nil, fmt.Errorf("read the table of services: %w", err)
	}
	var services []Service
	if err := yaml.UnmarshalWithOptions(text, &services, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read the table of services: %w", err)
	}
	return services, nil
}
