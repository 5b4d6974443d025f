// Package postgres stores families of refresh tokens and the copies of players.
package postgres

import "capzone.dev/platform/postgres"

// Store implements session.Families and has the copies of players.
type Store struct{ db postgres.DB }

// NewStore returns the store in the database of pool.
func NewStore(pool *postgres.Pool) *Store { return &Store{postgres.NewDB(pool)} }
