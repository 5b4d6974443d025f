package httpserve

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"capzone.dev/platform/problem"
)

// CheckSchema checks a JSON text against a schema of a service's contract, which spec returns (the generated
// GetSpec). It returns the fields that are out of their ranges, such as minimum, maximum, maxLength, pattern or
// enum. A text that is no JSON, or has values of other types, is an error; the fields are then those with these values.
func CheckSchema(spec func() (*openapi3.T, error), schema string, text []byte) ([]problem.Field, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("not UTF-8")
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	document, err := spec()
	if err != nil {
		return nil, err
	}
	err = document.Components.Schemas[schema].Value.VisitJSON(value, openapi3.MultiErrors())
	var invalid, wrongType []problem.Field
	for _, mistake := range flatten(err) {
		schemaError, ok := errors.AsType[*openapi3.SchemaError](mistake)
		if !ok || len(schemaError.JSONPointer()) == 0 {
			return nil, mistake
		}
		field := problem.Field{
			Field: strings.Join(schemaError.JSONPointer(), "."), Code: "schema_" + schemaError.SchemaField,
			Message: schemaError.Reason,
		}
		if isRange(schemaError.SchemaField) {
			invalid = append(invalid, field)
		} else {
			wrongType = append(wrongType, field)
		}
	}
	if len(wrongType) > 0 {
		// A field that may be null is reported besides the values in it.
		return slices.DeleteFunc(wrongType, func(outer problem.Field) bool {
			return slices.ContainsFunc(wrongType, func(inner problem.Field) bool {
				return strings.HasPrefix(inner.Field, outer.Field+".")
			})
		}), err
	}
	return invalid, nil
}

// flatten returns the single errors of a result of MultiErrors.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	several, ok := errors.AsType[openapi3.MultiError](err)
	if !ok {
		return []error{err}
	}
	var all []error
	for _, err := range several {
		all = append(all, flatten(err)...)
	}
	return all
}

// isRange reports whether a keyword of JSON Schema limits the values of a type.
func isRange(keyword string) bool {
	switch keyword {
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
		"pattern", "enum", "minItems", "maxItems", "uniqueItems":
		return true
	}
	return false
}
