package bonkio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// kind is the kind of a packet: the digit of Engine.IO and, within a message, the digit of Socket.IO.
type kind string

const (
	kindOpen       kind = "0"
	kindClose      kind = "1"
	kindPing       kind = "2"
	kindPong       kind = "3"
	kindConnect    kind = "40"
	kindDisconnect kind = "41"
	kindEvent      kind = "42"
	kindAck        kind = "43"
	kindError      kind = "44"
)

// packet is one text frame of a connection. The zero packet is one that the game does not use, or no packet at all.
type packet struct {
	kind kind
	// event is the number that names an event.
	event int
	args  []json.RawMessage
	// body is the content of an open packet.
	body []byte
}

// parse reads a frame.
func parse(frame []byte) packet {
	digits := 1
	if bytes.HasPrefix(frame, []byte("4")) {
		digits = 2
	}
	if len(frame) < digits {
		return packet{}
	}
	found, body := kind(frame[:digits]), frame[digits:]
	if digits == 2 && bytes.HasPrefix(body, []byte("/")) {
		return packet{} // another namespace
	}
	switch found {
	case kindOpen:
		return packet{kind: kindOpen, body: body}
	case kindClose, kindPing, kindPong, kindConnect, kindDisconnect, kindError, kindAck:
		return packet{kind: found}
	case kindEvent:
		return parseEvent(body)
	default:
		return packet{} // such as upgrades and binary messages
	}
}

// parseEvent reads the list of an event: its number and its arguments.
func parseEvent(body []byte) packet {
	list := bytes.TrimLeft(body, "0123456789") // the id of an acknowledgement, which the game never requests
	var args []json.RawMessage
	if json.Unmarshal(list, &args) != nil || len(args) == 0 {
		return packet{}
	}
	number, ok := readInt(args[0])
	if !ok {
		return packet{} // events of the game have numbers
	}
	return packet{kind: kindEvent, event: number, args: args[1:]}
}

// readInt reads a whole number without fraction or exponent.
func readInt(text json.RawMessage) (int, bool) {
	n, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	return n, err == nil
}

// frameOf returns the frame of an event, which requests an acknowledgement under an id that is not empty.
func frameOf(id string, event int, payload ...any) ([]byte, error) {
	list, err := json.Marshal(append([]any{event}, payload...))
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", event, err)
	}
	return append([]byte("42"+id), list...), nil
}
