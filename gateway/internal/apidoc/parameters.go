package apidoc

// QueryParameters returns the names of the query parameters of each call that
// reads, by its path as the document has it: "/maps/{id}".
func QueryParameters() (map[string][]string, error) {
	doc, err := parse(document)
	if err != nil {
		return nil, err
	}
	parameters := map[string][]string{}
	for path, item := range doc.at("paths").members() {
		names := []string{}
		for _, list := range []tree{item.at("parameters"), item.at("get", "parameters")} {
			for p := range list.items() {
				if p = resolve(doc, p); p.at("in").text() == "query" {
					names = append(names, p.at("name").text())
				}
			}
		}
		parameters[path] = names
	}
	return parameters, nil
}
