package program

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// helped are the programs that are asked for their options, with the words that make them tell.
var helped = map[string]string{
	"ls": "--help", "cat": "--help", "head": "--help", "tail": "--help", "wc": "--help", "cut": "--help",
	"tr": "--help", "sort": "--help", "uniq": "--help", "comm": "--help",
	"paste": "--help", "fold": "--help", "nl": "--help", "tac": "--help", "od": "--help", "base64": "--help",
	"sha256sum": "--help", "diff": "--help", "cmp": "--help", "stat": "--help",
	"file": "--help", "du": "--help", "df": "--help", "tree": "--help", "readlink": "--help", "realpath": "--help",
	"date": "--help", "seq": "--help", "cp": "--help", "mv": "--help",
	"ln": "--help", "mkdir": "--help", "touch": "--help", "tee": "--help", "rm": "--help", "chmod": "--help",
	"chown": "--help", "split": "--help", "csplit": "--help", "shuf": "--help",
	"install": "--help", "truncate": "--help", "expand": "--help", "join": "--help", "grep": "--help", "rg": "--help",
	"fdfind": "--help", "jq": "--help", "tar": "--help", "gzip": "--help",
	"xz": "--long-help", "make": "--help", "rsync": "--help", "uname": "--help", "id": "--help", "mktemp": "--help",
	"basename": "--help", "nproc": "--help", "shred": "--help",
	"git log": "-h", "git diff": "-h", "git status": "-h", "git branch": "-h", "git tag": "-h", "git blame": "-h",
	"git grep": "-h", "git ls-files": "-h", "git ls-tree": "-h",
	"git show-ref": "-h", "git for-each-ref": "-h", "git describe": "-h", "git add": "-h", "git rm": "-h",
	"git mv": "-h", "git commit": "-h", "git push": "-h", "git fetch": "-h", "git pull": "-h",
	"git ls-remote": "-h", "git clone": "-h", "git checkout": "-h", "git switch": "-h", "git restore": "-h",
	"git stash push": "-h", "git merge": "-h", "git rebase": "-h", "git cherry-pick": "-h",
	"git revert": "-h", "git reset": "-h", "git clean": "-h", "git apply": "-h", "git init": "-h", "git config": "-h",
	"git archive": "-h", "git remote add": "-h", "git merge-base": "-h",
	"git name-rev": "-h", "git check-ignore": "-h", "git shortlog": "-h", "git format-patch": "-h",
	"git worktree add": "-h", "git submodule status": "-h", "git count-objects": "-h",
}

// helpedSlowly are asked in long runs only (SCROLLKEEP_COMMANDS, `make fuzz`).
var helpedSlowly = map[string]string{
	"pip":         "--help",
	"cargo build": "--help", "cargo test": "--help", "cargo check": "--help", "cargo clippy": "--help",
	"cargo tree": "--help", "cargo metadata": "--help",
	"docker ps": "--help", "docker images": "--help", "docker logs": "--help", "docker inspect": "--help",
	"kubectl get": "--help", "kubectl logs": "--help", "python3": "--help",
}

// told is an option in a help text.
type told struct{ short, long, arity string }

var helpLine = regexp.MustCompile(`^\s+(-[A-Za-z0-9])?(?:[ =]?(?:<[^>]*>|[A-Z]+|\[[^\]]*\]))?(?:, *|/| or | ` +
	`+)?(--[A-Za-z][A-Za-z0-9-]*|--\[no-\][A-Za-z][A-Za-z0-9-]*)?(\[=[^\]]*\]|\[<[^\]]*\]|=\S+|[ ]<[^>]*>|[ ` +
	`]\[<[^>]*>\]|[ ]\[?\(\S+|[ ][A-Z#][A-Z_]*\b|[ ]#|[ ][a-z]+\s{2,})?`)

// options reads a help text.
func options(text string) (all []told) {
	for line := range strings.Lines(text) {
		m := helpLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil || m[1] == "" && m[2] == "" {
			continue
		}
		o := told{short: m[1], long: strings.Replace(m[2], "[no-]", "", 1)}
		switch v := m[3]; {
		case v == "", v == "=false:", v == "=true:": // kubectl shows the default
		case v[0] == '[':
			o.arity = "?"
		default:
			o.arity = ":"
		}
		all = append(all, o)
	}
	return all
}

func help(t *testing.T, path, how string) string {
	words := strings.Fields(path)
	program, err := exec.LookPath(words[0])
	if err != nil {
		return ""
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, program, append(words[1:], how)...)
	cmd.Dir, cmd.Env = t.TempDir(),
		append(os.Environ(), "LC_ALL=C", "COLUMNS=300", "PAGER=cat", "GIT_PAGER=cat", "NO_COLOR=1")
	out, _ := cmd.CombinedOutput() // -h of git ends with 129
	return string(out)
}

// A table agrees with the program's own help about what takes a value: else a value would be taken
// for an operand, or an option for a value.
func TestTablesAgreeWithTheHelpOfThePrograms(t *testing.T) {
	other := []string{ // the help says it in another way, or for the long one only
		"ls -p", "tail -f", "sort -C", "cp --update", "mv --update", "jq --arg", "jq --argjson", "jq --slurpfile",
		"jq --rawfile", "kubectl logs --all-containers",
		"cargo build --timings", "cargo check --timings", "cargo test --timings", "cargo clippy --timings",
		"fdfind --strip-cwd-prefix",
	}
	asked, compared := 0, 0
	for path, text := range helps(t) {
		table := tables()[path]
		says := map[string][]string{}
		for _, o := range options(text) {
			if o.long == "" {
				continue
			}
			says[o.long] = append(says[o.long], o.arity)
			if o.short != "" {
				says[o.short] = append(says[o.short], o.arity)
			}
		}
		asked++
		for name, arities := range says {
			known, ok := table.options[name]
			if !ok || slices.Contains(other, path+" "+name) {
				continue
			}
			compared++
			want := known.valueForm
			if strings.Contains(want, ">") {
				want = ":"
			}
			// --check and --check=quiet on two lines
			both := want == "?" && slices.Contains(arities, "") && slices.Contains(arities, ":")
			if !slices.Contains(arities, want) && !both {
				t.Errorf("%s %s: the table says %q, the help %q", path, name, known.valueForm, arities)
			}
		}
	}
	if asked > 90 && compared < 1800 {
		t.Errorf("%d options of %d programs were compared", compared, asked)
	}
	t.Logf("%d programs, %d options", asked, compared)
}

// helps returns the help texts of those programs that are there.
func helps(t *testing.T) map[string]string {
	texts := map[string]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4)
	all := maps.Clone(helped)
	if os.Getenv("SCROLLKEEP_COMMANDS") != "" {
		maps.Copy(all, helpedSlowly)
	}
	for path, how := range all {
		if tables()[path] == nil {
			t.Errorf("%s has no table", path)
		}
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if text := help(t, path, how); len(options(text)) > 0 {
				mu.Lock()
				texts[path] = text
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(texts) < 40 {
		need.Missing(t, "coreutils and git", "few programs tell their options")
	}
	return texts
}
