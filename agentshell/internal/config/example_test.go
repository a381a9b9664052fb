package config

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
)

// example returns docs/config.toml as it stands, and with every setting in force.
func example(t *testing.T) (text, used string) {
	t.Helper()
	b, err := os.ReadFile("../../../docs/config.toml")
	if err != nil {
		t.Fatal(err)
	}
	return string(b), regexp.MustCompile(`(?m)^#([^# \n])`).ReplaceAllString(string(b), "$1")
}

func TestTheExampleChangesNothingAsItStands(t *testing.T) {
	text, _ := example(t)
	c, err := Parse([]byte(text))
	if err != nil || !reflect.DeepEqual(c, Config{}) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestTheExampleHasEverySetting(t *testing.T) {
	_, used := example(t)
	c, err := Parse([]byte(used))
	if err != nil {
		t.Fatalf("docs/config.toml:%v", err)
	}
	if !c.Vim || c.Keys.KeyOf("newline") == (keymap.Map{}).KeyOf("newline") {
		t.Error("the example sets no keys")
	}
	seen := map[string]bool{}
	set(reflect.ValueOf(c), "", seen)
	n := 0
	for name, is := range seen {
		if n++; !is {
			t.Errorf("the example does not have %s", name)
		}
	}
	if n < 60 {
		t.Errorf("%d settings were looked for only", n)
	}
}

// set notes for each setting below v whether one of its values is there.
func set(v reflect.Value, name string, seen map[string]bool) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if tag := v.Type().Field(i).Tag.Get("toml"); tag != "" && tag != "-" {
				set(v.Field(i), strings.TrimPrefix(name+"."+tag, "."), seen)
			}
		}
	case v.Kind() == reflect.Map && v.Type().Elem().Kind() == reflect.Struct:
		seen[name] = v.Len() > 0
		for _, key := range v.MapKeys() {
			set(v.MapIndex(key), name, seen)
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		seen[name] = v.Len() > 0
		for i := range v.Len() {
			set(v.Index(i), name, seen)
		}
	default:
		seen[name] = seen[name] || !v.IsZero()
	}
}
