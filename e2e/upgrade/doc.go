// Package upgrade holds the test that upgrades the databases of an earlier version. The files in testdata are
// dumps of the four databases of that version, made by pg_dump, and the answers of its public API.
package upgrade
