package player

import (
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
)

// Edit changes a player and returns the effects of the change.
type Edit func(p *Player) (Effects, error)

// EditPair changes two players and returns the effects of the change.
type EditPair func(first, second *Player) (Effects, error)

// Effects are stored in the transaction that stores the player.
type Effects struct {
	Facts []event.Fact
	// Audit is set for a change by an operator, an admin or a moderator.
	Audit *AuditEntry
	// Avatar is the upload of a new avatar.
	Avatar objectstore.Upload
}

// AuditEntry is an entry of the audit log.
type AuditEntry struct {
	// Actor is an operator's account on the machine, or a player's id.
	Actor  string
	Action string
	Reason string
	// Details are the changed values.
	Details map[string]any
}
