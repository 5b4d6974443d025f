// Command bot opens verification rooms and says codes in them. See docs/bot.md.
package main

import (
	"capzone.dev/bot/internal/app"
	"capzone.dev/platform/service"
)

func main() {
	service.Main("bot", service.FromEnv(app.Run), app.Try, service.CheckEnv[app.Config]())
}
