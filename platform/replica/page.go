package replica

import (
	"context"

	"capzone.dev/platform/problem"
)

// Page completes the entries of one page whose entities have no copy. It asks for each entity
// once and, after the owner could not be asked, for none: a page does not fail for a missing
// name. A Page is used by one goroutine.
type Page[T any] struct {
	get         func(ctx context.Context, id string) (T, error)
	unknown     func(id string) T
	found       map[string]T
	unavailable bool
}

// NewPage returns a page that gets entities with get. unknown returns what is shown instead of
// an entity that get does not return.
func NewPage[T any](get func(ctx context.Context, id string) (T, error), unknown func(id string) T) *Page[T] {
	return &Page[T]{get: get, unknown: unknown, found: map[string]T{}}
}

// Get returns the entity with the id, or what is shown instead.
func (p *Page[T]) Get(ctx context.Context, id string) T {
	if entity, ok := p.found[id]; ok {
		return entity
	}
	entity := p.unknown(id)
	if !p.unavailable {
		answer, err := p.get(ctx, id)
		if err == nil {
			entity = answer
		}
		p.unavailable = err != nil && problem.From(err).Kind != problem.KindNotFound
	}
	p.found[id] = entity
	return entity
}
