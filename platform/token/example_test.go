package token_test

import (
	"fmt"
	"time"

	"capzone.dev/platform/token"
)

func ExampleSigner_Sign() {
	key, err := token.NewKey()
	if err != nil {
		panic(err)
	}
	signer, err := token.NewSigner([]token.Key{key}, time.Now)
	if err != nil {
		panic(err)
	}
	raw, err := signer.Sign(token.Claims{
		PlayerID: "0198c0de-0000-7000-8000-000000000001", Name: "cloudstep", Roles: []string{"validator"},
	})
	if err != nil {
		panic(err)
	}

	// Other services use NewVerifier, which reads the published keys.
	claims, err := token.NewLocalVerifier(signer).Verify(raw)
	fmt.Println(claims.Name, claims.Has("validator"), err)
	// Output: cloudstep true <nil>
}
