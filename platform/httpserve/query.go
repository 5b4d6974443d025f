package httpserve

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/problem"
)

// ErrQueryMalformed refuses a query that cannot be decoded.
var ErrQueryMalformed = problem.InvalidArgument("query_malformed", "The query of the address cannot be read.")

// ReadQuery removes the query parameters without a value from a request: an empty parameter is as good as none. It
// returns ErrQueryMalformed.
func ReadQuery(r *http.Request) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return ErrQueryMalformed.Wrap(err)
	}
	given := len(query)
	maps.DeleteFunc(query, func(_ string, values []string) bool { return strings.Join(values, "") == "" })
	if len(query) < given {
		r.URL.RawQuery = query.Encode()
	}
	return nil
}

func readQuery(c *gin.Context) {
	if err := ReadQuery(c.Request); err != nil {
		Render(c, err)
	}
}

const (
	maxLimit = 100
	// maxPage and maxOffset keep page arithmetic from overflowing.
	maxPage   = 1_000_000
	maxOffset = maxPage * maxLimit
)

// ErrPageInvalid is returned for a page, limit or offset out of range.
var ErrPageInvalid = problem.InvalidArgument("page_invalid", "The page asked for is out of range.")

// PageQuery returns the page (from 1) and the limit (1 to 100) of a list. It returns ErrPageInvalid with the field.
func PageQuery(page, limit *int, defaultLimit int) (number, size int, err error) {
	if number, err = inRange("page", page, 1, 1, maxPage); err != nil {
		return 0, 0, err
	}
	size, err = inRange("limit", limit, defaultLimit, 1, maxLimit)
	return number, size, err
}

// Pagination describes a page of a list with a total. The services' generated types have the same fields.
type Pagination struct {
	Limit, Page  int
	Pages, Total int64
}

// PaginationOf returns the pagination of a page with a total.
func PaginationOf(total int64, page, limit int) Pagination {
	size := int64(limit)
	return Pagination{Total: total, Page: page, Limit: limit, Pages: (total + size - 1) / size}
}

// List returns what translate returns of each value. It is empty for none, not null.
func List[T, V any](values []T, translate func(T) V) []V {
	list := make([]V, len(values))
	for i, value := range values {
		list[i] = translate(value)
	}
	return list
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
		return 0, ErrPageInvalid.WithField(field, "out_of_range", fmt.Sprintf("must be from %d to %d", least, most))
	}
	return *value, nil
}
