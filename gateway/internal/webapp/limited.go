package webapp

import (
	"bytes"
	_ "embed"
	"html/template"
	"math"
	"strings"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

//go:embed limited.html
var limitedHTML string

var limited = template.Must(template.New("limited").Parse(limitedHTML))

// RenderLimited answers a request that a limit refuses: a browser's navigation with a page that says when to come back
// and does so, and any other with the envelope.
func RenderLimited(c *gin.Context, err error) {
	if !strings.Contains(c.GetHeader("Accept"), "text/html") {
		httpserve.Render(c, err)
		return
	}
	httpserve.RenderPage(c, err, func(p *problem.Problem) []byte {
		var page bytes.Buffer
		// A buffer takes all that is written.
		_ = limited.Execute(&page, struct {
			Message string
			Seconds int
		}{p.Message, int(math.Ceil(p.RetryAfter.Seconds()))})
		return page.Bytes()
	})
}
