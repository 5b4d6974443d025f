package httpserve

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// AnswerHEAD has an engine answer HEAD wherever it answers GET, with the same headers and no body, which net/http
// leaves out. It is called after all routes were added, each of which has one handler.
func AnswerHEAD(engine *gin.Engine) {
	for _, r := range engine.Routes() {
		if r.Method == http.MethodGet {
			engine.HEAD(r.Path, r.HandlerFunc)
		}
	}
}

// ignoreRanges answers a request for more than one range of a file as one for all of it, as RFC 9110, section 14.2,
// allows: each range costs the server a part of the response.
func ignoreRanges(c *gin.Context) {
	if ranges := c.Request.Header["Range"]; len(ranges) > 1 || strings.Contains(c.GetHeader("Range"), ",") {
		c.Request.Header.Del("Range")
	}
}
