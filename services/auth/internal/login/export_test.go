package login

// What the tests of this package use of its inside.
const (
	TextWarning     = textWarning
	TextGuest       = textGuest
	TextProven      = textProven
	MaxSkin         = maxSkin
	ReportPatience  = reportPatience
	DeliveryTimeout = deliveryTimeout
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
