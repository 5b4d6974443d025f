package apidoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"go.yaml.in/yaml/v3"
)

// tree is a part of a document, in YAML or JSON, whose members keep the order
// that their author gave them: it is the order in which people read them. The
// zero value is an absent part.
type tree struct{ node *yaml.Node }

func parse(document []byte) (tree, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return tree{}, err
	}
	if root.Kind != yaml.DocumentNode {
		return tree{}, nil
	}
	return tree{root.Content[0]}, nil
}

func (t tree) exists() bool { return t.node != nil }

// members yields the names and parts of an object.
func (t tree) members() iter.Seq2[string, tree] {
	return func(yield func(string, tree) bool) {
		if t.node == nil || t.node.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(t.node.Content); i += 2 {
			if !yield(t.node.Content[i].Value, tree{t.node.Content[i+1]}) {
				return
			}
		}
	}
}

// items yields the parts of a list.
func (t tree) items() iter.Seq[tree] {
	return func(yield func(tree) bool) {
		if t.node == nil || t.node.Kind != yaml.SequenceNode {
			return
		}
		for _, item := range t.node.Content {
			if !yield(tree{item}) {
				return
			}
		}
	}
}

// at returns the part at the end of a path of names.
func (t tree) at(path ...string) tree {
	for _, name := range path {
		var next tree
		for member, part := range t.members() {
			if member == name {
				next = part
			}
		}
		t = next
	}
	return t
}

// text returns a scalar, "" for anything else.
func (t tree) text() string {
	if t.node == nil || t.node.Kind != yaml.ScalarNode {
		return ""
	}
	return t.node.Value
}

// texts returns a list of scalars, or a scalar as a list of one.
func (t tree) texts() []string {
	var all []string
	for item := range t.items() {
		all = append(all, item.text())
	}
	if one := t.text(); one != "" {
		all = append(all, one)
	}
	return all
}

// reference returns the path that a $ref names, nil for none.
func (t tree) reference() []string {
	path, ok := strings.CutPrefix(t.at("$ref").text(), "#/")
	if !ok {
		return nil
	}
	return strings.Split(path, "/")
}

// add appends a member to an object.
func (t tree) add(name string, part tree) {
	t.node.Content = append(t.node.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, part.node)
}

func newObject() tree { return tree{&yaml.Node{Kind: yaml.MappingNode}} }

func newList() tree { return tree{&yaml.Node{Kind: yaml.SequenceNode}} }

// MarshalJSON implements json.Marshaler.
func (t tree) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	if err := t.write(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (t tree) write(out *bytes.Buffer) error {
	switch t.node.Kind {
	case yaml.MappingNode:
		return t.writeObject(out)
	case yaml.SequenceNode:
		return t.writeList(out)
	case yaml.ScalarNode:
		var value any
		if err := t.node.Decode(&value); err != nil {
			return fmt.Errorf("line %d: %w", t.node.Line, err)
		}
		return writeValue(out, value)
	default:
		return fmt.Errorf("line %d: aliases are not understood", t.node.Line)
	}
}

func (t tree) writeObject(out *bytes.Buffer) error {
	separator := byte('{')
	for name, part := range t.members() {
		out.WriteByte(separator)
		separator = ','
		if err := writeValue(out, name); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := part.write(out); err != nil {
			return err
		}
	}
	if separator == '{' {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	return nil
}

func (t tree) writeList(out *bytes.Buffer) error {
	separator := byte('[')
	for item := range t.items() {
		out.WriteByte(separator)
		separator = ','
		if err := item.write(out); err != nil {
			return err
		}
	}
	if separator == '[' {
		out.WriteByte('[')
	}
	out.WriteByte(']')
	return nil
}

func writeValue(out *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the encoder's line break
	return nil
}
