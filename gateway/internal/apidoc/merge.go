package apidoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"github.com/goccy/go-yaml"
)

// head is what the merged document says of itself.
var head = map[string]any{
	"openapi": "3.1.0",
	"info": map[string]any{
		"title":       "Capzone",
		"version":     "1",
		"description": "Parkour maps and records of Bonk.io. Finish times are whole milliseconds, times are RFC 3339 in UTC, ids are UUIDs. Every failure has the form of the schema Failure.",
		"license":     map[string]any{"name": "MIT", "identifier": "MIT"},
	},
	"servers": []any{map[string]any{"url": "/api/v1"}},
}

// MergeFiles reads OpenAPI documents in YAML and returns them as one document
// in JSON. A path belongs to one document; a component that several have must
// be the same in all.
func MergeFiles(names ...string) ([]byte, error) {
	merged := map[string]any{}
	for k, v := range head {
		merged[k] = v
	}
	paths, components := map[string]any{}, map[string]any{}
	var tags []any
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var doc struct {
			Paths      map[string]any            `yaml:"paths"`
			Components map[string]map[string]any `yaml:"components"`
			Tags       []any                     `yaml:"tags"`
		}
		if err := yaml.Unmarshal(data, &doc); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for path, item := range doc.Paths {
			if _, taken := paths[path]; taken {
				return nil, fmt.Errorf("%s: path %s belongs to another document", name, path)
			}
			paths[path] = item
		}
		for kind, members := range doc.Components {
			if err := mergeComponents(components, kind, members); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		tags = append(tags, doc.Tags...)
	}
	merged["paths"], merged["components"], merged["tags"] = paths, components, tags

	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(merged); err != nil {
		return nil, fmt.Errorf("merged document: %w", err)
	}
	return out.Bytes(), nil
}

func mergeComponents(all map[string]any, kind string, members map[string]any) error {
	ofKind, ok := all[kind].(map[string]any)
	if !ok {
		ofKind = map[string]any{}
		all[kind] = ofKind
	}
	for name, member := range members {
		if before, taken := ofKind[name]; taken && !reflect.DeepEqual(before, member) {
			return fmt.Errorf("component %s/%s differs from another document's", kind, name)
		}
		ofKind[name] = member
	}
	return nil
}
