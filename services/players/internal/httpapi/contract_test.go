package httpapi_test

import (
	"testing"

	"github.com/gin-gonic/gin"

	"capzone.dev/devstack/contracttest"
	"capzone.dev/services/players/internal/httpapi"
)

func TestRegister_routes_of_the_contract(t *testing.T) {
	t.Parallel()
	contracttest.Routes(t, func(engine *gin.Engine) { httpapi.Register(engine, &httpapi.Server{}) })
}
