package event

import (
	"encoding/json"
	"time"

	"capzone.dev/platform/access"
)

// Subjects of commands.
const (
	RemoveRecordSubject  = "commands.v1.records.remove"
	RestoreRecordSubject = "commands.v1.records.restore"
	HidePlayerSubject    = "commands.v1.records.hide"
	ShowPlayerSubject    = "commands.v1.records.show"
	RemoveMapSubject     = "commands.v1.maps.remove"
	RestoreMapSubject    = "commands.v1.maps.restore"
	UnrankMapSubject     = "commands.v1.maps.unrank"
	RankMapSubject       = "commands.v1.maps.rank"
	BanPlayerSubject     = "commands.v1.players.ban"
	UnbanPlayerSubject   = "commands.v1.players.unban"
	MergePlayerSubject   = "commands.v1.players.merge"
)

// Command asks the owner of an entity to carry out a decision of the moderators. The owner answers with the fact of the
// change, which carries the decision's id, or with CommandRefused.
type Command interface {
	// Subject is where the command is published: commands.v1.<service>.<verb>.
	Subject() string
	// By says who decided, why, and by which decision.
	By() access.Attribution
	// Target is the id of the entity that changes. A decision has at most one command of a subject for a target.
	Target() string
}

// RemoveRecord removes a record.
type RemoveRecord struct {
	access.Attribution
	RecordID string `json:"recordId"`
}

// Subject implements Command.
func (RemoveRecord) Subject() string { return RemoveRecordSubject }

// Target implements Command.
func (c RemoveRecord) Target() string { return c.RecordID }

// RestoreRecord restores a removed record.
type RestoreRecord RemoveRecord

// Subject implements Command.
func (RestoreRecord) Subject() string { return RestoreRecordSubject }

// Target implements Command.
func (c RestoreRecord) Target() string { return c.RecordID }

// HidePlayer hides all records of a player.
type HidePlayer struct {
	access.Attribution
	PlayerID string `json:"playerId"`
}

// Subject implements Command.
func (HidePlayer) Subject() string { return HidePlayerSubject }

// Target implements Command.
func (c HidePlayer) Target() string { return c.PlayerID }

// ShowPlayer shows the hidden records of a player.
type ShowPlayer HidePlayer

// Subject implements Command.
func (ShowPlayer) Subject() string { return ShowPlayerSubject }

// Target implements Command.
func (c ShowPlayer) Target() string { return c.PlayerID }

// RemoveMap removes one version of a map.
type RemoveMap struct {
	access.Attribution
	MapID string `json:"mapId"`
}

// Subject implements Command.
func (RemoveMap) Subject() string { return RemoveMapSubject }

// Target implements Command.
func (c RemoveMap) Target() string { return c.MapID }

// RestoreMap restores a removed version of a map.
type RestoreMap RemoveMap

// Subject implements Command.
func (RestoreMap) Subject() string { return RestoreMapSubject }

// Target implements Command.
func (c RestoreMap) Target() string { return c.MapID }

// UnrankMap unranks one version of a map: its records give no points.
type UnrankMap RemoveMap

// Subject implements Command.
func (UnrankMap) Subject() string { return UnrankMapSubject }

// Target implements Command.
func (c UnrankMap) Target() string { return c.MapID }

// RankMap ranks an unranked version of a map again.
type RankMap RemoveMap

// Subject implements Command.
func (RankMap) Subject() string { return RankMapSubject }

// Target implements Command.
func (c RankMap) Target() string { return c.MapID }

// BanPlayer bans a player.
type BanPlayer struct {
	access.Attribution
	PlayerID string `json:"playerId"`
	// Until is when the ban ends by itself, and zero for a ban without an end.
	Until time.Time `json:"until,omitzero"`
}

// Subject implements Command.
func (BanPlayer) Subject() string { return BanPlayerSubject }

// Target implements Command.
func (c BanPlayer) Target() string { return c.PlayerID }

// UnbanPlayer lifts a ban.
type UnbanPlayer HidePlayer

// Subject implements Command.
func (UnbanPlayer) Subject() string { return UnbanPlayerSubject }

// Target implements Command.
func (c UnbanPlayer) Target() string { return c.PlayerID }

// MergePlayer merges a player into another.
type MergePlayer struct {
	access.Attribution
	PlayerID string `json:"playerId"`
	IntoID   string `json:"intoId"`
}

// Subject implements Command.
func (MergePlayer) Subject() string { return MergePlayerSubject }

// Target implements Command.
func (c MergePlayer) Target() string { return c.PlayerID }

// CommandRefused reports that a command was refused, for a reason that no repetition changes. Published by the
// service that the command was for.
type CommandRefused struct {
	DecisionID string `json:"decisionId"`
	// Command is the subject of the command.
	Command  string `json:"command"`
	TargetID string `json:"targetId"`
	// Code and Message are those of the problem.
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Subject implements Fact.
func (CommandRefused) Subject() string { return CommandRefusedSubject }

// AuditWritten reports a new row of a service's audit log. Published by the service.
type AuditWritten struct {
	access.Attribution
	Action access.Action `json:"action"`
	// TargetID is the id of the entity that was changed.
	TargetID string `json:"targetId"`
	// Before and After are the changed values.
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
	// At is when the row was written.
	At time.Time `json:"at"`
}

// Subject implements Fact.
func (AuditWritten) Subject() string { return AuditWrittenSubject }
