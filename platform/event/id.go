package event

// IsID tells whether text is a UUID in its usual form, 36 characters, which is how
// entities are named. What is none names nothing, and nobody is asked for it: a
// database would refuse some of the other forms and take others.
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
