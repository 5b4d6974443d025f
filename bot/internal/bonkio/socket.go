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
	// maxFrame bounds one message of the server, in bytes: many times the size of an avatar.
	maxFrame = 256 << 10
	// timesyncEvery is how often a client synchronises its clock.
	timesyncEvery = 10 * time.Second

	writeTimeout = 5 * time.Second
	closeTimeout = 2 * time.Second

	// The bounds of the server's parameters of the keep-alive.
	minPing, maxPing = 100 * time.Millisecond, 2 * time.Minute
)

// Reasons for which a connection ends.
var (
	errSilent       = errors.New("the game's server does not answer")
	errDisconnected = errors.New("the game's server has closed the connection")
)

// socket is one Socket.IO connection.
type socket struct {
	ws       *websocket.Conn
	interval time.Duration // between two pings
	timeout  time.Duration // of an answer to a ping
	pongs    chan struct{} // holds a token after each pong
	refused  chan string   // receives the reason for which the server refuses a request

	stop  context.CancelFunc
	ended context.Context // ends with the connection; its cause is the reason
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
	s := &socket{ws: ws, pongs: make(chan struct{}, 1), refused: make(chan string, 1)}
	if err := s.readGreeting(ctx); err != nil {
		_ = ws.CloseNow()
		return nil, fmt.Errorf("connect to the game's server %s: %w", server, err)
	}
	return s, nil
}

// readGreeting reads the two packets with which a server begins: the parameters of the
// keep-alive, and the confirmation of the connection.
func (s *socket) readGreeting(ctx context.Context) error {
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
	s.interval, s.timeout = pingTime(greeting.PingInterval), pingTime(greeting.PingTimeout)
	connected, err := s.read(ctx)
	if err != nil {
		return err
	}
	if connected.kind != kindConnect {
		return fmt.Errorf("%w: no connection after the greeting", errNotUnderstood)
	}
	return nil
}

// pingTime returns a duration of the keep-alive, bounded.
func pingTime(milliseconds int64) time.Duration {
	if milliseconds > maxPing.Milliseconds() {
		return maxPing
	}
	return max(minPing, time.Duration(milliseconds)*time.Millisecond)
}

// start keeps the connection alive, synchronises the clock and calls handle with the packets of
// the server, one after the other, until the connection ends, handle returns an error or close is called.
func (s *socket) start(ctx context.Context, handle func(context.Context, packet) error) {
	ctx = context.WithoutCancel(ctx)
	ended, end := context.WithCancelCause(ctx)
	running, stop := context.WithCancel(ctx)
	s.ended, s.stop = ended, stop
	go func() {
		g, ctx := errgroup.WithContext(running)
		g.Go(func() error { return s.keepAlive(ctx) })
		g.Go(func() error { return s.synchronise(ctx) })
		g.Go(func() error { return s.readAll(ctx, handle) })
		err := g.Wait()
		_ = s.ws.CloseNow()
		stop()
		end(err)
	}()
}

// await waits for an event. It returns RoomRefusedError, the reason for which the connection has
// ended, or the error of ctx.
func (s *socket) await(ctx context.Context, event <-chan struct{}, what string) error {
	select {
	case <-event:
		return nil
	case reason := <-s.refused:
		return RoomRefusedError{reason}
	case <-s.ended.Done():
		return context.Cause(s.ended)
	case <-ctx.Done():
		return fmt.Errorf("wait for %s: %w", what, ctx.Err())
	}
}

// close disconnects, and returns when the connection has ended.
func (s *socket) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	_ = s.ws.Write(ctx, websocket.MessageText, []byte("41")) // it is closed either way
	_ = s.ws.CloseNow()
	s.stop()
	<-s.ended.Done()
}

// read returns the next packet.
func (s *socket) read(ctx context.Context) (packet, error) {
	kind, frame, err := s.ws.Read(ctx)
	if err != nil {
		return packet{}, err
	}
	if kind != websocket.MessageText {
		return packet{}, nil
	}
	return parse(frame), nil
}

func (s *socket) readAll(ctx context.Context, handle func(context.Context, packet) error) error {
	for {
		p, err := s.read(ctx)
		switch {
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("%w (%w)", errDisconnected, err)
		}
		switch p.kind { //nolint:exhaustive // a client ignores the other kinds
		case kindClose, kindDisconnect, kindError:
			return errDisconnected
		case kindPing:
			err = s.write(ctx, []byte("3"))
		case kindPong:
			offer(s.pongs, struct{}{})
		case kindEvent, kindAck:
			err = handle(ctx, p)
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
		case <-s.pongs: // without a ping
		default:
		}
		if err := s.write(ctx, []byte("2")); err != nil {
			return err
		}
		select {
		case <-s.pongs:
		case <-time.After(s.timeout):
			return errSilent
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// synchronise requests the server's time regularly, as the game's client does.
func (s *socket) synchronise(ctx context.Context) error {
	for id := 1; ; id++ {
		if err := pause(ctx, timesyncEvery); err != nil {
			return err
		}
		if err := s.timesync(ctx, id); err != nil {
			return err
		}
	}
}

// timesync requests the server's time.
func (s *socket) timesync(ctx context.Context, id int) error {
	payload := map[string]any{"jsonrpc": "2.0", "id": id, "method": "timesync"}
	frame, err := frameOf(strconv.Itoa(id), sendTimesync, payload)
	if err != nil {
		return err
	}
	return s.write(ctx, frame)
}

// emit sends an event.
func (s *socket) emit(ctx context.Context, event int, payload ...any) error {
	frame, err := frameOf("", event, payload...)
	if err != nil {
		return err
	}
	return s.write(ctx, frame)
}

// echoPing answers event 1 with the number of the ping.
func (s *socket) echoPing(ctx context.Context, args []json.RawMessage) error {
	if len(args) == 0 {
		return nil
	}
	id, ok := readInt(args[len(args)-1])
	if !ok {
		return nil
	}
	return s.emit(ctx, sendPing, map[string]int{"id": id})
}

func (s *socket) write(ctx context.Context, frame []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := s.ws.Write(ctx, websocket.MessageText, frame); err != nil {
		return fmt.Errorf("%w (%w)", errDisconnected, err)
	}
	return nil
}

// pause waits for a duration. It returns the cause of the end of ctx.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// offer sends a value unless the channel is full.
func offer[T any](c chan<- T, value T) {
	select {
	case c <- value:
	default:
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
