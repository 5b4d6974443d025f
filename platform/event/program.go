package event

import "strings"

// Program is what takes part in the messages over NATS, with all that it may publish and
// subscribe to there. deploy/nats makes each program's credentials of it: what is not
// listed is refused by the server. All replicas of a program have the same.
type Program struct {
	// Name is what the program connects as (eventbus.Connect). The durable
	// consumers whose names begin with it are its own.
	Name string
	// Publishes are subjects that it publishes on without waiting for anybody's
	// answer: its own states and facts, what a bot reports.
	Publishes []string
	// Subscribes are subjects that it subscribes to without an answer of its own.
	// What it reads from streams it gets by its consumers.
	Subscribes []string
	// Requests are subjects of requests that it sends.
	Requests []string
	// Serves are the requests that it takes.
	Serves []Endpoint
}

// Endpoint is a subject on which a program answers requests.
type Endpoint struct {
	Subject string
	// Queue is the group of which one answers each request; empty where
	// the subject names one process.
	Queue string
}

// The programs of the system.
var (
	Auth = Program{
		Name: "auth",
		Requests: []string{RegisterPlayerSubject, GetPlayerSubject, RoomOpenSubject, RoomWaitSubject, RoomSaySubject("*"),
			RoomStateSubject("*"), RoomCloseSubject("*")},
	}
	Maps = Program{
		Name:      "maps",
		Publishes: []string{MapStatePrefix + "*", MapCreatedSubject, MapRemovedSubject, MapReassignedSubject},
		Requests:  []string{EnsurePlayerSubject, GetPlayerSubject},
		Serves:    []Endpoint{{GetMapSubject, "maps"}},
	}
	Records = Program{
		Name:      "records",
		Publishes: []string{MapStatsPrefix + "*", PlayerStatsPrefix + "*", RecordSubmittedSubject, RecordRemovedSubject},
		Requests:  []string{GetMapSubject, GetPlayerSubject},
	}
	Players = Program{
		Name: "players",
		Publishes: []string{
			PlayerStatePrefix + "*",
			PlayerRegisteredSubject, PlayerBannedSubject, PlayerUnbannedSubject, PlayerMergedSubject,
		},
		Serves: []Endpoint{
			{EnsurePlayerSubject, "players"}, {RegisterPlayerSubject, "players"}, {GetPlayerSubject, "players"},
		},
	}
	Bot = Program{
		Name:      "bot",
		Publishes: []string{RoomEventSubject("*")},
		// A request that reaches a bot without a free room goes on to another bot.
		Requests: []string{RoomOpenSubject},
		Serves: []Endpoint{
			{RoomOpenSubject, RoomOpenQueue}, {RoomWaitSubject, RoomOpenQueue},
			{RoomSaySubject("*"), ""}, {RoomStateSubject("*"), ""}, {RoomCloseSubject("*"), ""},
		},
	}
	// Gateway publishes nothing. It purges what its cache stores of whatever the events name.
	Gateway = Program{Name: "gateway", Subscribes: []string{StateStream.Subjects[0], FactsStream.Subjects[0]}}
)

// Services lists the programs that are trusted with everything behind the
// gateway. Bots are not among them: they may run elsewhere, and be others' work.
func Services() []Program { return []Program{Auth, Gateway, Maps, Players, Records} }

// Programs lists every program.
func Programs() []Program { return append(Services(), Bot) }

// Consumers returns the durable consumers that the program owns.
func (p Program) Consumers() (own []Consumer) {
	for _, c := range Consumers() {
		if strings.HasPrefix(c.Name, p.Name+"-") {
			own = append(own, c)
		}
	}
	return own
}

// CommandName is what an operator's command of the named service connects as.
func CommandName(service string) string { return service + "-command" }

// InboxPrefix is where the named program takes answers: on subjects that nobody
// else may listen to.
func InboxPrefix(name string) string { return "_INBOX_" + name }
