package main

import (
	"slices"

	"capzone.dev/platform/event"
)

// user is a program's credentials and all that the server lets it do.
type user struct {
	Name      string
	Publish   []string
	Subscribe []string
	// Responds lets it answer each request that reaches it, once.
	Responds bool
}

// provision is the command that makes streams and consumers.
const provision = "provision"

// serviceUser is a service of the account SITE. It answers into the inboxes of
// those who may ask it and nowhere else: a general permission to answer would
// let one who asks have the answer sent to any subject, a state's for instance.
func serviceUser(p event.Program) user {
	u := user{Name: p.Name, Publish: slices.Concat(p.Publishes, p.Requests, jetStream(p)),
		Subscribe: slices.Clone(p.Subscribes)}
	for _, asker := range event.Services() {
		if asks(asker, p) {
			u.Publish = append(u.Publish, inboxes(asker)...)
		}
	}
	for _, a := range p.Serves {
		u.Subscribe = append(u.Subscribe, subscription(a))
	}
	u.Subscribe = append(u.Subscribe, inboxes(p)...)
	return u.sorted()
}

// jetStream lists what the program needs of JetStream's API: to read its own
// consumers, the stream of states (to build its copies again), and what is
// retained of its own states (to publish none that is older).
func jetStream(p event.Program) (subjects []string) {
	state := event.StateStream.Name
	for _, c := range p.Consumers() {
		subjects = append(subjects,
			"$JS.API.CONSUMER.INFO."+c.Stream+"."+c.Name,
			"$JS.API.CONSUMER.MSG.NEXT."+c.Stream+"."+c.Name,
			"$JS.ACK."+c.Stream+"."+c.Name+".>")
		if c.Stream == state {
			subjects = append(subjects, "$JS.API.STREAM.INFO."+state, "$JS.API.DIRECT.GET."+state)
		}
	}
	for _, said := range p.Publishes {
		if holds(event.StateStream, said) {
			subjects = append(subjects, "$JS.API.STREAM.INFO."+state, "$JS.API.DIRECT.GET."+state+"."+said)
		}
	}
	return subjects
}

// provisionUser makes and updates the streams and consumers of the catalogue,
// and no others.
func provisionUser() user {
	u := user{Name: provision, Subscribe: []string{event.InboxPrefix(provision) + ".>"}}
	for _, s := range event.Streams() {
		u.Publish = append(u.Publish, "$JS.API.STREAM.CREATE."+s.Name, "$JS.API.STREAM.UPDATE."+s.Name,
			"$JS.API.STREAM.INFO."+s.Name)
	}
	for _, c := range event.Consumers() {
		u.Publish = append(u.Publish, "$JS.API.CONSUMER.CREATE."+c.Stream+"."+c.Name,
			"$JS.API.CONSUMER.INFO."+c.Stream+"."+c.Name)
	}
	return u.sorted()
}

// botUser is a bot in the account BOTS. The server gives the requests that come
// from the account SITE reply subjects of its own making, which only a general
// permission to answer covers; in this account there is nothing else to reach.
func botUser() user {
	u := user{
		Name:      event.Bot.Name,
		Publish:   slices.Concat(event.Bot.Publishes, event.Bot.Requests),
		Subscribe: []string{event.InboxPrefix(event.Bot.Name) + ".>"},
		Responds:  true,
	}
	for _, a := range event.Bot.Serves {
		u.Subscribe = append(u.Subscribe, subscription(a))
	}
	return u.sorted()
}

// asks reports whether one program sends requests that another answers.
func asks(asker, answerer event.Program) bool {
	return slices.ContainsFunc(answerer.Serves,
		func(a event.Endpoint) bool { return slices.Contains(asker.Requests, a.Subject) })
}

// inboxes are those of a service and of its operators' commands.
func inboxes(p event.Program) []string {
	return []string{event.InboxPrefix(p.Name) + ".>", event.InboxPrefix(event.CommandName(p.Name)) + ".>"}
}

// subscription is the right to answer, within a queue group only as its member.
func subscription(a event.Endpoint) string {
	if a.Queue == "" {
		return a.Subject
	}
	return a.Subject + " " + a.Queue
}

func holds(s event.Stream, subject string) bool {
	prefix := s.Subjects[0][:len(s.Subjects[0])-1] // without the ">"
	return len(subject) > len(prefix) && subject[:len(prefix)] == prefix
}

func (u user) sorted() user {
	slices.Sort(u.Publish)
	slices.Sort(u.Subscribe)
	u.Publish, u.Subscribe = slices.Compact(u.Publish), slices.Compact(u.Subscribe)
	return u
}
