package eventbus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

// StoredMsg is a message of a stream.
type StoredMsg struct {
	// Sequence numbers the messages of the stream.
	Sequence uint64
	Subject  string
	Data     []byte
}

// maxReadBytes bounds the messages of one ReadFrom, except for the last one.
const maxReadBytes = 1 << 20

// ReadFrom returns the messages of a stream from a sequence on, in their order: at most limit, and fewer where there
// are no more or where they are large. They are those on a subject, which may have wildcards, or all where it is empty.
// A message that was stored a moment ago may be missing. The program needs the permission to read the stream
// (event.Program.Reads).
func ReadFrom(
	ctx context.Context, nc *nats.Conn, stream event.Stream, subject string, sequence uint64, limit int,
) ([]StoredMsg, error) {
	asked := map[string]any{"seq": sequence, "batch": limit, "max_bytes": maxReadBytes}
	if subject != "" {
		asked["next_by_subj"] = subject
	}
	request, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	inbox := nc.NewInbox()
	answers, err := nc.SubscribeSync(inbox)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", stream.Name, err)
	}
	defer func() { _ = answers.Unsubscribe() }()
	if err := nc.PublishRequest("$JS.API.DIRECT.GET."+stream.Name, inbox, request); err != nil {
		return nil, fmt.Errorf("read %s: %w", stream.Name, err)
	}
	var messages []StoredMsg
	for {
		answer, err := answers.NextMsgWithContext(ctx)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", stream.Name, err)
		}
		switch status := answer.Header.Get("Status"); status {
		case "":
		case endOfBatch, messageNotFound:
			return messages, nil
		default:
			return nil, fmt.Errorf("read %s: status %s %s", stream.Name, status, answer.Header.Get("Description"))
		}
		sequence, err := strconv.ParseUint(answer.Header.Get(jetstream.SequenceHeader), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", stream.Name, errors.Join(errNoSequence, err))
		}
		messages = append(messages, StoredMsg{sequence, answer.Header.Get(jetstream.SubjectHeader), answer.Data})
	}
}

// The statuses of answers that are no message.
const (
	endOfBatch      = "204"
	messageNotFound = "404"
)

var errNoSequence = errors.New("the answer has no sequence")
