package bonkio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"
)

const (
	// maxFrame bounds what the server may send at once, in bytes: an avatar, many times over.
	maxFrame = 256 << 10
	// maxGarbage is the number of frames that may be no packets before the connection is closed.
	maxGarbage = 16

	writeTimeout = 5 * time.Second
	closeTimeout = 2 * time.Second

	// The bounds of the server's parameters of the keep-alive.
	minBeat, maxBeat = 100 * time.Millisecond, 2 * time.Minute
)

// Reasons for which a connection ends.
var (
	errSilent       = errors.New("the game's server does not answer")
	errDisconnected = errors.New("the game's server has closed the connection")
	errMalformed    = errors.New("the game's server sends frames that are no packets")
)

// socket is one Socket.IO connection.
type socket struct {
	ws       *websocket.Conn
	interval time.Duration // between two pings
	timeout  time.Duration // of an answer to a ping
	answered chan struct{} // holds a token after each pong
}

// connect opens a connection and waits for the server's greeting.
func (c *Client) connect(ctx context.Context, server string) (*socket, error) {
	ws, resp, err := websocket.Dial(ctx, c.socketURL(server), &websocket.DialOptions{HTTPClient: c.http})
	if err != nil {
		return nil, fmt.Errorf("connect to the game's server %s: %w", server, err)
	}
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	ws.SetReadLimit(maxFrame)
	s := &socket{ws: ws, answered: make(chan struct{}, 1)}
	if err := s.greet(ctx); err != nil {
		_ = ws.CloseNow()
		return nil, fmt.Errorf("connect to the game's server %s: %w", server, err)
	}
	return s, nil
}

// greet reads the two packets with which a server begins: the parameters of the
// keep-alive, and the confirmation of the connection.
func (s *socket) greet(ctx context.Context) error {
	opened, err := s.read(ctx)
	if err != nil {
		return err
	}
	var greeting struct {
		PingInterval int64 `json:"pingInterval"` // milliseconds
		PingTimeout  int64 `json:"pingTimeout"`
	}
	if opened.kind != kindOpen || json.Unmarshal(opened.body, &greeting) != nil {
		return fmt.Errorf("%w: no greeting", errNotUnderstood)
	}
	s.interval, s.timeout = beat(greeting.PingInterval), beat(greeting.PingTimeout)
	connected, err := s.read(ctx)
	if err != nil {
		return err
	}
	if connected.kind != kindConnect {
		return fmt.Errorf("%w: no connection after the greeting", errNotUnderstood)
	}
	return nil
}

// beat returns a duration of the keep-alive, bounded.
func beat(milliseconds int64) time.Duration {
	if milliseconds > maxBeat.Milliseconds() {
		return maxBeat
	}
	return max(minBeat, time.Duration(milliseconds)*time.Millisecond)
}

// read returns the next packet, or errGarbage where a text frame is none.
func (s *socket) read(ctx context.Context) (packet, error) {
	kind, frame, err := s.ws.Read(ctx)
	if err != nil {
		return packet{}, err
	}
	if kind != websocket.MessageText {
		return packet{}, nil
	}
	return parse(frame)
}

// run keeps the connection alive and calls handle with its events, one after the
// other, until the connection ends, handle returns an error or ctx ends. It
// returns the reason.
func (s *socket) run(ctx context.Context, handle func(packet) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.keepAlive(ctx) })
	g.Go(func() error { return s.readAll(ctx, handle) })
	err := g.Wait()
	_ = s.ws.CloseNow()
	return err
}

func (s *socket) readAll(ctx context.Context, handle func(packet) error) error {
	garbage := 0
	for {
		p, err := s.read(ctx)
		switch {
		case errors.Is(err, errGarbage):
			if garbage++; garbage > maxGarbage {
				return errMalformed
			}
			continue
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("%w (%w)", errDisconnected, err)
		}
		switch p.kind { //nolint:exhaustive // the other kinds mean nothing to a client
		case kindClose, kindDisconnect, kindError:
			return errDisconnected
		case kindPing:
			err = s.write(ctx, []byte("3"))
		case kindPong:
			s.notePong()
		case kindEvent, kindAck:
			err = handle(p)
		}
		if err != nil {
			return err
		}
	}
}

// keepAlive pings the server, as the client does in this version of the protocol.
func (s *socket) keepAlive(ctx context.Context) error {
	for {
		if err := pause(ctx, s.interval); err != nil {
			return err
		}
		select {
		case <-s.answered: // an answer to nothing
		default:
		}
		if err := s.write(ctx, []byte("2")); err != nil {
			return err
		}
		select {
		case <-s.answered:
		case <-time.After(s.timeout):
			return errSilent
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *socket) notePong() {
	select {
	case s.answered <- struct{}{}:
	default:
	}
}

// emit sends an event.
func (s *socket) emit(ctx context.Context, event int, payload ...any) error {
	frame, err := frameOf(event, payload...)
	if err != nil {
		return err
	}
	return s.write(ctx, frame)
}

func (s *socket) write(ctx context.Context, frame []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := s.ws.Write(ctx, websocket.MessageText, frame); err != nil {
		return fmt.Errorf("%w (%w)", errDisconnected, err)
	}
	return nil
}

// timesync asks for the server's time.
func (s *socket) timesync(ctx context.Context, id int) error {
	payload := map[string]any{"jsonrpc": "2.0", "id": id, "method": "timesync"}
	frame, err := callOf(strconv.Itoa(id), sendTimesync, payload)
	if err != nil {
		return err
	}
	return s.write(ctx, frame)
}

// close disconnects. The reading side must still run.
func (s *socket) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	_ = s.ws.Write(ctx, websocket.MessageText, []byte("41")) // it is closed either way
	_ = s.ws.CloseNow()
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
