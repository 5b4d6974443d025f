// Package migrations holds the tables of the moderation service, for goose.
package migrations

import "embed"

// FS has the SQL files at its root.
//
//go:embed *.sql
var FS embed.FS
