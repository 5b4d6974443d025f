package dump

// Table is a table of dumps. Its rows are written as lines of JSON and as CSV.
type Table struct {
	Name    string
	Columns []Column
}

// Column is a column of a table. The names are those of the API.
type Column struct {
	Name string
	Kind Kind
}

// Kind is how the values of a column are written in JSON.
type Kind int

// Texts are quoted. Literals are numbers and booleans.
const (
	Text Kind = iota
	Literal
)

// Tables are the tables of dumps with all of their columns, in the order in which they are written. All of it is
// public: docs/programs.md describes it.
var Tables = []Table{
	{"maps", []Column{
		{"_id", Text}, {"gameMapId", Literal}, {"version", Literal}, {"newest", Literal},
		{"name", Text}, {"author", Text}, {"mode", Text}, {"unranked", Literal},
		{"medalAuthor", Literal}, {"medalGold", Literal}, {"medalSilver", Literal}, {"medalBronze", Literal},
	}},
	{"players", []Column{
		{"_id", Text}, {"name", Text}, {"registered", Literal}, {"hidden", Literal},
	}},
	{"records", []Column{
		{"_id", Text}, {"map", Text}, {"player", Text}, {"finishTime", Literal},
		{"finishTimeStamp", Text}, {"createdAt", Text}, {"personalBest", Literal},
	}},
	{"world-records", []Column{
		{"record", Text}, {"map", Text}, {"player", Text}, {"finishTime", Literal}, {"since", Text},
	}},
}
