// Package facttest makes facts with values in all their fields.
package facttest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"reflect"
	"strings"
	"testing"
	"time"

	"capzone.dev/platform/event"
)

// Filled returns a fact of the type of f, all of whose fields have values that follow from their names. The
// field changed, if it is not empty, has another value than usual.
func Filled(t *testing.T, f event.Fact, changed string) any {
	t.Helper()
	fact := reflect.New(reflect.TypeOf(f)).Elem()
	forEachField(fact, "", func(v reflect.Value, name string) { fill(t, v, name, changed) })
	return fact.Interface()
}

// FieldsOf returns the names of the fields of a fact, of nested types with the name of the outer field before a dot.
func FieldsOf(f event.Fact) (names []string) {
	fact := reflect.New(reflect.TypeOf(f)).Elem()
	forEachField(fact, "", func(_ reflect.Value, name string) { names = append(names, name) })
	return names
}

// forEachField visits the fields of a value, also those that its pointers lead to, and of its lists one element.
func forEachField(v reflect.Value, name string, visit func(v reflect.Value, name string)) {
	switch {
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
		for i := range v.NumField() {
			forEachField(v.Field(i), strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), visit)
		}
	case v.Kind() == reflect.Slice && v.Type() != reflect.TypeFor[json.RawMessage]():
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		forEachField(v.Index(0), name, visit)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		forEachField(v.Elem(), name, visit)
	default:
		visit(v, name)
	}
}

// fill gives a field a value that follows from its name.
func fill(t *testing.T, v reflect.Value, name, changed string) {
	t.Helper()
	hash := fnv.New32()
	_, _ = hash.Write([]byte(name))
	number := int64(hash.Sum32())
	if name == changed {
		number++
	}
	id := fmt.Sprintf("01970000-0000-7000-8000-%012x", number)
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.UnixMilli(number).UTC()))
		return
	case json.RawMessage:
		v.SetBytes(fmt.Appendf(nil, "%q", id))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(id)
	case reflect.Int, reflect.Int64:
		v.SetInt(number)
	case reflect.Bool:
		v.SetBool(name == changed)
	default:
		t.Fatalf("%s is a %s", name, v.Type())
	}
}
