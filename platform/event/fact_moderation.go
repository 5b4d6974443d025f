package event

import "time"

// DecidedSubject is what a decision of the moderators is about.
type DecidedSubject struct {
	// Kind is record, map or player.
	Kind string `json:"kind"`
	ID   string `json:"id"`
	// MapID is the map, or that of the record, and empty for a player.
	MapID string `json:"mapId,omitempty"`
	// PlayerID is whom it concerns, and empty for a map without a known author.
	PlayerID string `json:"playerId,omitempty"`
}

// ModerationDecided reports that a decision of the moderators about a player is carried out. Published by moderation.
type ModerationDecided struct {
	DecisionID string `json:"decisionId"`
	// PlayerID is whom the decision concerns.
	PlayerID string         `json:"playerId"`
	Decided  DecidedSubject `json:"subject"`
	// Kind is what was decided, and PublicReason why, as the API names them.
	Kind         string    `json:"kind"`
	PublicReason string    `json:"publicReason,omitempty"`
	At           time.Time `json:"at"`
}

// Subject implements Fact.
func (ModerationDecided) Subject() string { return ModerationDecidedSubject }

// ReportClosed reports that what players have reported is decided. Published by moderation.
type ReportClosed struct {
	DecisionID string `json:"decisionId"`
	// ReporterIDs are at most MaxReceivers players.
	ReporterIDs []string       `json:"reporterIds"`
	Decided     DecidedSubject `json:"subject"`
	// Kind is what was decided, and PublicReason why, as the API names them.
	Kind         string `json:"kind,omitempty"`
	PublicReason string `json:"publicReason,omitempty"`
	// Confirmed is false where the reports were dismissed.
	Confirmed bool      `json:"confirmed"`
	At        time.Time `json:"at"`
}

// Subject implements Fact.
func (ReportClosed) Subject() string { return ReportClosedSubject }

// AppealAnswered reports that a moderator has answered an appeal against a decision, or has asked back. Published by
// moderation.
type AppealAnswered struct {
	AppealID   string         `json:"appealId"`
	DecisionID string         `json:"decisionId"`
	PlayerID   string         `json:"playerId"`
	Decided    DecidedSubject `json:"subject"`
	Granted    bool           `json:"granted"`
	// QuestionID is the message with which a moderator has asked back, and the appeal is still open. It is empty for an
	// answer.
	QuestionID string    `json:"questionId,omitempty"`
	At         time.Time `json:"at"`
}

// Subject implements Fact.
func (AppealAnswered) Subject() string { return AppealAnsweredSubject }
