package event

// Subjects on which services tell that pages of theirs have changed. Over core
// NATS: who does not hear one in its moment finds a gap in the numbers.
const (
	pagesPrefix = "pages.v1."
	// EveryPagesSubject matches those of all services.
	EveryPagesSubject = pagesPrefix + "*"
)

// PagesSubject is where the replicas of a service tell.
func PagesSubject(service string) string { return pagesPrefix + service }

// PageNotice is what one replica of a service tells of the pages that the
// service answers. Each replica tells something four times a second, if only
// that it is there, so that silence is heard too.
type PageNotice struct {
	// Replica tells the processes of a service apart, and those before and after a start.
	Replica string `json:"replica"`
	// Number counts the notices of a replica from 1, also those that could not be sent.
	Number int64 `json:"number"`
	// Changed are the tags of pages (package pages) that are not what they were.
	Changed []string `json:"changed,omitempty"`
	// Leaving says that the replica stops, and has told everything.
	Leaving bool `json:"leaving,omitempty"`
}
