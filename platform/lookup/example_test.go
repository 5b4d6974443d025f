package lookup_test

import (
	"context"
	"errors"
	"fmt"

	"capzone.dev/platform/lookup"
)

func ExampleLookup() {
	errUnknown := errors.New("map unknown")
	type parkourMap struct {
		ID      string
		Version int64
		Name    string
	}
	copies := map[string]parkourMap{} // in a service: a table of its database

	r := lookup.Lookup[parkourMap]{
		Load: func(_ context.Context, id string) (parkourMap, error) {
			if m, ok := copies[id]; ok {
				return m, nil
			}
			return parkourMap{}, errUnknown
		},
		Apply: func(_ context.Context, m parkourMap) error {
			if copies[m.ID].Version < m.Version {
				copies[m.ID] = m
			}
			return nil
		},
		Ask: func(_ context.Context, id string) (parkourMap, error) { // in a service: eventbus.Call
			fmt.Println("asking the owner")
			return parkourMap{ID: id, Version: 1, Name: "Skyline"}, nil
		},
		Header:     func(m parkourMap) lookup.Header { return lookup.Header{ID: m.ID, Version: m.Version} },
		ErrUnknown: errUnknown,
		ErrRemoved: errUnknown,
	}

	for range 2 {
		m, err := r.Get(context.Background(), "0198c0de-0000-7000-8000-000000000001")
		fmt.Println(m.Name, err)
	}
	// Output:
	// asking the owner
	// Skyline <nil>
	// Skyline <nil>
}
