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
	fill(t, fact, "", changed)
	return fact.Interface()
}

// FieldsOf returns the names of the fields of a fact, of nested types with the name of the outer field before a dot.
func FieldsOf(f event.Fact) []string { return fieldsOf(reflect.TypeOf(f), "") }

// fieldsOf returns the names of the fields of a type, of nested types with the name of the outer field before a dot.
func fieldsOf(typ reflect.Type, name string) (fields []string) {
	switch {
	case typ.Kind() == reflect.Pointer, typ.Kind() == reflect.Slice && typ != reflect.TypeFor[json.RawMessage]():
		return fieldsOf(typ.Elem(), name)
	case typ.Kind() == reflect.Struct && typ != reflect.TypeFor[time.Time]():
		for field := range typ.Fields() {
			fields = append(fields, fieldsOf(field.Type, strings.TrimPrefix(name+"."+field.Name, "."))...)
		}
		return fields
	}
	return []string{name}
}

// fill gives all fields of a value values that follow from their names.
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
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), changed)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), name, changed)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), name, changed)
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
