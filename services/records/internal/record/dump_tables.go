package record

// DumpTable is a table of dumps. Its rows are written as lines of JSON and as CSV.
type DumpTable struct {
	Name    string
	Columns []DumpColumn
}

// DumpColumn is a column of a table. The names are those of the API.
type DumpColumn struct {
	Name string
	Kind DumpKind
}

// DumpKind is how the values of a column are written in JSON.
type DumpKind int

// Texts are quoted. Literals are numbers and booleans.
const (
	DumpText DumpKind = iota
	DumpLiteral
)

// DumpTables are the tables of dumps with all of their columns, in the order in which they are written. All of it is
// public: docs/programs.md describes it.
var DumpTables = []DumpTable{
	{"maps", []DumpColumn{
		{"_id", DumpText}, {"gameMapId", DumpLiteral}, {"version", DumpLiteral}, {"newest", DumpLiteral},
		{"name", DumpText}, {"author", DumpText}, {"mode", DumpText}, {"unranked", DumpLiteral},
		{"medalAuthor", DumpLiteral}, {"medalGold", DumpLiteral}, {"medalSilver", DumpLiteral}, {"medalBronze", DumpLiteral},
	}},
	{"players", []DumpColumn{
		{"_id", DumpText}, {"name", DumpText}, {"registered", DumpLiteral}, {"hidden", DumpLiteral},
	}},
	{"records", []DumpColumn{
		{"_id", DumpText}, {"map", DumpText}, {"player", DumpText}, {"finishTime", DumpLiteral},
		{"finishTimeStamp", DumpText}, {"createdAt", DumpText}, {"personalBest", DumpLiteral},
	}},
	{"world-records", []DumpColumn{
		{"record", DumpText}, {"map", DumpText}, {"player", DumpText}, {"finishTime", DumpLiteral}, {"since", DumpText},
	}},
}
