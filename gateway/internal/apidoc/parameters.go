package apidoc

import "encoding/json"

type parameter struct {
	Name string `json:"name"`
	In   string `json:"in"`
}

// QueryParameters returns the names of the query parameters of each GET call, by its path in the document,
// such as "/maps/{id}".
func QueryParameters() (map[string][]string, error) {
	var parsed struct {
		Paths map[string]struct {
			Parameters []parameter `json:"parameters"`
			Get        struct {
				Parameters []parameter `json:"parameters"`
			} `json:"get"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(document, &parsed); err != nil {
		return nil, err
	}
	names := map[string][]string{}
	for path, item := range parsed.Paths {
		names[path] = []string{}
		for _, p := range append(item.Parameters, item.Get.Parameters...) {
			if p.In == "query" {
				names[path] = append(names[path], p.Name)
			}
		}
	}
	return names, nil
}
