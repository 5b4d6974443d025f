package event

import (
	"time"
)

// PlayerRegistered reports that a player logged in for the first time. Published by players.
type PlayerRegistered struct {
	PlayerID string `json:"playerId"`
	// ClaimedPlaceholder is true when a placeholder became this player.
	ClaimedPlaceholder bool `json:"tookOver"`
}

// Subject implements Fact.
func (PlayerRegistered) Subject() string { return PlayerRegisteredSubject }

// PlayerBanned reports that a moderator or an operator banned a player. Published by players.
type PlayerBanned struct {
	PlayerID string `json:"playerId"`
	Reason   string `json:"reason"`
	// Until is when the ban ends by itself, and zero for a ban without an end.
	Until time.Time `json:"until,omitzero"`
	// DecisionID is the moderators' decision that was carried out, or empty.
	DecisionID string `json:"decisionId,omitempty"`
}

// Subject implements Fact.
func (PlayerBanned) Subject() string { return PlayerBannedSubject }

// PlayerUnbanned reports that a ban was lifted, or that its time is over. Published by players.
type PlayerUnbanned struct {
	PlayerID string `json:"playerId"`
	Reason   string `json:"reason"`
	// DecisionID is the moderators' decision that was carried out, or empty. A ban whose time
	// is over has the decision that banned the player.
	DecisionID string `json:"decisionId,omitempty"`
}

// Subject implements Fact.
func (PlayerUnbanned) Subject() string { return PlayerUnbannedSubject }

// PlayerMerged reports that an admin or an operator merged a player into another. Published by players.
type PlayerMerged struct {
	PlayerID string `json:"playerId"`
	IntoID   string `json:"intoId"`
	Reason   string `json:"reason"`
	// DecisionID is the moderators' decision that was carried out, or empty.
	DecisionID string `json:"decisionId,omitempty"`
}

// Subject implements Fact.
func (PlayerMerged) Subject() string { return PlayerMergedSubject }

// PlayerDeleted reports that a player's account was deleted. Published by players. The other services delete what they
// have of the player by the player's state.
type PlayerDeleted struct {
	PlayerID string `json:"playerId"`
	// Name is the name that the player has from now on.
	Name string `json:"name"`
}

// Subject implements Fact.
func (PlayerDeleted) Subject() string { return PlayerDeletedSubject }

// NotificationsAdded reports that players have new notifications in their inboxes. Published by notifications, in the
// transaction that adds them.
type NotificationsAdded struct {
	// PlayerIDs are at most MaxReceivers players.
	PlayerIDs []string  `json:"playerIds"`
	Kind      string    `json:"kind"`
	At        time.Time `json:"at"`
}

// MaxReceivers bounds NotificationsAdded. Of notifications for more players there are several facts.
const MaxReceivers = 500

// Subject implements Fact.
func (NotificationsAdded) Subject() string { return NotificationsAddedSubject }

// TokenRevoked reports that a personal token is revoked. Published by auth, for the gateways, which stop accepting it.
type TokenRevoked struct {
	TokenID  string    `json:"tokenId"`
	PlayerID string    `json:"playerId"`
	At       time.Time `json:"at"`
}

// Subject implements Fact.
func (TokenRevoked) Subject() string { return TokenRevokedSubject }
