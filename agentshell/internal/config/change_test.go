package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func settingNamed(t *testing.T, name string) Setting {
	t.Helper()
	for _, s := range Settings() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no setting %s", name)
	return Setting{}
}

// Each field of the file is a setting, and no setting is without a field.
func TestSettingsAreThoseOfTheFile(t *testing.T) {
	want := map[string]bool{}
	fieldNames(reflect.TypeOf(Config{}), "", want)
	want["keys"], want["keys.vim"] = true, true
	for _, s := range Settings() {
		if !want[s.Name] {
			t.Errorf("%s is no setting, or stands twice", s.Name)
		}
		delete(want, s.Name)
		if s.About == "" || !s.ByHand && (s.Default == "" || s.Kind() == "") {
			t.Errorf("%+v is not complete", s)
		}
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}

func fieldNames(of reflect.Type, prefix string, names map[string]bool) {
	for _, f := range reflect.VisibleFields(of) {
		switch tag := f.Tag.Get("toml"); {
		case tag == "-":
		case f.Type.Kind() == reflect.Struct:
			fieldNames(f.Type, prefix+tag+".", names)
		default:
			names[prefix+tag] = true
		}
	}
}

func TestAChangeWritesOneSettingAndNothingElse(t *testing.T) {
	for _, c := range []struct{ before, name, value, after string }{
		{"", "sandbox", "auto", "sandbox = \"auto\"\n"},
		{"theme = \"x\"\n[mcp.a]\nurl = \"https://a\"\n", "sandbox", "auto",
			"theme = \"x\"\nsandbox = \"auto\"\n[mcp.a]\nurl = \"https://a\"\n"},
		{"# a\nsandbox = \"off\" # b\ntheme = \"x\"\n", "sandbox", `"auto"`,
			"# a\nsandbox = \"auto\" # b\ntheme = \"x\"\n"},
		{"[keys]\nvim = true\n", "sandbox", "auto", "sandbox = \"auto\"\n[keys]\nvim = true\n"},
		{"[keys]\nvim = true", "keys.vim", "off", "[keys]\nvim = false\n"},
		{"[keys]\neditor = \"F2\" # mine", "keys.vim", "yes", "[keys]\neditor = \"F2\" # mine\nvim = true\n"},
		{"theme = \"a#b\" # c # d\n", "theme", "#", "theme = \"#\" # c # d\n"},
		{"#mode = \"ask\"\n#max_steps = 100\n# text\ntheme = \"x\"\n#[lsp]\n#enabled = true\n", "max_steps", "7",
			"#mode = \"ask\"\n#max_steps = 100\nmax_steps = 7\n# text\ntheme = \"x\"\n#[lsp]\n#enabled = true\n"},
		{"#[lsp]\n#enabled = true\n", "lsp.enabled", "on", "#[lsp]\n#enabled = true\n\n[lsp]\nenabled = true\n"},
		{"[lsp]\n# about\n#enabled = true\n\n[debug]\nenabled = true\n", "lsp.enabled", "true",
			"[lsp]\n# about\n#enabled = true\nenabled = true\n\n[debug]\nenabled = true\n"},
		{"allow = [\n  \"bash(ls)\", # lists\n  \"bash(pwd)\",\n] # end\nmode = \"ask\"\n", "allow", `["bash(ls)"]`,
			"allow = [\"bash(ls)\"] # end\nmode = \"ask\"\n"},
		{"mode = \"ask\"\n", "add_dirs", "~/lib:ro", "mode = \"ask\"\nadd_dirs = [\"~/lib:ro\"]\n"},
		{"lsp.enabled = false\n", "lsp.enabled", "true", "lsp.enabled = true\n"},
		{"a_is = 1", "max_steps", "1", ""}, // the file cannot be read
		{"lsp = { enabled = false }\n", "lsp.enabled", "true", "by hand"},
		{"lsp = { format = true }\n", "lsp.enabled", "true", ""},
		{"", "max_steps", "-1", "max_steps may be 1 to 100000"},
		{"", "max_steps", "1\nmode = \"plan\"", "must be a number"},
		{"", "allow", "[\"a\"]\nmode = \"plan\"", "by hand"},
		{"", "model", "\"m\"\nmode = \"plan\"", "by hand"},
		{"", "mode", "trusted", "mode may be"},
		{"", "headers", "x", "in the file itself"},
		{"", "theme", "default", "does not stand"},
		{"mode = \"ask\" # a\ntheme = \"x\"\n", "mode", "default", "theme = \"x\"\n"},
		{"lsp = { enabled = true }\n", "lsp.enabled", "default", "by hand"},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "config.toml")
		if c.before != "" {
			if err := os.WriteFile(file, []byte(c.before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := ReadFile(dir)
		var change Change
		if err == nil {
			change, err = f.Change(settingNamed(t, c.name), c.value)
		}
		if err != nil {
			if !strings.Contains(err.Error(), c.after) || strings.HasSuffix(c.after, "\n") {
				t.Errorf("%q, %s: %v", c.before, c.name, err)
			}
			continue
		}
		if err := change.Write(); err != nil {
			t.Error(err)
		}
		got, err := os.ReadFile(file)
		if err != nil || string(got) != c.after {
			t.Errorf("%q becomes %q, want %q, %v", c.before, got, c.after, err)
		}
		row := strings.Split(string(got), "\n")[change.Line-1]
		if c.value != "default" && !strings.Contains(change.New, row) {
			t.Errorf("%q stands in line %d, they say", change.New, change.Line)
		}
	}
}

// The file of somebody who has written it meanwhile is not overwritten.
func TestAChangeOfAFileThatHasChangedIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	f, err := ReadFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.Change(settingNamed(t, "theme"), "dark")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("mode = \"plan\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Write(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Error(err)
	}
}

// Every setting of the example, copied as it stands, is set below its own example or in its table.
func TestEverySettingCanBeWrittenIntoTheExample(t *testing.T) {
	text, used := example(t)
	all, err := Parse([]byte(used))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Settings() {
		if s.ByHand {
			continue
		}
		value := s.Text(all)
		for _, before := range []string{text, used, ""} {
			f := &File{Path: "x", text: before, lines: Lines([]byte(before))}
			if f.Config, err = Parse([]byte(before)); err != nil {
				t.Fatal(err)
			}
			c, err := f.Change(s, value)
			if err != nil {
				t.Errorf("%s = %s: %v", s.Name, value, err)
				continue
			}
			if !strings.Contains(s.Name, ".") && before == text && !strings.Contains(c.after, "\n#"+s.Name+" = ") {
				t.Errorf("%s", c.after)
			}
			if got, err := Parse([]byte(c.after)); err != nil || s.Text(got) != value {
				t.Errorf("%s = %s: %v, %v", s.Name, value, s.Text(got), err)
			}
		}
	}
}

// Values that may hold a secret are not among the texts.
func TestTextsOfSettingsHoldNoSecret(t *testing.T) {
	c, err := Parse([]byte("base_url = \"https://u:abc123@x.example\"\n" +
		"headers = { \"X-Key\" = \"abc123\" }\nkey_command = [\"pass\", \"abc123\"]\n" +
		"[models.m]\nurl = \"https://x.example\"\nheaders = { A = \"abc123\" }\n[mcp.s]\ncommand = [\"x\"]\n" +
		"env = [\"TOKEN=abc123\"]\n[web_search.services.kagi]\nkey_command = [\"p\", \"abc123\"]\n" +
		"[ssh.hosts.h]\nuser = \"abc123\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Settings() {
		if text := s.Text(c); strings.Contains(text, "abc123") {
			t.Errorf("%s: %s", s.Name, text)
		}
	}
}
