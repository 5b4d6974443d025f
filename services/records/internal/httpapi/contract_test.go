package httpapi_test

import (
	"testing"

	"github.com/gin-gonic/gin"

	"capzone.dev/devstack/contracttest"
	"capzone.dev/services/records/internal/httpapi"
)

func TestRegister_routesOfTheContract(t *testing.T) {
	t.Parallel()
	contracttest.Routes(t, func(engine *gin.Engine) { httpapi.Register(engine, &httpapi.Server{}) })
}

func TestGeneratedCode_upToDate(t *testing.T) {
	t.Parallel()
	contracttest.Generated(t)
}
