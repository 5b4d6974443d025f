package session

import (
	"context"
	"errors"
	"time"

	"capzone.dev/platform/event"
)

// attempts is how often a refresh looks again because others were faster.
// A token goes from fresh to used to used long ago, and no further.
const attempts = 4

// Refresh gives a new access token, with the player's name and roles as they
// are now, and a new refresh token for the one presented, which is used up by
// it. A token used before ends the whole family, except within Grace. Returns
// ErrMissing, ErrExpired, ErrInvalid, ErrReused or ErrEnded, or a problem of
// kind unavailable, which has used nothing up.
func (s *Service) Refresh(ctx context.Context, presented string) (Grant, error) {
	if presented == "" {
		return Grant{}, ErrMissing
	}
	hash := hashOf(presented)
	for range attempts {
		found, err := s.Families.Find(ctx, hash)
		if err != nil {
			return Grant{}, err
		}
		use := found.judge(s.Now())
		if err := s.refuse(ctx, found, use); err != nil {
			return Grant{}, err
		}
		player, err := s.player(ctx, found.Family.PlayerID)
		if err != nil {
			return Grant{}, err
		}
		access, err := s.Signer.Sign(player)
		if err != nil {
			return Grant{}, err
		}
		raw, next := newToken(s.Now())
		if given, err := s.give(ctx, found, use, hash, next); err != nil || given {
			return Grant{AccessToken: access, RefreshToken: raw, Player: player}, err
		}
	}
	return Grant{}, ErrBusy
}

// use is what a presented token is good for.
type use int

const (
	fresh   use = iota // can be rotated
	justNow            // was rotated a moment ago, by another tab
	reused             // was rotated before that
	expired
	revoked
)

func (f TokenState) judge(now time.Time) use {
	switch {
	case f.Revoked:
		return revoked
	case !now.Before(f.ExpiresAt):
		return expired
	case f.UsedAt.IsZero():
		return fresh
	case now.Before(f.UsedAt.Add(Grace)):
		return justNow
	}
	return reused
}

// refuse returns why a token is good for nothing, or nil.
func (s *Service) refuse(ctx context.Context, found TokenState, use use) error {
	switch use {
	case fresh, justNow:
		return nil
	case expired:
		return ErrExpired
	case revoked:
		if _, err := s.player(ctx, found.Family.PlayerID); errors.Is(err, ErrEnded) {
			return err
		}
		return ErrInvalid
	case reused:
		s.Log.WarnContext(ctx, "refresh token was used twice, its family ends", "family", found.Family.ID, "player", found.Family.PlayerID)
		if err := s.Families.Revoke(ctx, found.Family.ID, ByReuse, s.Now()); err != nil {
			return err
		}
		return ErrReused
	}
	return ErrInvalid
}

// give keeps the next token. It reports false when the family has moved on since
// it was looked at.
func (s *Service) give(ctx context.Context, found TokenState, use use, presented Hash, next Token) (bool, error) {
	if use == fresh {
		return s.Families.Rotate(ctx, presented, next)
	}
	return s.Families.AddSibling(ctx, found.Family.ID, next)
}

// player returns the player of a session: the copy or, where it has not arrived
// yet, what the owner says. Returns ErrEnded for a player who may not be logged in.
func (s *Service) player(ctx context.Context, id string) (event.PlayerState, error) {
	player, err := s.Copies.Player(ctx, id)
	if errors.Is(err, ErrPlayerUnknown) {
		player, err = s.ask(ctx, id)
	}
	switch {
	case errors.Is(err, ErrPlayerUnknown), err == nil && player.Removed:
		return event.PlayerState{}, ErrInvalid
	case err != nil:
		return event.PlayerState{}, err
	case player.Banned:
		return event.PlayerState{}, ErrEnded
	}
	return player, nil
}

// ask asks the owner and keeps the answer, by its version.
func (s *Service) ask(ctx context.Context, id string) (event.PlayerState, error) {
	player, err := s.Owner.Player(ctx, id)
	if err != nil {
		return event.PlayerState{}, err
	}
	return player, s.TakePlayer(ctx, player)
}
