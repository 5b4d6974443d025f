package site

import (
	"context"
	"net/url"
	"strconv"
)

// Page is a page of a list that is counted in pages.
type Page[T any] struct {
	Success    bool       `json:"success"`
	Data       []T        `json:"data"`
	Pagination Pagination `json:"pagination"`
}

// Pagination says where a page lies.
type Pagination struct {
	Total int `json:"total"`
	Page  int `json:"page"`
	Limit int `json:"limit"`
	Pages int `json:"pages"`
}

// Slice is a part of a list that is counted in rows.
type Slice[T any] struct {
	Success    bool   `json:"success"`
	Data       []T    `json:"data"`
	Pagination Offset `json:"pagination"`
}

// Offset says where a slice lies.
type Offset struct {
	Total  int `json:"total"`
	Offset int `json:"offset"`
	Limit  int `json:"limit"`
}

// get fetches a whole answer, pagination included.
func get[T any](ctx context.Context, v *Visitor, path string, query url.Values) (T, error) {
	var into T
	err := v.call(ctx, Request{Path: path, Query: query}, &into)
	return into, err
}

// values are query parameters, without the empty ones.
func values(pairs map[string]string) url.Values {
	query := url.Values{}
	for name, value := range pairs {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}

// number is a query parameter, left out when it is 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
