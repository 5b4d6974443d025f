// Package natsapi connects a bot to auth over NATS: commands by request and reply,
// reports through the stream ROOMS. The subjects and payloads are those of package
// event; docs/bot.md describes them.
package natsapi
