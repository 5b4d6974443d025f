// Package postgres stores families of refresh tokens, personal tokens and the copies of players.
//
// Lock order. A transaction that applies a player's copy, begins a session or creates a personal token locks the copy
// first, so that nothing is begun while the player is banned, merged or deleted. Then it locks families, as one that
// exchanges a refresh token does.
package postgres

import "capzone.dev/platform/postgres"

// Store implements session.FamilyStore and personaltoken.Store, and has the copies of players.
type Store struct{ db postgres.DB }

// NewStore returns the store in the database of pool.
func NewStore(pool *postgres.Pool) *Store { return &Store{postgres.NewDB(pool)} }
