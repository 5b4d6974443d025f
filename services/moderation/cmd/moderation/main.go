// Command moderation runs the moderation service, and its operators' commands.
package main

import (
	"os"

	"capzone.dev/platform/service"
	"capzone.dev/services/moderation/internal/app"
)

func main() {
	service.Main(app.Name, app.Serve, append(app.Commands(os.Stdout), service.CheckEnv[app.Config](os.Stdout))...)
}
