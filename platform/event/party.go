package event

import "strings"

// Party is a program that speaks over NATS, with all that it may say and hear
// there. deploy/nats makes each party's credentials of it: what is not listed
// is refused by the server. The replicas of a program are one party.
type Party struct {
	// Name is what the program connects as (eventbus.Connect). The durable
	// consumers whose names begin with it are its own.
	Name string
	// Says are subjects that it publishes on without waiting for anybody's
	// answer: its own states and facts, what a bot reports.
	Says []string
	// Hears are subjects that it subscribes to without an answer of its own.
	// What it reads from streams it gets by its consumers.
	Hears []string
	// Asks are subjects of requests that it sends.
	Asks []string
	// Answers are the requests that it takes.
	Answers []Answering
}

// Answering is a subject on which a party answers requests.
type Answering struct {
	Subject string
	// Queue is the group of which one answers each request; empty where
	// the subject names one process.
	Queue string
}

// The programs of the system.
var (
	Auth = Party{
		Name: "auth",
		Asks: []string{RegisterPlayerSubject, GetPlayerSubject, RoomOpenSubject, RoomSaySubject("*"), RoomStateSubject("*"), RoomCloseSubject("*")},
	}
	Maps = Party{
		Name:    "maps",
		Says:    []string{PagesSubject("maps"), MapStatePrefix + "*", MapCreatedSubject, MapRemovedSubject, MapReassignedSubject},
		Asks:    []string{EnsurePlayerSubject, GetPlayerSubject},
		Answers: []Answering{{GetMapSubject, "maps"}},
	}
	Records = Party{
		Name: "records",
		Says: []string{PagesSubject("records"), MapStatsPrefix + "*", PlayerStatsPrefix + "*", RecordSubmittedSubject, RecordRemovedSubject},
		Asks: []string{GetMapSubject, GetPlayerSubject},
	}
	Players = Party{
		Name: "players",
		Says: []string{
			PagesSubject("players"), PlayerStatePrefix + "*",
			PlayerRegisteredSubject, PlayerBannedSubject, PlayerUnbannedSubject, PlayerMergedSubject,
		},
		Answers: []Answering{
			{EnsurePlayerSubject, "players"}, {RegisterPlayerSubject, "players"}, {GetPlayerSubject, "players"},
		},
	}
	// Bot hands a request for a room on when it has none free.
	Bot = Party{
		Name:    "bot",
		Says:    []string{RoomEventSubject("*")},
		Asks:    []string{RoomOpenSubject},
		Answers: []Answering{{RoomOpenSubject, RoomOpenQueue}, {RoomSaySubject("*"), ""}, {RoomStateSubject("*"), ""}, {RoomCloseSubject("*"), ""}},
	}
	// Gateway has nothing to say: it hears which pages have changed.
	Gateway = Party{Name: "gateway", Hears: []string{EveryPagesSubject}}
)

// Services lists the parties that are trusted with everything behind the
// gateway. Bots are not among them: they may run elsewhere, and be others' work.
func Services() []Party { return []Party{Auth, Gateway, Maps, Players, Records} }

// Parties lists every party.
func Parties() []Party { return append(Services(), Bot) }

// Consumers returns the durable consumers that the party owns.
func (p Party) Consumers() (own []Consumer) {
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
