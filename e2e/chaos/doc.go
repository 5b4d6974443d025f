// Package chaos tests that the system survives the loss of each of its parts:
// under a steady load through the gateway, parts are killed, stopped, filled up
// and brought back, and then everything that was ever answered with success
// must be there, once, and every copy equal its source.
//
// The tests take minutes, and run where CHAOS is set: `make chaos`.
package chaos
