package httpserve

import (
	"encoding/json"
	"errors"
	"fmt"
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

const (
	maxLimit = 100
	// maxPage and maxOffset keep page arithmetic from overflowing.
	maxPage   = 1_000_000
	maxOffset = maxPage * maxLimit
)

// ErrPageInvalid is returned for a page, limit or offset out of range.
var ErrPageInvalid = problem.InvalidArgument("page_invalid", "The page asked for is out of range.")

// PageQuery returns the page (from 1) and the limit (1 to 100) of a list. It returns
// ErrPageInvalid with the field.
func PageQuery(page, limit *int, defaultLimit int) (number, size int, err error) {
	if number, err = inRange("page", page, 1, 1, maxPage); err != nil {
		return 0, 0, err
	}
	size, err = inRange("limit", limit, defaultLimit, 1, maxLimit)
	return number, size, err
}

// OffsetQuery returns the offset (from 0) and the limit (1 to 100) of a list. It returns
// ErrPageInvalid with the field.
func OffsetQuery(offset, limit *int, defaultLimit int) (from, size int, err error) {
	if from, err = inRange("offset", offset, 0, 0, maxOffset); err != nil {
		return 0, 0, err
	}
	size, err = inRange("limit", limit, defaultLimit, 1, maxLimit)
	return from, size, err
}

func inRange(field string, value *int, absent, least, most int) (int, error) {
	if value == nil {
		return absent, nil
	}
	if *value < least || *value > most {
		return 0, ErrPageInvalid.WithField(field, fmt.Sprintf("must be from %d to %d", least, most))
	}
	return *value, nil
}
