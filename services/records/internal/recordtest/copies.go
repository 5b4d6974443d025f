package recordtest

import (
	"context"
	"strings"

	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

// Copies are copies of maps and players in memory.
type Copies struct {
	Maps    map[string]record.Map
	Players map[string]record.Player
}

// NewCopies returns no copies.
func NewCopies() *Copies {
	return &Copies{map[string]record.Map{}, map[string]record.Player{}}
}

// Map implements record.MapCopies and record.MapOwner.
func (c *Copies) Map(_ context.Context, id string) (record.Map, error) {
	if m, ok := c.Maps[strings.ToLower(id)]; ok {
		return m, nil
	}
	return record.Map{}, record.ErrMapUnknown
}

// MapVersion implements record.MapCopies and record.MapOwner.
func (c *Copies) MapVersion(_ context.Context, id int64, fingerprint string) (record.Map, error) {
	for _, m := range c.Maps {
		if m.GameMapID == id && m.Fingerprint == fingerprint && !m.Removed {
			return m, nil
		}
	}
	return record.Map{}, record.ErrMapUnknown
}

// Player implements lookup.PlayerCopies.
func (c *Copies) Player(_ context.Context, id string) (record.Player, error) {
	if p, ok := c.Players[id]; ok {
		return p, nil
	}
	return record.Player{}, record.ErrPlayerUnknown
}

// ApplyMap implements record.MapCopies.
func (c *Copies) ApplyMap(_ context.Context, m record.Map) error {
	c.Maps[m.ID] = m
	return nil
}

// ApplyPlayer implements lookup.PlayerCopies.
func (c *Copies) ApplyPlayer(_ context.Context, p record.Player) error {
	c.Players[p.ID] = p
	return nil
}

// Owners are the owners of maps and players, who have other ones than the copies.
type Owners struct {
	Copies

	// Unavailable is true where Owners answer with ErrAway. Asked counts the questions.
	Unavailable bool
	Asked       int
}

// ErrAway is the error of owners who cannot be asked.
var ErrAway = problem.Unavailable("service_unavailable", "Away.")

func (o *Owners) ask() error {
	o.Asked++
	if o.Unavailable {
		return ErrAway
	}
	return nil
}

// Map implements record.MapCopies and record.MapOwner.
func (o *Owners) Map(ctx context.Context, id string) (record.Map, error) {
	if err := o.ask(); err != nil {
		return record.Map{}, err
	}
	return o.Copies.Map(ctx, id)
}

// MapVersion implements record.MapCopies and record.MapOwner.
func (o *Owners) MapVersion(_ context.Context, id int64, fingerprint string) (record.Map, error) {
	if err := o.ask(); err != nil {
		return record.Map{}, err
	}
	answer, err := record.Map{}, error(record.ErrMapUnknown)
	for _, m := range o.Maps {
		if m.GameMapID == id && (err != nil || m.Fingerprint == fingerprint) {
			answer, err = m, nil
		}
	}
	return answer, err
}

// Player returns a player, record.ErrPlayerUnknown or ErrAway.
func (o *Owners) Player(ctx context.Context, id string) (record.Player, error) {
	if err := o.ask(); err != nil {
		return record.Player{}, err
	}
	return o.Copies.Player(ctx, id)
}
