package webhook

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"capzone.dev/platform/event"
)

const (
	// healthySenders and troubledSenders bound how many messages a replica sends at a time: to receivers that accepted
	// the last message within slowAfter, and to the others. So receivers that hang do not delay those that work.
	healthySenders  = 64
	troubledSenders = 32
	// slowAfter is the time after which an answer counts as slow.
	slowAfter = 2 * time.Second
	// pollEvery is how often due deliveries are looked for.
	pollEvery = 500 * time.Millisecond
	// leaseFor is longer than an attempt, after which the deliveries may be taken by another sender.
	leaseFor = 30 * time.Second
)

// SenderStore has the deliveries that are due.
type SenderStore interface {
	// Take leases webhooks and returns their due deliveries. A webhook for Discord may have several, any other has one.
	Take(ctx context.Context, lease Lease) ([]Work, error)
	// Finish stores what Webhook.Finish returns for the outcome of work and gives the webhook back. Where another sender
	// has it, it changes nothing.
	Finish(ctx context.Context, work Work, outcome Outcome, at time.Time) error
	// GiveBack gives a webhook back without an attempt.
	GiveBack(ctx context.Context, work Work, at time.Time) error
	// End ends all that waits of a webhook whose owner is banned, and gives it back.
	End(ctx context.Context, work Work, at time.Time) error
}

// Lease is how a sender takes webhooks.
type Lease struct {
	ID string
	// Troubled selects webhooks that are failing or slow, or else the others.
	Troubled bool
	// Limit is how many webhooks are taken at most.
	Limit int
	// At is when the deliveries are due, and Until is when other senders may take them.
	At, Until time.Time
}

// Receivers sends messages.
type Receivers interface {
	// Send sends a message. It follows no redirect, and connects to public addresses alone.
	Send(ctx context.Context, m Message) Answer
}

// Message is a request to a receiver.
type Message struct {
	URL    string
	Format Format
	Body   []byte
	// ID is that of the delivery, and empty for Discord.
	ID string
	// At is the time of the attempt, which is signed with each of the secrets.
	At      time.Time
	Secrets []Secret
}

// Observer counts what a sender does.
type Observer interface {
	// Attempted counts an attempt to send deliveries.
	Attempted(a Answer, deliveries int)
	// SwitchedOff counts a webhook that is switched off because of its receiver.
	SwitchedOff(reason OffReason)
}

// Sender sends what is due.
type Sender struct {
	Store     SenderStore
	Receivers Receivers
	// Discord makes the messages for Discord.
	Discord *Embeds
	NewID   func() string
	Now     func() time.Time
	Log     *slog.Logger
	Metrics Observer
}

// Run sends until ctx ends. Attempts that are interrupted are made again by another sender.
func (s *Sender) Run(ctx context.Context) error {
	var g sync.WaitGroup
	g.Go(func() { s.run(ctx, false, healthySenders) })
	g.Go(func() { s.run(ctx, true, troubledSenders) })
	g.Wait()
	return nil
}

// run sends to receivers of a kind, to at most senders at a time.
func (s *Sender) run(ctx context.Context, troubled bool, senders int64) {
	var sending sync.WaitGroup
	defer sending.Wait()
	finished := make(chan struct{}, 1)
	free := semaphore.NewWeighted(senders)
	for {
		count := int64(1)
		if free.Acquire(ctx, 1) != nil {
			return
		}
		for count < senders && free.TryAcquire(1) {
			count++
		}
		now := event.InMillis(s.Now())
		taken, err := s.Store.Take(ctx, Lease{
			ID: s.NewID(), Troubled: troubled, Limit: int(count), At: now, Until: now.Add(leaseFor),
		})
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "webhook deliveries cannot be taken", "error", err)
		}
		free.Release(count - int64(len(taken)))
		for _, work := range taken {
			sending.Go(func() {
				if err := s.send(ctx, work); err != nil {
					// The deliveries are taken again when the lease ends.
					s.Log.WarnContext(ctx, "a webhook's deliveries were not finished", "webhook", work.WebhookID, "error", err)
				}
				free.Release(1)
				select {
				case finished <- struct{}{}: // the webhook may be due again
				default:
				}
			})
		}
		if int64(len(taken)) == count {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-finished:
		case <-time.After(pollEvery):
		}
	}
}

// send sends the deliveries of a webhook and stores the outcome.
func (s *Sender) send(ctx context.Context, work Work) error {
	finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseFor)
	defer cancel()
	switch {
	case work.Banned:
		return s.Store.End(finish, work, event.InMillis(s.Now()))
	case len(work.Deliveries) == 0:
		return s.Store.GiveBack(finish, work, event.InMillis(s.Now()))
	}
	message, err := s.message(ctx, work)
	if err != nil {
		return err
	}
	began := s.Now()
	answer := s.Receivers.Send(ctx, message)
	now := event.InMillis(s.Now())
	if ctx.Err() != nil && answer.Failure != "" {
		return s.Store.GiveBack(finish, work, now)
	}
	s.Metrics.Attempted(answer, len(work.Deliveries))
	outcome := work.after(answer, now)
	outcome.Slow, outcome.NoticeID = now.Sub(began) > slowAfter, s.NewID()
	if outcome.Off != "" {
		s.Metrics.SwitchedOff(outcome.Off)
	}
	return s.Store.Finish(finish, work, outcome, now)
}

// message returns what is sent.
func (s *Sender) message(ctx context.Context, work Work) (Message, error) {
	m := Message{URL: work.URL, Format: work.Format, At: s.Now()}
	if work.Format == Discord {
		var err error
		m.Body, err = s.Discord.message(ctx, work.Deliveries)
		return m, err
	}
	m.ID, m.Body, m.Secrets = work.Deliveries[0].ID, work.Deliveries[0].Body, work.Secrets
	return m, nil
}
