package event

import "time"

// Stream describes a JetStream stream. Provisioning makes it, services only use it.
type Stream struct {
	Name     string
	Subjects []string
	// MaxAge is how long a message is retained; zero means without a limit.
	MaxAge time.Duration
	// LastPerSubject keeps only the newest message of each subject.
	LastPerSubject bool
}

// The streams of the system.
var (
	StateStream = Stream{Name: "STATE", Subjects: []string{"state.v1.>"}, LastPerSubject: true}
	FactsStream = Stream{Name: "FACTS", Subjects: []string{"facts.v1.>"}, MaxAge: 30 * 24 * time.Hour}
	RoomsStream = Stream{Name: "ROOMS", Subjects: []string{"room.v1.event.>"}, MaxAge: 10 * time.Minute}
)

// Streams lists every stream, in the order in which they are provisioned.
func Streams() []Stream { return []Stream{StateStream, FactsStream, RoomsStream} }

// Consumer describes a durable pull consumer, shared by the replicas of a service.
type Consumer struct {
	Stream string
	// Name is the durable name. The service that owns it comes first: "records-copies".
	Name string
	// Subjects filter what is delivered.
	Subjects []string
}

// The durable consumers of the system.
var (
	// AuthPlayers keeps auth's copy of players' roles and bans.
	AuthPlayers = Consumer{Stream: "STATE", Name: "auth-players", Subjects: []string{"state.v1.player.>"}}
	// AuthRooms hands auth what bots report of verification rooms, in any order.
	AuthRooms = Consumer{Stream: "ROOMS", Name: "auth-rooms", Subjects: []string{"room.v1.event.>"}}
	// MapsCopies keeps the maps service's copies of players and of record counts.
	MapsCopies = Consumer{Stream: "STATE", Name: "maps-copies",
		Subjects: []string{"state.v1.player.>", "state.v1.mapstats.>"}}
	// RecordsCopies keeps the records service's copies of players and maps.
	RecordsCopies = Consumer{Stream: "STATE", Name: "records-copies",
		Subjects: []string{"state.v1.player.>", "state.v1.map.>"}}
	// RecordsMaps takes in the run that came with a submitted map.
	RecordsMaps = Consumer{Stream: "FACTS", Name: "records-maps", Subjects: []string{"facts.v1.map.created"}}
	// PlayersCopies keeps the players service's counts of maps and records.
	PlayersCopies = Consumer{Stream: "STATE", Name: "players-copies",
		Subjects: []string{"state.v1.map.>", "state.v1.playerstats.>"}}
)

// Consumers lists every durable consumer.
func Consumers() []Consumer {
	return []Consumer{AuthPlayers, AuthRooms, MapsCopies, RecordsCopies, RecordsMaps, PlayersCopies}
}
