// Package publicevent translates facts, field by field, into the events that everybody may see. The gateway sends them
// as live events, and the notifications service to webhooks. What a translation does not name stays inside.
package publicevent

// gateway/api/openapi.yaml describes the data of events.
//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi-codegen.yaml -o types.gen.go ../../gateway/api/openapi.yaml

// Kind is the type of an event, as readers see it.
type Kind string

// The kinds of events.
const (
	KindRecord           Kind = "record"
	KindRecordRemoved    Kind = "record.removed"
	KindRecordRestored   Kind = "record.restored"
	KindRecordsHidden    Kind = "records.hidden"
	KindRecordsShown     Kind = "records.shown"
	KindMap              Kind = "map"
	KindMapUpdated       Kind = "map.updated"
	KindMapRemoved       Kind = "map.removed"
	KindMapRestored      Kind = "map.restored"
	KindPlayerRegistered Kind = "player.registered"
	KindPlayerMerged     Kind = "player.merged"
	KindPlayerDeleted    Kind = "player.deleted"
	KindPoints           Kind = "points"
	KindInbox            Kind = "inbox"
)

// Event is the public content of a fact.
type Event struct {
	Kind  Kind
	Types Types
	// Data is one of the generated types.
	Data any
	// Maps and Players are the ids that Data names.
	Maps, Players []string
	Mode          string
	// Receivers are the only players for whom the event is, sorted. Empty where it is for everybody.
	Receivers []string
}
