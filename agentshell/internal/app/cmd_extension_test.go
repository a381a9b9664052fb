package app_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// wants fails unless text contains all strings of all.
func wants(t *testing.T, text string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

func TestANewExtensionPassesItsTest(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"--js", "--go"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			if language == "--js" {
				need.Program(t, "node")
			}
			dir := filepath.Join(t.TempDir(), "fruit")
			made := p.run("", "extension", "new", "fruit", dir, language)
			wants(t, made.stdout, "extension.toml\n", "README.md\n", "[extensions.fruit]\n  dir = \""+dir+"\"\n")
			main := "main.mjs"
			if language == "--go" {
				main = "main.go"
				early := p.run("", "extension", "test", dir)
				wants(t, early.stdout, "FAULT  "+filepath.Join(dir, "fruit")+" is no program yet. Build it, ")
				build := exec.Command("go", "build")
				build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
				if out, err := build.CombinedOutput(); err != nil {
					t.Fatalf("%s", out)
				}
			}
			tried := p.run("", "extension", "test", dir, "--run", "fruit", "--keys", "down enter", "--run",
				"fruit plum")
			wants(t, tried.stdout, "ok     extension.toml: /fruit\n", "ok     /fruit is completed by 3 items",
				"note   a picker: Choose a fruit\n       | apple  red\n", "ok     answered: \"lemon\"\n",
				"       | You chose lemon.\n", "       | You chose plum.\n", "All is well.\n")
			if tried.code != 0 {
				t.Errorf("code %d: %s", tried.code, tried.stderr)
			}
			// Its manifest is the one that the program prints.
			program := exec.Command(filepath.Join(dir, "fruit"), "manifest")
			if language == "--js" {
				program = exec.Command("node", filepath.Join(dir, main), "manifest")
			}
			printed, err := program.Output()
			file, _ := os.ReadFile(filepath.Join(dir, "extension.toml"))
			if err != nil || string(file) != string(printed) {
				t.Errorf("extension.toml is %s, the program prints %s, %v", file, printed, err)
			}
			// What is there is not written over.
			before, err := os.ReadFile(filepath.Join(dir, main))
			if err != nil {
				t.Fatal(err)
			}
			again := p.run("", "extension", "new", "other", dir, language)
			if after, _ := os.ReadFile(filepath.Join(dir, main)); again.code != 2 || string(after) != string(before) ||
				!strings.Contains(again.stderr, "is not empty; nothing was written") {
				t.Errorf("%+v", again)
			}
			if bad := p.run("", "extension", "new", "../fruit", language); bad.code != 2 {
				t.Errorf("a name that is a path: %+v", bad)
			}
		})
	}
}

// The section "In an hour" of the page leads to a picker of branches that switches.
func TestThePageLeadsToAPickerOfBranches(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/extensions.md")
	if err != nil {
		t.Fatal(err)
	}
	for main, first := range map[string]string{"main.mjs": "import { execFileSync }", "main.go": "package main"} {
		t.Run(main, func(t *testing.T) {
			t.Parallel()
			node, git := need.Program(t, "node"), need.Program(t, "git")
			p := newPlace(t)
			dir := filepath.Join(t.TempDir(), "branches")
			args := []string{"extension", "new", "branches", dir}
			if main == "main.go" {
				args = append(args, "--go")
			}
			if made := p.run("", args...); made.code != 0 {
				t.Fatal(made)
			}
			_, code, found := strings.Cut(string(page), "\n    "+first)
			after := map[string]string{"main.mjs": "\n\nIn Go", "main.go": "\n\nThe file"}
			code, _, ends := strings.Cut(first+code, after[main])
			if !found || !ends {
				t.Fatalf("the page has no %s", main)
			}
			p.write(filepath.Join(dir, main), strings.ReplaceAll(code, "\n    ", "\n")+"\n")
			program := exec.Command(node, filepath.Join(dir, main), "manifest")
			if main == "main.go" {
				build := exec.Command("go", "build")
				build.Dir = dir
				if out, err := build.CombinedOutput(); err != nil {
					t.Fatalf("%s", out)
				}
				program = exec.Command(filepath.Join(dir, "branches"), "manifest")
			}
			manifest, err := program.Output()
			if err != nil {
				t.Fatal(err)
			}
			p.write(filepath.Join(dir, "extension.toml"), string(manifest))
			outside := p.run("", "extension", "test", dir, "--run", "branches")
			wants(t, outside.stdout, "FAULT  /branches: fatal: not a git repository")
			for _, args := range []string{"init -q -b main",
				"-c user.name=x -c user.email=x@x.org commit -q --allow-empty -m first", "branch work"} {
				cmd := exec.Command(git, strings.Fields(args)...)
				cmd.Dir = p.work
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s", out)
				}
			}
			tried := p.run("", "extension", "test", dir, "--run", "branches", "--keys", "down enter")
			wants(t, tried.stdout, "ok     /branches is completed by 2 items",
				"note   a picker: Switch to\n       | main\n", "       | Now on work\n", "All is well.\n")
			head, err := os.ReadFile(filepath.Join(p.work, ".git", "HEAD"))
			if err != nil || string(head) != "ref: refs/heads/work\n" {
				t.Errorf("HEAD: %q, %v", head, err)
			}
		})
	}
}

// faulty is the code of an extension with many faults.
const faulty = `import { writeFileSync } from "node:fs";
import { run, styled } from "./extension.mjs";
try { writeFileSync(new URL("written", import.meta.url), ""); } catch {}
console.log("at the top");
const late = () => new Promise((resolve) => setTimeout(resolve, 400));
run({
  about: "is faulty", program: ["node", "${dir}/main.mjs"],
  status: (width) => "x".repeat(width + 3),
  footer: () => [["a\x1b[31mred", styled("bold", "b")], "2", "3", "4"],
  renderers: { bash: { result: async (s) => { await late(); return [s.text.split("\n")[0]]; } } },
  commands: { faulty: { about: "x", complete: () => Array(10_000).fill("item"), async run(call) {
    if (call.args === "junk") process.stdout.write("hello\n");
    if (call.args === "throw") throw new Error("thrown");
    if (call.args === "many") return { rows: Array(10_000).fill("row") };
    if (call.args === "shape") return { row: ["x"] };
    if (call.args === "loose") return { rows: [5, ["n ", 7], styled("strong", "one"), null] };
    if (call.args === "form") return { rows: [JSON.stringify(await call.fill({ title: "About", fields: [
      { name: "who", label: "Who", required: true }, { name: "size", kind: "choice", choices: ["small", "large"] },
      { name: "sure", kind: "confirm" }] }))] };
    let n = 0;
    await call.view({ title: "Keys", height: 1, rows: () => ["pressed " + n], key(k, close) { n++; if (k.key === "q") close(); } });
  } } },
  tools: { count: { about: "x", run(call, input) { call.progress("half"); return "counted " + input.n; } } },
});
`

func TestTheFaultsOfAnExtensionAreTold(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	node := need.Program(t, "node")
	dir := filepath.Join(t.TempDir(), "faulty")
	if made := p.run("", "extension", "new", "faulty", dir); made.code != 0 {
		t.Fatal(made)
	}
	p.write(filepath.Join(dir, "main.mjs"), faulty)
	manifest, err := exec.Command(node, filepath.Join(dir, "main.mjs"), "manifest").Output()
	if err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(filepath.Join(dir, "written"))
	old := strings.Replace(string(manifest), "\"count\"\nabout = \"x", "\"count\"\nabout = \"old", 1)
	p.write(filepath.Join(dir, "extension.toml"), old+"\n[[commands]]\nname = \"more\"\nabout = \"x\"\n")
	tried := p.run("", "extension", "test", dir, "--width", "30", "--run", "faulty", "--keys", "a down q", "--run",
		`count {"n":7}`, "--run", "faulty throw", "--run", "nothing", "--run", "faulty many", "--run", "faulty shape",
		"--run", "faulty loose", "--run", "faulty form", "--keys", `enter "Ada L." enter down enter y enter`,
		"--run", "faulty form", "--keys", `enter`, "--run", "faulty junk")
	wants(t, tried.stdout, "FAULT  extension.toml lists the command more, which the program does not serve",
		"FAULT  the program has another about of the tool count than extension.toml",
		"FAULT  status in 30 columns: row 1 has 33 columns and is cut\n       | "+strings.Repeat("x", 30)+"\n",
		"FAULT  footer: row 1 has characters that nobody can see (1 control)",
		`FAULT  footer: row 1 has the style "bold", which no theme has`, "       | a␛[31mredb\n",
		"FAULT  result of bash in 30 columns: the answer came after ", "       | --- FAIL: TestSum (0.00s)\n",
		"       | pressed 0\n", "       | pressed 1\n", "note   half\n", "       | counted 7\n",
		"FAULT  /faulty throw: thrown\n",
		"FAULT  the items that complete /faulty are 10000, and only the first 50 are used\n",
		"FAULT  the rows of the part footer are 4, and only the first 3 are used\n",
		"FAULT  the rows of /faulty are 10000, and only the first 200 are used\n",
		`FAULT  the answer to command has the field "row", which the protocol does not have`+"\n",
		"       | 5\n       | n 7\n       | one\n", `ok     answered: {"size":"large","sure":true,"who":"Ada L."}`,
		"! an answer is needed", "note   left with Esc, since no key is left\n",
		`FAULT  extension.toml has no command and no tool "nothing"`,
		`FAULT  /faulty junk: the extension has ended: it sent what is no message: "hello"`,
		"note   Its log:\n", "faults.\n")
	for _, keys := range []string{"down dwn", `"no end`} {
		if bad := p.run("", "extension", "test", dir, "--keys", keys); bad.code != 2 || bad.stdout != "" {
			t.Errorf("%s: %+v", keys, bad)
		}
	}
	if tried.code != 1 || strings.Contains(tried.stdout, "\x1b") {
		t.Errorf("code %d: %q", tried.code, tried.stderr)
	}
	_, err = os.Stat(filepath.Join(dir, "written"))
	if err == nil && !strings.Contains(tried.stdout, "no sandbox here") {
		t.Error("it has written outside of the workspace")
	}
	for text, want := range map[string]string{
		strings.Replace(string(manifest), `"faulty"`, `"other"`, 1): "it registers the command faulty, which " +
			"extension.toml does not list",
		"about = 1\n": "extension.toml: line 1",
		"":            "extension.toml: it is empty: the program",
	} {
		p.write(filepath.Join(dir, "extension.toml"), text)
		tried := p.run("", "extension", "test", dir)
		wants(t, tried.stdout, want, "1 fault.\n")
		if strings.Contains(text, "other") {
			wants(t, tried.stdout, "main.mjs manifest >new.toml && mv new.toml "+filepath.Join(dir, "extension.toml"))
		}
		if tried.code != 1 {
			t.Errorf("code %d", tried.code)
		}
	}
}

func TestExtensionsAreListedByTheirManifests(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if none := p.run("", "extension"); none.code != 0 || !strings.Contains(none.stdout, "There are no extensions.") {
		t.Errorf("%+v", none)
	}
	const manifest = "protocol = 1\nabout = \"x\"\ncommand = [\"cat\"]\nstatus = true\n"
	dir := t.TempDir()
	p.write(filepath.Join(p.home, ".config", "agentshell", "config.toml"), "[extensions.mine]\ndir = \""+dir+"\"\n")
	p.write(".agentshell/extensions/mine/extension.toml", manifest)
	p.write(".agentshell/extensions/theirs/extension.toml", manifest)
	p.write(".agentshell/extensions/bad\x1b[31m/extension.toml", manifest)
	bad := p.run("", "extension", "list")
	if bad.code != 1 || !strings.Contains(bad.stdout, "mine  not used: ") {
		t.Errorf("%+v", bad)
	}
	p.write(filepath.Join(dir, "extension.toml"), manifest)
	good := p.run("", "extension", "list")
	wants(t, good.stdout, "mine  a part of the status row\n  in "+dir+"\n",
		"mine  a part of the status row\n  of this workspace; not used, since yours has the same name\n",
		"theirs  a part of the status row\n  of this workspace; agentshell asks about it once\n",
		"not used: a name has small letters")
	if good.code != 0 || strings.Contains(good.stdout, "\x1b") {
		t.Errorf("%+v", good)
	}
	p.work = dir
	wants(t, p.run("", "extension", "list").stdout, "mine  not used here: its folder lies in the workspace")
}
