// Command moderation runs the moderation service, and its operators' commands.
package main

import (
	"capzone.dev/platform/service"
	"capzone.dev/services/moderation/internal/app"
)

func main() {
	service.Main(app.Name, service.FromEnv(app.Run), append(app.Commands(), service.CheckEnv[app.Config]())...)
}
