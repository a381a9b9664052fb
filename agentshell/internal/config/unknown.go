package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	toml "github.com/pelletier/go-toml/v2"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// maxMistyped is the number of letters by which a mistyped name of a setting differs from it.
const maxMistyped = 3

// unknownSetting returns the error for a setting that a file has and no field of t, the type that
// it is read into, stands for. It names the setting that may be meant, and is nil if err is about
// something else.
func unknownSetting(err error, t reflect.Type) error {
	var unknown *toml.StrictMissingError
	if !errors.As(err, &unknown) || len(unknown.Errors) == 0 {
		return nil
	}
	row, _ := unknown.Errors[0].Position()
	key := unknown.Errors[0].Key()
	err = fmt.Errorf("%d: there is no setting %q", row, strings.Join(key, "."))
	if near := nearSetting(t, key); near != "" {
		err = fmt.Errorf("%w; did you mean %q?", err, near)
	}
	return err
}

// nearSetting returns the known name that is nearest to the first unknown one in key; "": none is
// near.
func nearSetting(t reflect.Type, key []string) string {
	for _, name := range key {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		switch t.Kind() {
		case reflect.Map:
			t = t.Elem()
			continue
		case reflect.Struct:
		default:
			return ""
		}
		var names []string
		var next reflect.Type
		for _, f := range reflect.VisibleFields(t) {
			tag, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
			if tag == "" || tag == "-" {
				continue
			}
			if names = append(names, tag); tag == name {
				next = f.Type
			}
		}
		if next == nil {
			return nearest.Name(name, min(maxMistyped, (len(name)+1)/2), names...)
		}
		t = next
	}
	return ""
}
