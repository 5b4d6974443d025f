package httpserve

import "time"

// OrNull returns a pointer to v, or nil for the zero value. The generated types have pointers
// for fields that may be null.
func OrNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// OrZero returns the value of an optional parameter, or the zero value where it is not given.
func OrZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}

// TimeText returns a time as RFC 3339 in UTC, always with milliseconds.
func TimeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
