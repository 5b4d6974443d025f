package apidoc

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

//go:embed page.html
var pageTemplate string

// view is what the page shows.
type view struct {
	Title, Description string
	Groups             []group
	Schemas            []schema
}

// group holds the operations of one tag.
type group struct {
	Name       string
	Operations []operation
}

type operation struct {
	ID, Method, Path, Summary, Description string
	NeedsToken                             bool
	Parameters                             []parameter
	Bodies                                 []body
	Responses                              []response
}

type parameter struct {
	Name, In, Type, Description string
	Required                    bool
}

// body is a request's body of one media type.
type body struct {
	MediaType string
	Schema    schema
}

type response struct {
	Status, Description, Type string
}

// schema is a table of fields.
type schema struct {
	Name, Description, Type string
	Fields                  []field
}

type field struct {
	Name, Type, Description string
	Required                bool
}

// renderPage makes a page of an OpenAPI document.
func renderPage(document []byte) ([]byte, error) {
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("OpenAPI document: %w", err)
	}
	t, err := template.New("page").Funcs(template.FuncMap{"lower": strings.ToLower}).Parse(pageTemplate)
	if err != nil {
		return nil, fmt.Errorf("documentation page: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, viewOf(doc)); err != nil {
		return nil, fmt.Errorf("documentation page: %w", err)
	}
	return out.Bytes(), nil
}

func viewOf(doc *openapi3.T) view {
	v := view{Title: doc.Info.Title, Description: doc.Info.Description}
	for _, path := range doc.Paths.InMatchingOrder() {
		operations := doc.Paths.Value(path).Operations()
		for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
			if op := operations[method]; op != nil {
				v.add(tagOf(op), operationOf(method, path, op))
			}
		}
	}
	slices.SortFunc(v.Groups, func(a, b group) int { return strings.Compare(a.Name, b.Name) })
	for _, g := range v.Groups {
		slices.SortStableFunc(g.Operations, func(a, b operation) int { return strings.Compare(a.Path, b.Path) })
	}
	for name, ref := range doc.Components.Schemas {
		v.Schemas = append(v.Schemas, schemaOf(name, ref))
	}
	slices.SortFunc(v.Schemas, func(a, b schema) int { return strings.Compare(a.Name, b.Name) })
	return v
}

func (v *view) add(tag string, op operation) {
	i := slices.IndexFunc(v.Groups, func(g group) bool { return g.Name == tag })
	if i < 0 {
		v.Groups = append(v.Groups, group{Name: tag})
		i = len(v.Groups) - 1
	}
	v.Groups[i].Operations = append(v.Groups[i].Operations, op)
}

func tagOf(op *openapi3.Operation) string {
	if len(op.Tags) == 0 {
		return "other"
	}
	return op.Tags[0]
}

func operationOf(method, path string, op *openapi3.Operation) operation {
	o := operation{
		ID: op.OperationID, Method: method, Path: path, Summary: op.Summary, Description: op.Description,
		NeedsToken: op.Security != nil && len(*op.Security) > 0,
	}
	for _, ref := range op.Parameters {
		p := ref.Value
		o.Parameters = append(o.Parameters, parameter{p.Name, p.In, typeOf(p.Schema), p.Description, p.Required})
	}
	if op.RequestBody != nil {
		for mediaType, content := range op.RequestBody.Value.Content {
			o.Bodies = append(o.Bodies, body{mediaType, schemaOf("", content.Schema)})
		}
	}
	for status, ref := range op.Responses.Map() {
		r := response{Status: status}
		if ref.Value.Description != nil {
			r.Description = *ref.Value.Description
		}
		for mediaType, content := range ref.Value.Content {
			r.Type = mediaType
			if content.Schema != nil && strings.HasSuffix(mediaType, "json") {
				r.Type = typeOf(content.Schema)
			}
		}
		o.Responses = append(o.Responses, r)
	}
	slices.SortFunc(o.Responses, func(a, b response) int { return strings.Compare(a.Status, b.Status) })
	return o
}

func schemaOf(name string, ref *openapi3.SchemaRef) schema {
	s := schema{Name: name}
	if ref == nil {
		return s
	}
	if name == "" && ref.Ref != "" {
		s.Name = refName(ref)
	}
	s.Description, s.Type = ref.Value.Description, plainType(ref.Value)
	for property, of := range ref.Value.Properties {
		f := field{Name: property, Type: typeOf(of), Required: slices.Contains(ref.Value.Required, property)}
		if of.Value != nil {
			f.Description = of.Value.Description
		}
		s.Fields = append(s.Fields, f)
	}
	slices.SortFunc(s.Fields, func(a, b field) int { return strings.Compare(a.Name, b.Name) })
	return s
}

// typeOf names a type in a few words: "array of Map", "string or null".
func typeOf(ref *openapi3.SchemaRef) string {
	switch {
	case ref == nil || ref.Value == nil:
		return "any"
	case ref.Ref != "":
		return refName(ref)
	case len(ref.Value.OneOf) > 0:
		return alternatives(ref.Value.OneOf)
	case len(ref.Value.AnyOf) > 0:
		return alternatives(ref.Value.AnyOf)
	case ref.Value.Items != nil:
		return "array of " + typeOf(ref.Value.Items)
	}
	return plainType(ref.Value)
}

func alternatives(refs openapi3.SchemaRefs) string {
	names := make([]string, 0, len(refs))
	for _, r := range refs {
		names = append(names, typeOf(r))
	}
	return strings.Join(names, " or ")
}

func plainType(s *openapi3.Schema) string {
	if len(s.Enum) > 0 {
		values := make([]string, 0, len(s.Enum))
		for _, v := range s.Enum {
			text, err := json.Marshal(v)
			if err != nil {
				text = []byte("?")
			}
			values = append(values, string(text))
		}
		return strings.Join(values, " | ")
	}
	if s.Type == nil {
		return "any"
	}
	name := strings.Join(s.Type.Slice(), " or ")
	if s.Format != "" {
		name += " (" + s.Format + ")"
	}
	return name
}

func refName(ref *openapi3.SchemaRef) string {
	return ref.Ref[strings.LastIndexByte(ref.Ref, '/')+1:]
}
