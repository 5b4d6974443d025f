package postgres

// SetNear has the store walk to pages up to an offset, and use the stretches past it.
func (s *Records) SetNear(offset int) { s.near = offset }
