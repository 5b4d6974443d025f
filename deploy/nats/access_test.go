package nats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

// concrete makes a subject of a pattern.
func concrete(pattern string) string { return strings.ReplaceAll(pattern, "*", "x1") }

func envelope(t *testing.T, id string) []byte {
	t.Helper()
	body, err := json.Marshal(event.Envelope{ID: id, Version: 1, At: time.Now(), Data: json.RawMessage(`{}`)})
	require.NoError(t, err)
	return body
}

// publishAll has each service publish all that it may, as its outbox relay does.
func (d deployment) publishAll() {
	d.t.Helper()
	for _, p := range event.Services() {
		c := d.connect(p.Name, p.Name)
		for _, published := range p.Publishes {
			subject := concrete(published)
			if !holds(event.StateStream, subject) && !holds(event.FactsStream, subject) {
				continue
			}
			msg := nats.NewMsg(subject)
			msg.Data = envelope(d.t, subject)
			var options []jetstream.PublishOpt
			if holds(event.StateStream, subject) {
				options = append(options, jetstream.WithExpectLastSequencePerSubject(0))
			}
			future, err := c.js.PublishMsgAsync(msg, options...)
			require.NoError(d.t, err)
			select {
			case <-future.Ok():
			case err := <-future.Err():
				d.t.Errorf("%s publishes %s: %v", p.Name, subject, err)
			}
		}
		c.sawNothingRefused(d.t)
	}
}

func TestServiceUser_publishes_and_reads_its_states(t *testing.T) {
	d := start(t)
	d.provision()
	d.publishAll()
	for _, p := range event.Services() {
		c := d.connect(p.Name, p.Name)
		for _, published := range p.Publishes {
			if !holds(event.StateStream, published) {
				continue
			}
			stream, err := c.js.Stream(t.Context(), event.StateStream.Name)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			if _, err := stream.GetLastMsgForSubject(t.Context(), concrete(published)); err != nil {
				t.Errorf("%s reads what is retained of %s: %v", p.Name, published, err)
			}
			if _, err := stream.GetLastMsgForSubject(t.Context(), published[:len(published)-1]+"absent"); !errors.Is(
				err,
				jetstream.ErrMsgNotFound,
			) {
				t.Errorf("%s reads what was never published: %v", p.Name, err)
			}
		}
		c.sawNothingRefused(t)
	}
}

func TestServiceUser_consumes_and_rebuilds(t *testing.T) {
	d := start(t)
	d.provision()
	d.publishAll()
	bot := d.connect("bot", "bot")
	if _, err := bot.js.Publish(t.Context(), event.RoomEventSubject("r1"), []byte(`{}`),
		jetstream.WithMsgID("r1.1")); err != nil {
		t.Fatalf("the bot reports: %v", err)
	}
	for _, p := range event.Services() {
		c := d.connect(p.Name, p.Name)
		for _, consumer := range p.Consumers() {
			if consumer.Stream == event.CommandsStream.Name { // which no program may publish yet
				stored, err := c.js.Consumer(t.Context(), consumer.Stream, consumer.Name)
				if err == nil {
					_, err = stored.FetchNoWait(1)
				}
				if err != nil {
					t.Errorf("%s: %v", consumer.Name, err)
				}
				continue
			}
			ctx, stop := context.WithCancel(t.Context())
			got, ended := make(chan string, 64), make(chan error, 1)
			go func() {
				ended <- eventbus.Consume(ctx, c.js, consumer, func(_ context.Context, msg jetstream.Msg) error {
					got <- msg.Subject()
					return nil
				}, slog.New(slog.DiscardHandler))
			}()
			for range consumer.Subjects {
				select {
				case <-got:
				case <-time.After(10 * time.Second):
					t.Errorf("%s: not all of %v came", consumer.Name, consumer.Subjects)
				}
			}
			info, err := c.js.Consumer(ctx, consumer.Stream, consumer.Name)
			require.NoError(t, err)
			eventually.WaitFor(t, consumer.Name+" to be acknowledged", func() bool {
				i, err := info.Info(ctx)
				return err == nil && i.NumAckPending == 0 && i.NumPending == 0
			})
			stop()
			<-ended

			if consumer.Stream != event.StateStream.Name {
				continue
			}
			command := d.connect(p.Name, event.CommandName(p.Name))
			count, err := eventbus.Replay(t.Context(), command.js, consumer.Subjects,
				func(context.Context, string, event.Envelope) error { return nil })
			if err != nil || count != len(consumer.Subjects) {
				t.Errorf("%s rebuilds from %d states (%v), want %d", p.Name, count, err, len(consumer.Subjects))
			}
			command.sawNothingRefused(t)
		}
		c.sawNothingRefused(t)
	}
}

type echo struct{ Text string }

// The sender of a request names the subject of the answer. Unless that has to be an inbox of a service that may ask,
// the answering service could be made to overwrite another service's state.
func TestServiceUser_answers_go_to_inboxes_only(t *testing.T) {
	d := start(t)
	d.provision()
	players, maps := d.connect("players", "players"), d.connect("maps", "maps")
	stop, err := eventbus.ServeRPC(players.Conn, event.GetPlayerSubject, "players", slog.New(slog.DiscardHandler),
		func(_ context.Context, req echo) (echo, error) { return req, nil })
	require.NoError(t, err)
	t.Cleanup(stop)
	require.NoError(t, players.Flush())
	for _, reply := range []string{event.MapStatsPrefix + "x1", event.EnsurePlayerSubject, "_INBOX_provision.x1"} {
		require.NoError(t, maps.PublishRequest(event.GetPlayerSubject, reply, []byte(`{}`)))
		players.sawRefusal(t, reply)
	}
}

func TestServiceUser_requests_are_answered(t *testing.T) {
	d := start(t)
	connections := map[string]client{}
	for _, p := range event.Programs() {
		c := d.connect(p.Name, p.Name)
		connections[p.Name] = c
		for _, a := range p.Serves {
			stop, err := eventbus.ServeRPC(
				c.Conn,
				concrete(a.Subject),
				a.Queue,
				slog.Default(),
				func(_ context.Context, req echo) (echo, error) { return echo{req.Text + " answered by " + p.Name}, nil },
			)
			require.NoError(t, err)
			t.Cleanup(stop)
		}
		c.sawNothingRefused(t)
	}
	for _, asker := range event.Programs() {
		for _, subject := range asker.Requests {
			programs := []string{asker.Name}
			if asker.Name != "bot" { // which has no operators' commands
				programs = append(programs, event.CommandName(asker.Name))
			}
			for _, program := range programs {
				c := d.connect(asker.Name, program)
				got, err := eventbus.Call[echo](t.Context(), c.Conn, concrete(subject), echo{program})
				if err != nil || !strings.HasPrefix(got.Text, program+" answered by ") {
					t.Errorf("%s asks %s: %q, %v", program, subject, got.Text, err)
				}
			}
		}
	}
	for name, c := range connections {
		t.Run(name, c.sawNothingRefused)
	}
}

// The server has to report at once that no bot subscribes, so that a login is refused at once.
func TestServiceUser_request_without_a_subscriber(t *testing.T) {
	d := start(t)
	auth := d.connect("auth", "auth")
	for _, subject := range []string{event.RoomOpenSubject, event.RoomSaySubject("absent"), event.GetPlayerSubject} {
		_, err := auth.RequestWithContext(t.Context(), subject, nil)
		if !errors.Is(err, nats.ErrNoResponders) {
			t.Errorf("%s: %v, want %v", subject, err, nats.ErrNoResponders)
		}
	}
}

// A program cannot publish another one's messages, nor subscribe to its requests or answers.
func TestServiceUser_denied_subjects(t *testing.T) {
	d := start(t)
	d.provision()
	all := event.Programs()
	for _, p := range all {
		c := d.connect(p.Name, p.Name)
		if p.Name != event.Moderation.Name {
			c.mayNotPublish(t, event.BanPlayerSubject)
		}
		for _, other := range all {
			if other.Name == p.Name {
				continue
			}
			for _, published := range other.Publishes {
				if !slices.Contains(
					p.Publishes,
					published,
				) { // an audit log, or a refused command, is of several services
					c.mayNotPublish(t, concrete(published))
				}
			}
			for _, a := range other.Serves {
				if !contains(p, a.Subject) {
					c.mayNotSubscribe(t, concrete(a.Subject), a.Queue)
				}
			}
			c.mayNotSubscribe(t, event.InboxPrefix(other.Name)+".>", "")
			c.mayNotSubscribe(t, event.InboxPrefix(event.CommandName(other.Name))+".>", "")
			for _, consumer := range other.Consumers() {
				c.mayNotPublish(t, "$JS.API.CONSUMER.MSG.NEXT."+consumer.Stream+"."+consumer.Name)
				c.mayNotPublish(t, "$JS.ACK."+consumer.Stream+"."+consumer.Name+".1.1.1.1.1")
			}
		}
	}
}

func contains(p event.Program, subject string) bool {
	for _, a := range p.Serves {
		if a.Subject == subject {
			return true
		}
	}
	return false
}

// No program can change or purge streams, create consumers (which could deliver any message to any subject), or
// subscribe to everything. Only the gateway subscribes to states and facts, and reads facts without a consumer.
func TestUsersConf_denies_changes_of_streams(t *testing.T) {
	d := start(t)
	d.provision()
	for _, name := range users() {
		c := d.connect(name, name)
		for _, s := range event.Streams() {
			for _, call := range []string{"STREAM.DELETE.%s", "STREAM.PURGE.%s", "STREAM.SNAPSHOT.%s", "STREAM.RESTORE.%s",
				"STREAM.MSG.DELETE.%s", "STREAM.MSG.GET.%s", "CONSUMER.CREATE.%s", "CONSUMER.CREATE.%s.mine",
				"CONSUMER.CREATE.%s.mine.>", "CONSUMER.DURABLE.CREATE.%s.mine",
				"CONSUMER.DELETE.%s.records-copies", "CONSUMER.RESET.%s.records-copies"} {
				c.mayNotPublish(t, "$JS.API."+fmt.Sprintf(call, s.Name))
			}
			if name != event.Gateway.Name || !slices.Contains(event.Gateway.Subscribes, s.Subjects[0]) {
				c.mayNotSubscribe(t, s.Subjects[0], "")
			}
			if name != provision {
				c.mayNotPublish(t, "$JS.API.STREAM.UPDATE."+s.Name)
				c.mayNotPublish(t, "$JS.API.CONSUMER.CREATE."+s.Name+".records-copies")
			}
		}
		for _, stream := range []event.Stream{event.FactsStream, event.RoomsStream} {
			if !reads(name, stream) {
				c.mayNotPublish(t, "$JS.API.DIRECT.GET."+stream.Name)
			}
		}
		c.mayNotPublish(t, "$JS.API.STREAM.CREATE.MINE")
		c.mayNotPublish(t, "$SYS.REQ.SERVER.PING")
		c.mayNotPublish(t, "anything")
		for _, subject := range []string{">", "*", "room.>", "rpc.>", "$JS.>", "_INBOX.>", "_R_.>"} {
			c.mayNotSubscribe(t, subject, "")
		}
	}
}

// reads reports whether a program reads a stream by sequence.
func reads(program string, stream event.Stream) bool {
	return slices.ContainsFunc(event.Programs(), func(p event.Program) bool {
		return p.Name == program && slices.ContainsFunc(p.Reads, func(s event.Stream) bool { return s.Name == stream.Name })
	})
}

func TestServiceUser_reads_by_sequence(t *testing.T) {
	d := start(t)
	d.provision()
	d.publishAll()
	for _, p := range event.Services() {
		c := d.connect(p.Name, p.Name)
		for _, s := range p.Reads {
			messages, err := eventbus.ReadFrom(t.Context(), c.Conn, s, "", 1, 100)
			if err != nil || len(messages) == 0 {
				t.Errorf("%s reads %d messages of %s: %v", p.Name, len(messages), s.Name, err)
			}
			if _, err := c.js.Stream(t.Context(), s.Name); err != nil {
				t.Errorf("%s asks for the bounds of %s: %v", p.Name, s.Name, err)
			}
		}
		c.sawNothingRefused(t)
	}
}

// Bots may be programs of third parties on other machines.
func TestBotUser_reaches_rooms_only(t *testing.T) {
	d := start(t)
	d.provision()
	d.publishAll()
	bot := d.connect("bot", "bot")
	for _, subject := range []string{
		"state.v1.player.x1", "facts.v1.record.submitted", event.GetPlayerSubject, event.RegisterPlayerSubject,
		event.RoomSaySubject("another"), event.RoomStateSubject("another"), "room.v1.event", "room.v1.event.r1.more",
		"$JS.API.INFO", "$JS.API.STREAM.INFO.ROOMS", "$JS.API.STREAM.INFO.STATE", "$JS.API.DIRECT.GET.STATE",
		"$JS.API.DIRECT.GET.ROOMS",
	} {
		bot.mayNotPublish(t, subject)
	}
	for _, subject := range []string{"room.v1.event.>", "room.v1.>", "state.v1.>", "rpc.v1.>"} {
		bot.mayNotSubscribe(t, subject, "")
	}
	// To hear every request for a room without taking any.
	bot.mayNotSubscribe(t, event.RoomOpenSubject, "")
	bot.mayNotSubscribe(t, event.RoomOpenSubject, "mine")

	t.Run("an answer cannot be sent where it was not asked for", func(t *testing.T) {
		// The acknowledgement of a report goes to the subject that the bot names.
		players := d.connect("players", "players")
		stream, err := players.js.Stream(t.Context(), event.StateStream.Name)
		require.NoError(t, err)
		before, err := stream.GetLastMsgForSubject(t.Context(), "state.v1.player.x1")
		require.NoError(t, err)
		require.NoError(t, bot.PublishRequest(event.RoomEventSubject("r1"), "state.v1.player.x1", []byte(`{}`)))
		// The report after it is stored after it.
		_, err = bot.js.Publish(t.Context(), event.RoomEventSubject("r1"), []byte(`{}`))
		require.NoError(t, err)
		after, err := stream.GetLastMsgForSubject(t.Context(), "state.v1.player.x1")
		require.NoError(t, err)
		if before.Sequence != after.Sequence {
			t.Errorf("a bot wrote a state: %s", after.Data)
		}
	})
}

func (c client) mayNotPublish(t *testing.T, subject string) {
	t.Helper()
	require.NoError(t, c.Publish(subject, []byte(`{}`)))
	c.sawRefusal(t, subject)
}

func (c client) mayNotSubscribe(t *testing.T, subject, queue string) {
	t.Helper()
	var sub *nats.Subscription
	var err error
	if queue == "" {
		sub, err = c.SubscribeSync(subject)
	} else {
		sub, err = c.QueueSubscribeSync(subject, queue)
	}
	require.NoError(t, err)
	c.sawRefusal(t, subject)
	_ = sub.Unsubscribe()
}
