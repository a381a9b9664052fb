package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	toml "github.com/pelletier/go-toml/v2"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// maxMistyped is the maximum number of letters in which a mistyped name may differ from the setting
// that is suggested.
const maxMistyped = 3

// unknownSetting returns the error for a setting that does not exist, with a suggestion. err is the
// error of the TOML decoder, and t is the type that the file was decoded into. It returns nil if
// err has another reason.
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

// nearSetting returns the existing name that is most similar to the first unknown name in key, or
// "". The key is looked up in the fields of type t.
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
