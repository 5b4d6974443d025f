package apidoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/goccy/go-yaml"
)

// head is the beginning of the merged document.
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

    A program acts for a player by a personal token, in the header ` + "`Authorization: Bearer cz_…`" + `, which is looked at by every call. A token that is unknown, has expired or
    was revoked is 401 ` + "`personal_token_invalid`" + `. What it has no scope for, and what no token may do, is 403 ` + "`scope_missing`" + `. A token in an address is 400 ` + "`token_in_query`" + `, and revoked.
    While tokens cannot be looked up, it is 503 with ` + "`Retry-After`" + `. The headers ` + "`RateLimit-Policy`" + ` and ` + "`RateLimit`" + ` say how many requests the token has left; one more is 429 ` + "`rate_limited`" + `.
  license: {name: MIT, identifier: MIT}
servers:
  - url: /api/v1
`

// openAPI is the part of a service's document that is merged. MapSlice keeps the order of the file.
type openAPI struct {
	Tags       []yaml.MapSlice `yaml:"tags"`
	Paths      yaml.MapSlice   `yaml:"paths"`
	Components yaml.MapSlice   `yaml:"components"`
}

// merge returns OpenAPI documents in YAML as one document in JSON, in their order. It returns an error if two
// documents have the same path, or different components of the same name.
func merge(documents [][]byte) ([]byte, error) {
	var all yaml.MapSlice
	if err := yaml.UnmarshalWithOptions([]byte(head), &all, yaml.UseOrderedMap()); err != nil {
		return nil, err
	}
	var merged openAPI
	for _, document := range documents {
		var next openAPI
		if err := yaml.UnmarshalWithOptions(document, &next, yaml.UseOrderedMap()); err != nil {
			return nil, err
		}
		merged.Tags = append(merged.Tags, next.Tags...)
		for _, path := range next.Paths {
			if get(merged.Paths, path.Key) != nil {
				return nil, fmt.Errorf("path %v is in two documents", path.Key)
			}
			describeScopes(path)
			merged.Paths = append(merged.Paths, path)
		}
		for _, kind := range next.Components {
			if err := merged.addComponents(kind); err != nil {
				return nil, fmt.Errorf("components/%v: %w", kind.Key, err)
			}
		}
	}
	all = append(all,
		yaml.MapItem{Key: "tags", Value: merged.Tags},
		yaml.MapItem{Key: "paths", Value: merged.Paths},
		yaml.MapItem{Key: "components", Value: merged.Components},
	)
	compact, err := yaml.MarshalWithOptions(all, yaml.JSON())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, compact, "", "  ")
	return out.Bytes(), err
}

// describeScopes adds to the description of each call that takes a personal token which scope it needs. The page does
// not show the scopes of tokens.
func describeScopes(path yaml.MapItem) {
	calls, _ := path.Value.(yaml.MapSlice)
	for i := range calls {
		call, _ := calls[i].Value.(yaml.MapSlice)
		requirements, _ := get(call, "security").([]any)
		for _, requirement := range requirements {
			requirement, _ := requirement.(yaml.MapSlice)
			scopes, takesToken := get(requirement, "personalToken").([]any)
			if !takesToken {
				continue
			}
			text := "A personal token needs no scope."
			if len(scopes) > 0 {
				text = fmt.Sprintf("A personal token needs the scope `%v`.", scopes[0])
			}
			calls[i].Value = describe(call, text)
		}
	}
}

// describe returns a call with a text at the end of its description.
func describe(call yaml.MapSlice, text string) yaml.MapSlice {
	i := slices.IndexFunc(call, func(member yaml.MapItem) bool { return member.Key == "description" })
	if i < 0 {
		return append(call, yaml.MapItem{Key: "description", Value: text})
	}
	call[i].Value = fmt.Sprintf("%v\n\n%s", call[i].Value, text)
	return call
}

// addComponents adds the components of one kind, such as the schemas.
func (d *openAPI) addComponents(kind yaml.MapItem) error {
	added, _ := kind.Value.(yaml.MapSlice)
	all, _ := get(d.Components, kind.Key).(yaml.MapSlice)
	for _, component := range added {
		switch same := get(all, component.Key); {
		case same == nil:
			all = append(all, component)
		case !reflect.DeepEqual(same, component.Value):
			return fmt.Errorf("%v differs between documents", component.Key)
		}
	}
	i := slices.IndexFunc(d.Components, func(known yaml.MapItem) bool { return known.Key == kind.Key })
	if i < 0 {
		i, d.Components = len(d.Components), append(d.Components, kind)
	}
	d.Components[i].Value = all
	return nil
}

// get returns the value of a key, or nil.
func get(in yaml.MapSlice, key any) any {
	for _, item := range in {
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}
