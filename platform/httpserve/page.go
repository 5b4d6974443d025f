package httpserve

import (
	"capzone.dev/platform/problem"
)

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
	number = 1
	if page != nil {
		number = *page
	}
	if number < 1 || number > maxPage {
		return 0, 0, ErrPageInvalid.WithField("page", "must be from 1 to 1000000")
	}
	size, err = limitOr(limit, defaultLimit)
	return number, size, err
}

// OffsetQuery returns the offset (from 0) and the limit (1 to 100) of a list. It returns
// ErrPageInvalid with the field.
func OffsetQuery(offset, limit *int, defaultLimit int) (from, size int, err error) {
	if offset != nil {
		from = *offset
	}
	if from < 0 || from > maxOffset {
		return 0, 0, ErrPageInvalid.WithField("offset", "must be from 0 to 100000000")
	}
	size, err = limitOr(limit, defaultLimit)
	return from, size, err
}

func limitOr(limit *int, defaultLimit int) (int, error) {
	if limit == nil {
		return defaultLimit, nil
	}
	if *limit < 1 || *limit > maxLimit {
		return 0, ErrPageInvalid.WithField("limit", "must be from 1 to 100")
	}
	return *limit, nil
}
