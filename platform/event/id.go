package event

// IsID reports whether text is a UUID in its usual form of 36 characters, the form of
// every entity's id. PostgreSQL would also accept some other forms and fail on the rest,
// so ids are checked before a query or a request.
func IsID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, c := range []byte(text) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}
