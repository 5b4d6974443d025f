package apidoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// head is what the merged document says of itself.
const head = `
openapi: 3.1.0
info:
  title: Capzone
  version: "1"
  description: |-
    Parkour maps and their records. Ids are UUIDs, finish times are whole milliseconds, and times are RFC 3339 in UTC with milliseconds.

    Every failure has the form of the schema ` + "`Failure`" + `: ` + "`message`" + ` is a sentence for the player, ` + "`code`" + ` is stable and for programs. Besides what each call
    lists, any may answer 429 ` + "`rate_limited`" + ` with ` + "`Retry-After`" + `, and 503 ` + "`service_unavailable`" + `.

    Public calls carry an ` + "`ETag`" + ` and answer ` + "`If-None-Match`" + ` with 304. They never look at an access token, so that an expired one breaks no browsing.
    Unknown query parameters are ignored.
  license: {name: MIT, identifier: MIT}
servers:
  - url: /api/v1
`

// MergeFiles reads OpenAPI documents in YAML and returns them as one document
// in JSON, in their order. A path belongs to one document; a component that
// several have must be the same in all.
func MergeFiles(names ...string) ([]byte, error) {
	documents := make([]tree, 0, len(names))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		document, err := parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		documents = append(documents, document)
	}
	merged, err := merge(documents)
	if err != nil {
		return nil, err
	}
	compact, err := merged.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func merge(documents []tree) (tree, error) {
	merged, err := parse([]byte(head))
	if err != nil {
		return tree{}, err
	}
	tags, paths, components := newList(), newObject(), newObject()
	merged.add("tags", tags)
	merged.add("paths", paths)
	merged.add("components", components)
	for _, document := range documents {
		for tag := range document.at("tags").items() {
			tags.node.Content = append(tags.node.Content, tag.node)
		}
		for path, item := range document.at("paths").members() {
			if paths.at(path).exists() {
				return tree{}, fmt.Errorf("path %s is in two documents", path)
			}
			paths.add(path, item)
		}
		for kind, members := range document.at("components").members() {
			if !components.at(kind).exists() {
				components.add(kind, newObject())
			}
			if err := mergeComponents(components.at(kind), members); err != nil {
				return tree{}, fmt.Errorf("components/%s: %w", kind, err)
			}
		}
	}
	return merged, nil
}

func mergeComponents(all, members tree) error {
	for name, member := range members.members() {
		before := all.at(name)
		if !before.exists() {
			all.add(name, member)
			continue
		}
		one, err := before.MarshalJSON()
		if err != nil {
			return err
		}
		other, err := member.MarshalJSON()
		if err != nil {
			return err
		}
		if !bytes.Equal(one, other) {
			return fmt.Errorf("%s differs between documents:\n%s\n%s", name, one, other)
		}
	}
	return nil
}
