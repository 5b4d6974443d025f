package login

// What the tests of this package use of its inside.
const (
	TextWarning         = textWarning
	TextGuest           = textGuest
	TextLoggedIn        = textLoggedIn
	MaxSkin             = maxSkin
	UnknownSessionRetry = unknownSessionRetry
)

var (
	ErrNotYetKnown = errNotYetKnown
	TextWithCode   = textWithCode
	WellFormed     = wellFormed
	Sentences      = sentences
	AddVisitor     = (*Session).addVisitor
	IsFinal        = State.final
)
