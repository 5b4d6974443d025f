// Package event is the catalogue of everything that crosses a service boundary
// over NATS: each subject, each payload, and which stream keeps it.
//
// There are four kinds of message:
//
//   - State: what other services need of one entity, with its version, or
//     a tombstone, on state.v1.<kind>.<id>. The stream STATE keeps the last
//     message of each subject, so that a copy can be rebuilt from it alone.
//     Copies compare versions and need no inbox.
//   - Fact: something that happened, on facts.v1.<what>. The stream FACTS keeps
//     it for 30 days. A consumer writes the message's id to its inbox in the
//     transaction of the effect.
//   - RoomReport: what a verification bot saw, on room.v1.event.<room>. The
//     stream ROOMS keeps it for 10 minutes.
//   - Requests and their replies, over core NATS: room.v1.open and
//     room.v1.bot.<bot>.* to bots, rpc.v1.<service>.* between services.
//
// All payloads are JSON. Unknown fields are ignored, so that fields may be
// added; a changed meaning needs a new version in the subject. Names, times
// (RFC 3339, UTC) and durations (whole milliseconds) are as in the HTTP API.
// docs/events.md describes the catalogue, and a test compares the two.
package event
