package bonkio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// kind is the kind of a packet: the digit of Engine.IO and, within a message, the digit of Socket.IO.
type kind int

const (
	kindOther      kind = iota // not used: upgrades, binary, other namespaces
	kindOpen                   // 0
	kindClose                  // 1
	kindPing                   // 2
	kindPong                   // 3
	kindConnect                // 40
	kindDisconnect             // 41
	kindEvent                  // 42
	kindAck                    // 43
	kindError                  // 44
)

// packet is one text frame of a connection.
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
	if len(frame) == 0 {
		return packet{}, errGarbage
	}
	switch body := frame[1:]; frame[0] {
	case '0':
		return packet{kind: kindOpen, body: body}, nil
	case '1':
		return packet{kind: kindClose}, nil
	case '2':
		return packet{kind: kindPing}, nil
	case '3':
		return packet{kind: kindPong}, nil
	case '4':
		return parseMessage(body)
	case '5', '6':
		return packet{}, nil
	default:
		return packet{}, errGarbage
	}
}

func parseMessage(message []byte) (packet, error) {
	if len(message) == 0 {
		return packet{}, errGarbage
	}
	kinds := map[byte]kind{
		'0': kindConnect, '1': kindDisconnect, '2': kindEvent, '3': kindAck, '4': kindError, '5': kindOther, '6': kindOther,
	}
	found, ok := kinds[message[0]]
	if !ok {
		return packet{}, errGarbage
	}
	body := message[1:]
	if bytes.HasPrefix(body, []byte("/")) {
		return packet{}, nil // another namespace
	}
	switch found {
	case kindEvent:
		return parseEvent(body)
	case kindAck:
		return parseAck(body)
	default:
		return packet{kind: found}, nil
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
