package bonkio

import (
	"bytes"
	"encoding/json"
	"errors"
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

// packet is one text frame of a connection. The zero packet is one that the game does not use.
type packet struct {
	kind kind
	// event is the number that names an event.
	event int
	// id is that of an acknowledgement.
	id   int
	args []json.RawMessage
	// body is the content of an open packet.
	body []byte
}

// errGarbage means that a frame is no packet.
var errGarbage = errors.New("not a packet of Socket.IO 2")

// parse reads a frame. It returns errGarbage.
func parse(frame []byte) (packet, error) {
	digits := 1
	if bytes.HasPrefix(frame, []byte("4")) {
		digits = 2
	}
	if len(frame) < digits {
		return packet{}, errGarbage
	}
	found, body := kind(frame[:digits]), frame[digits:]
	if digits == 2 && bytes.HasPrefix(body, []byte("/")) {
		return packet{}, nil // another namespace
	}
	switch found {
	case kindOpen:
		return packet{kind: kindOpen, body: body}, nil
	case kindClose, kindPing, kindPong, kindConnect, kindDisconnect, kindError:
		return packet{kind: found}, nil
	case kindEvent:
		return parseEvent(body)
	case kindAck:
		return parseAck(body)
	case "5", "6", "45", "46": // upgrades, and binary messages
		return packet{}, nil
	default:
		return packet{}, errGarbage
	}
}

// parseEvent reads the list of an event: its number and its arguments.
func parseEvent(body []byte) (packet, error) {
	_, list := cutID(body) // the id of an acknowledgement, which the game never requests
	args, err := parseList(list)
	if err != nil || len(args) == 0 {
		return packet{}, errGarbage
	}
	number, ok := readInt(args[0])
	if !ok {
		return packet{}, nil // events of the game have numbers
	}
	return packet{kind: kindEvent, event: number, args: args[1:]}, nil
}

func parseAck(body []byte) (packet, error) {
	digits, list := cutID(body)
	id, err := strconv.Atoi(string(digits))
	if err != nil {
		return packet{}, errGarbage
	}
	args, err := parseList(list)
	if err != nil {
		return packet{}, errGarbage
	}
	return packet{kind: kindAck, id: id, args: args}, nil
}

func cutID(body []byte) (digits, rest []byte) {
	end := bytes.IndexFunc(body, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(body)
	}
	return body[:end], body[end:]
}

func parseList(text []byte) ([]json.RawMessage, error) {
	var list []json.RawMessage
	err := json.Unmarshal(text, &list)
	return list, err
}

// readInt reads a whole number without fraction or exponent.
func readInt(text json.RawMessage) (int, bool) {
	n, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	return n, err == nil
}

// frameOf returns the frame of an event.
func frameOf(event int, payload ...any) ([]byte, error) {
	return callOf("", event, payload...)
}

// callOf returns the frame of an event that requests an acknowledgement under id.
func callOf(id string, event int, payload ...any) ([]byte, error) {
	list, err := json.Marshal(append([]any{event}, payload...))
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", event, err)
	}
	return append([]byte("42"+id), list...), nil
}
