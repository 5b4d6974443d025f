package bonkio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"
)

const (
	// maxFrame bounds what the server may send at once, in bytes: an avatar, many times over.
	maxFrame = 256 << 10
	// maxGarbage is how many frames may be no packets before the server is given up.
	maxGarbage = 16

	writeTimeout = 5 * time.Second
	closeTimeout = 2 * time.Second

	// What the server may ask of the keep-alive.
	minBeat, maxBeat = 100 * time.Millisecond, 2 * time.Minute
)

// Reasons for which a connection ends.
var (
	errSilent   = errors.New("the game's server does not answer")
	errDropped  = errors.New("the game's server has closed the connection")
	errGibbered = errors.New("the game's server sends what is no packet")
)

// socket is one Socket.IO connection.
type socket struct {
	ws *websocket.Conn
	// interval is how often to ping, patience how long to wait for the answer.
	interval, patience time.Duration
	answered           chan struct{} // holds a token after each pong
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

// greet takes the two packets with which a server begins: how to keep the
// connection alive, and that it is there.
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
	s.interval, s.patience = beat(greeting.PingInterval), beat(greeting.PingTimeout)
	connected, err := s.read(ctx)
	if err != nil {
		return err
	}
	if connected.kind != kindConnect {
		return fmt.Errorf("%w: no connection after the greeting", errNotUnderstood)
	}
	return nil
}

// beat is a length of time of the keep-alive as the server wants it, within reason.
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

// run keeps the connection alive and hands its events to handle, one after the
// other, until the connection ends, handle returns an error or ctx ends. It
// says which.
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
				return errGibbered
			}
			continue
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("%w (%w)", errDropped, err)
		}
		switch p.kind { //nolint:exhaustive // the others say nothing
		case kindClose, kindDisconnect, kindError:
			return errDropped
		case kindPing:
			err = s.write(ctx, []byte("3"))
		case kindPong:
			s.note()
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
		case <-time.After(s.patience):
			return errSilent
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *socket) note() {
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
		return fmt.Errorf("%w (%w)", errDropped, err)
	}
	return nil
}

// close takes leave of the server. The reading side must still run.
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
