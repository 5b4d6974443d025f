// Package site uses a running Capzone as a visitor does: through its public
// API, with a browser's cookies, logging in through a simulated room.
//
//	visitor := site.New("http://localhost:8080").Visitor()
//	player, err := visitor.Login(ctx, site.Account{Name: "cloudstep", Level: 57})
//	outcome, err := visitor.SubmitRecord(ctx, site.RecordSubmission{Replay: file})
//
// What the site refuses is returned as a *Problem.
package site
