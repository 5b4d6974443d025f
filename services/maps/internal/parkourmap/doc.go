// Package parkourmap is the catalogue of parkour maps: how a map gets in, who
// may say what about it, how it is found, and how an operator takes it out.
//
// It knows nothing of HTTP, SQL, NATS or storage. Each use case declares beside
// it the small interfaces that it needs.
package parkourmap
