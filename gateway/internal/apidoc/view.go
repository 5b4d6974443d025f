package apidoc

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// view is what the page shows.
type view struct {
	Title       string
	Base        string
	Description template.HTML
	Groups      []group
	Schemas     []schema
}

// group holds the operations of one tag.
type group struct {
	Name        string
	Description template.HTML
	Operations  []operation
}

type operation struct {
	ID, Method, Path, Summary string
	Description               template.HTML
	NeedsToken                bool
	Parameters                []field
	Bodies                    []body
	Answers                   []answer
}

// body is a request's body of one media type.
type body struct {
	MediaType string
	Fields    []field
}

type answer struct {
	Status      string
	Type        template.HTML
	Description template.HTML
}

// schema is an object with its fields, or a type with its description.
type schema struct {
	Name        string
	Type        template.HTML
	Description template.HTML
	Fields      []field
}

// field is a field of an object or a parameter of an operation.
type field struct {
	Name string
	// In says where a parameter is: path or query.
	In          string
	Required    bool
	Type        template.HTML
	Description template.HTML
}

// viewOf reads an OpenAPI document.
func viewOf(document tree) view {
	v := view{
		Title:       document.at("info", "title").text(),
		Description: prose(document.at("info", "description").text()),
	}
	for server := range document.at("servers").items() {
		v.Base = server.at("url").text()
	}
	for tag := range document.at("tags").items() {
		name := tag.at("name").text()
		v.Groups = append(v.Groups, group{
			Name:        name,
			Description: prose(tag.at("description").text()),
			Operations:  operations(document, name),
		})
	}
	for name, of := range document.at("components", "schemas").members() {
		v.Schemas = append(v.Schemas, schema{
			Name: name, Type: typeOf(of), Description: prose(of.at("description").text()), Fields: fields(of),
		})
	}
	return v
}

var methods = []string{"get", "post", "put", "delete"}

// operations returns those of a tag, in the document's order.
func operations(document tree, tag string) []operation {
	var all []operation
	for path, item := range document.at("paths").members() {
		for method, op := range item.members() {
			if slices.Contains(methods, method) && slices.Contains(op.at("tags").texts(), tag) {
				all = append(all, operationOf(document, path, method, item, op))
			}
		}
	}
	return all
}

func operationOf(document tree, path, method string, item, op tree) operation {
	o := operation{
		ID:          op.at("operationId").text(),
		Method:      strings.ToUpper(method),
		Path:        path,
		Summary:     op.at("summary").text(),
		Description: prose(op.at("description").text()),
	}
	for range op.at("security").items() {
		o.NeedsToken = true
	}
	for _, parameters := range []tree{item.at("parameters"), op.at("parameters")} {
		for p := range parameters.items() {
			o.Parameters = append(o.Parameters, parameterOf(p))
		}
	}
	for mediaType, content := range op.at("requestBody", "content").members() {
		o.Bodies = append(o.Bodies, body{mediaType, fields(resolve(document, content.at("schema")))})
	}
	for status, response := range op.at("responses").members() {
		o.Answers = append(o.Answers, answerOf(document, status, response))
	}
	return o
}

func parameterOf(p tree) field {
	return field{
		Name: p.at("name").text(), In: p.at("in").text(), Required: p.at("required").text() == "true",
		Type: typeOf(p.at("schema")), Description: prose(p.at("description").text()),
	}
}

func answerOf(document tree, status string, response tree) answer {
	response = resolve(document, response)
	a := answer{Status: status, Description: prose(response.at("description").text())}
	if status == "default" {
		a.Status = "any other"
	}
	for mediaType, content := range response.at("content").members() {
		if strings.HasSuffix(mediaType, "json") {
			a.Type = typeOf(content.at("schema"))
		} else {
			a.Type = template.HTML(template.HTMLEscapeString(mediaType))
		}
	}
	return a
}

func fields(of tree) []field {
	required := of.at("required").texts()
	var all []field
	for name, property := range of.at("properties").members() {
		all = append(all, field{
			Name: name, Required: slices.Contains(required, name),
			Type: typeOf(property), Description: prose(property.at("description").text()),
		})
	}
	return all
}

// resolve returns what a $ref names, or the part itself.
func resolve(document, part tree) tree {
	if path := part.reference(); path != nil {
		return document.at(path...)
	}
	return part
}

// typeOf tells a type in a few words, with links to the schemas that it names:
// "list of Map", "string or null".
func typeOf(of tree) template.HTML {
	return template.HTML(typeText(of))
}

func typeText(of tree) string {
	if path := of.reference(); path != nil {
		name := template.HTMLEscapeString(path[len(path)-1])
		return fmt.Sprintf(`<a href="#schema-%s">%s</a>`, name, name)
	}
	for _, kind := range []string{"oneOf", "anyOf"} {
		var alternatives []string
		for alternative := range of.at(kind).items() {
			alternatives = append(alternatives, typeText(alternative))
		}
		if alternatives != nil {
			return strings.Join(alternatives, " or ")
		}
	}
	if items := of.at("items"); items.exists() {
		return "list of " + typeText(items) + bounds(of, "minItems", "maxItems")
	}
	if values := of.at("enum").texts(); values != nil {
		for i, value := range values {
			values[i] = "<code>" + template.HTMLEscapeString(value) + "</code>"
		}
		return strings.Join(values, ", ")
	}
	names := of.at("type").texts()
	if names == nil {
		return "any"
	}
	name := strings.Join(names, " or ")
	if format := of.at("format").text(); format != "" && format != "int64" {
		name += " (" + format + ")"
	}
	name = template.HTMLEscapeString(name) + bounds(of, "minimum", "maximum") + bounds(of, "minLength", "maxLength")
	if standard := of.at("default").text(); standard != "" {
		name += ", else <code>" + template.HTMLEscapeString(standard) + "</code>"
	}
	return name
}

func bounds(of tree, least, most string) string {
	low, high := template.HTMLEscapeString(of.at(least).text()), template.HTMLEscapeString(of.at(most).text())
	switch {
	case low != "" && high != "":
		return ", " + low + " to " + high
	case low != "":
		return ", from " + low
	case high != "":
		return ", at most " + high
	}
	return ""
}
