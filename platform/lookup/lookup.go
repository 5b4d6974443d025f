// Package lookup answers for entities that another service owns: from this service's copy or, where none has
// arrived yet, from the owner, whose answer is stored. Copies also follow the owner's state events. Both ways
// store by version, so that their order does not matter.
package lookup

import (
	"context"
	"errors"
	"fmt"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// Header is what decides how a copy is used and replaced.
type Header struct {
	ID string
	// Version is raised by the owner at each change, from 1.
	Version int64
	// Removed marks a tombstone.
	Removed bool
	// MergedInto is the id of the entity that this one was merged into, if any.
	MergedInto string
}

// Lookup reads one kind of entity. All fields are required; a Lookup may be used by several goroutines at once.
type Lookup[T any] struct {
	// Load returns the copy with the id, also a tombstone, or ErrUnknown.
	Load func(ctx context.Context, id string) (T, error)
	// Apply stores the entity as the copy unless the stored version is the same or higher.
	Apply func(ctx context.Context, entity T) error
	// Ask gets the entity with the id from its owner. It returns ErrUnknown, or a
	// problem of kind unavailable where the owner cannot be reached.
	Ask func(ctx context.Context, id string) (T, error)
	// Header returns the header of an entity.
	Header func(entity T) Header
	// ErrUnknown is returned for an entity that does not exist.
	ErrUnknown error
	// ErrRemoved is returned for an entity that was removed. It may be ErrUnknown.
	ErrRemoved error
}

// maxMerges is how many merges in a row are followed. The owner never merges into
// an entity that was merged itself, so more than one is rare and a cycle is a bug.
const maxMerges = 16

// Get returns the entity with the id or, if it was merged, the entity that it was
// merged into. It returns ErrUnknown, ErrRemoved, or the error of Ask.
func (r *Lookup[T]) Get(ctx context.Context, id string) (T, error) {
	var none T
	if !event.IsID(id) {
		return none, r.ErrUnknown
	}
	entity, err := r.copyOrAsk(ctx, id)
	if err != nil {
		return none, err
	}
	return r.resolve(ctx, entity)
}

// Find is Get by another key than the id, such as a name. load gets the copy with
// that key or returns ErrUnknown; ask gets the entity from its owner.
func (r *Lookup[T]) Find(ctx context.Context, load, ask func(context.Context) (T, error)) (T, error) {
	var none T
	entity, err := load(ctx)
	if errors.Is(err, r.ErrUnknown) {
		entity, err = r.askAndStore(ctx, ask)
	}
	if err != nil {
		return none, err
	}
	return r.resolve(ctx, entity)
}

// copyOrAsk returns the copy with the id, else the owner's answer. Both may be tombstones.
func (r *Lookup[T]) copyOrAsk(ctx context.Context, id string) (T, error) {
	entity, err := r.Load(ctx, id)
	if errors.Is(err, r.ErrUnknown) {
		return r.askAndStore(ctx, func(ctx context.Context) (T, error) { return r.Ask(ctx, id) })
	}
	return entity, err
}

// askAndStore asks the owner and stores its answer as the copy.
func (r *Lookup[T]) askAndStore(ctx context.Context, ask func(context.Context) (T, error)) (T, error) {
	var none T
	answer, err := ask(ctx)
	if err != nil {
		return none, err
	}
	h := r.Header(answer)
	if !event.IsID(h.ID) || h.Version < 1 {
		return none, fmt.Errorf("the owner answered with id %q in version %d", h.ID, h.Version)
	}
	if err := r.Apply(ctx, answer); err != nil {
		return none, fmt.Errorf("store the copy of %s: %w", h.ID, err)
	}
	return answer, nil
}

// resolve follows merges. It returns ErrRemoved for a tombstone.
func (r *Lookup[T]) resolve(ctx context.Context, entity T) (T, error) {
	var none T
	for range maxMerges {
		h := r.Header(entity)
		switch {
		case h.MergedInto != "":
			var err error
			if entity, err = r.copyOrAsk(ctx, h.MergedInto); err != nil {
				return none, err
			}
		case h.Removed:
			return none, r.ErrRemoved
		default:
			return entity, nil
		}
	}
	return none, fmt.Errorf("%s was merged more than %d times", r.Header(entity).ID, maxMerges)
}

// PlayerCopies stores the copies of players.
type PlayerCopies interface {
	// Player returns the copy of a player, also a tombstone, or event.ErrPlayerUnknown.
	Player(ctx context.Context, id string) (event.PlayerState, error)
	// ApplyPlayer stores a state unless the copy has the same or a higher version.
	ApplyPlayer(ctx context.Context, p event.PlayerState) error
}

// NewPlayers returns the lookup of players in copies, of which ask gets those whose copies have
// not arrived. A player who was removed is unknown.
func NewPlayers(
	copies PlayerCopies, ask func(ctx context.Context, id string) (event.PlayerState, error),
) *Lookup[event.PlayerState] {
	return &Lookup[event.PlayerState]{
		Load:  copies.Player,
		Apply: copies.ApplyPlayer,
		Ask:   ask,
		Header: func(p event.PlayerState) Header {
			return Header{ID: p.ID, Version: p.Version, Removed: p.Removed, MergedInto: p.MergedInto}
		},
		ErrUnknown: event.ErrPlayerUnknown,
		ErrRemoved: event.ErrPlayerUnknown,
	}
}

// MapCopies stores the copies of versions of maps.
type MapCopies interface {
	// Map returns the copy of a version, also a tombstone, or event.ErrMapUnknown.
	Map(ctx context.Context, id string) (event.MapState, error)
	// ApplyMap stores a state unless the copy has the same or a higher version.
	ApplyMap(ctx context.Context, m event.MapState) error
}

// NewMaps returns the lookup of versions of maps in copies, of which ask gets those whose copies have not arrived. A
// version that was removed is event.ErrMapRemoved.
func NewMaps(
	copies MapCopies, ask func(ctx context.Context, id string) (event.MapState, error),
) *Lookup[event.MapState] {
	return &Lookup[event.MapState]{
		Load:  copies.Map,
		Apply: copies.ApplyMap,
		Ask:   ask,
		Header: func(m event.MapState) Header {
			return Header{ID: m.ID, Version: m.Version, Removed: m.Removed}
		},
		ErrUnknown: event.ErrMapUnknown,
		ErrRemoved: event.ErrMapRemoved,
	}
}

// CurrentID returns a function that returns the id of the player whom a player was merged into, or the player's own. It
// returns access.ErrDeleted for a player whose account was deleted.
func CurrentID(players *Lookup[event.PlayerState]) func(ctx context.Context, id string) (string, error) {
	return func(ctx context.Context, id string) (string, error) {
		p, err := players.Get(ctx, id)
		if err == nil && p.Deleted {
			err = access.ErrDeleted
		}
		return p.ID, err
	}
}
