package httpserve

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"capzone.dev/platform/problem"
)

// CheckSchema checks a JSON text against a schema of a service's contract, which spec returns
// (the generated GetSpec). It returns the fields that are out of their ranges, such as
// minimum, maximum, maxLength, pattern or enum. A text that is no JSON, or has values of other
// types, is an error.
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
	var invalid []problem.Field
	for _, err := range flatten(err) {
		var mistake *openapi3.SchemaError
		if !errors.As(err, &mistake) || !isRange(mistake.SchemaField) {
			return nil, err
		}
		invalid = append(invalid, problem.Field{
			Field: strings.Join(mistake.JSONPointer(), "."), Message: mistake.Reason,
		})
	}
	return invalid, nil
}

// flatten returns the single errors of a result of MultiErrors.
func flatten(err error) []error {
	var several openapi3.MultiError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &several):
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
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
		"enum", "minItems", "maxItems", "uniqueItems":
		return true
	}
	return false
}
