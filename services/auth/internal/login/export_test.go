package login

// What the tests of this package use of its inside.
const (
	TextWarning         = textWarning
	TextGuest           = textGuest
	TextLoggedIn        = textLoggedIn
	MaxSkin             = maxSkin
	UnknownSessionRetry = unknownSessionRetry
	DeliveryTimeout     = deliveryTimeout
)

var (
	ErrNotYetKnown      = errNotYetKnown
	ErrDeliveryUnderWay = errDeliveryUnderWay
	TextWithCode        = textWithCode
	WellFormed          = wellFormed
	Sentences           = sentences
	AddVisitor          = (*Session).addVisitor
	IsFinal             = State.final
)
