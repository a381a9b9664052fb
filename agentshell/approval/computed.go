package approval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// plainLetters are what a word may begin with that no program takes for an option, an address or a
// file with more words.
const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./"

func beginsPlain(s string) bool { return s != "" && strings.IndexByte(plainLetters, s[0]) >= 0 }

// word is one word of a command: its text, or what is known of what it becomes.
func (p *parts) word(w *syntax.Word) Word {
	if text, ok := literal(w); ok {
		return Word{Text: text, Literal: true}
	}
	return p.computed(w)
}

// computed reads a word with patterns and variables. Such a word is safe if each word that comes of
// it begins plainly, and one if it is always one word.
func (p *parts) computed(w *syntax.Word) Word {
	c := Word{Safe: true, One: true}
	for i, part := range w.Parts {
		first := i == 0
		switch part := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(part.Value, "*?[{") {
				c.One = false
			}
			if first && !beginsPlain(part.Value) && !strings.HasPrefix(part.Value, "~/") {
				c.Safe = false
			}
		case *syntax.SglQuoted:
			if part.Dollar || first && !beginsPlain(part.Value) {
				c.Safe = false
			}
		case *syntax.DblQuoted:
			for j, inner := range part.Parts {
				switch inner := inner.(type) {
				case *syntax.Lit:
					if first && j == 0 && !beginsPlain(inner.Value) {
						c.Safe = false
					}
				case *syntax.ParamExp:
					if p.param(inner) == holdsAny && first && j == 0 {
						c.Safe = false
					}
				default:
					p.unknown("it has a word that is computed by a command or by arithmetic")
				}
			}
			if part.Dollar || first && len(part.Parts) == 0 {
				c.Safe = false
			}
		case *syntax.ParamExp:
			if p.param(part) != holdsPlain { // else it may fall into more words, or match files
				c.Safe, c.One = false, false
			}
		default:
			p.unknown("it has a word that is computed by a command or by arithmetic")
		}
	}
	if p.why != "" {
		return Word{}
	}
	return c
}

// param is what a plain $name holds; any other expansion is unknown.
func (p *parts) param(e *syntax.ParamExp) holding {
	if e.Excl || e.Length || e.Width || e.Index != nil || e.Slice != nil || e.Repl != nil || e.Exp != nil ||
		e.Names != 0 || e.Param == nil || e.NestedParam != nil || e.Flags != nil || e.IsSet || len(e.Modifiers) > 0 {
		p.unknown("it has an expansion that is more than the value of a variable")
		return holdsAny
	}
	switch name := e.Param.Value; name {
	case "?", "#", "$":
		return holdsPlain
	case "HOME": // the person's own; a line may not set it
		return holdsPlain
	case "PWD": // begins with a slash
		return holdsWord
	case "@", "*":
		return holdsAny
	default:
		return p.holds[name]
	}
}

// held is what the variables of a line hold that are set once in it, by a loop over words.
func held(file *syntax.File) map[string]holding {
	count, holds := map[string]int{}, map[string]holding{}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				count[n.Name.Value]++
			}
		case *syntax.CallExpr:
			for _, w := range n.Args { // read name
				if text, ok := literal(w); ok {
					count[text]++
				}
			}
		case *syntax.WordIter:
			if n.Name == nil {
				return true
			}
			count[n.Name.Value]++
			least := holdsPlain
			for _, item := range n.Items {
				least = min(least, itemHolds(item))
			}
			if len(n.Items) > 0 {
				holds[n.Name.Value] = least
			}
		}
		return true
	})
	for name, n := range count {
		if n > 1 {
			delete(holds, name)
		}
	}
	return holds
}

func itemHolds(w *syntax.Word) holding {
	if text, ok := literal(w); ok {
		switch {
		case !beginsPlain(text):
			return holdsAny
		case strings.Trim(text, plainLetters+"-") == "":
			return holdsPlain
		}
		return holdsWord
	}
	if l := w.Lit(); beginsPlain(l) { // a pattern: what it matches begins as it does
		return holdsWord
	}
	return holdsAny
}

// harmlessName reports whether no program is known to run or load what a variable of that name
// says. In doubt it is not harmless.
func harmlessName(name string) bool {
	if name == "" || strings.Trim(name, plainLetters) != "" || strings.ContainsAny(name, "./") ||
		name[0] >= '0' && name[0] <= '9' || name == "_" {
		return false
	}
	if slices.Contains(harmlessNames, name) {
		return true
	}
	up := strings.ToUpper(name)
	begins := func(s string) bool { return strings.HasPrefix(up, s) }
	has := func(s string) bool { return strings.Contains(up, s) }
	return !slices.ContainsFunc(strings.Fields(dangerousBegins), begins) &&
		!slices.ContainsFunc(strings.Fields(dangerousParts), has) &&
		!slices.Contains(strings.Fields(dangerousNames), up)
}

// harmlessValue reports whether a value is a plain word: no path, option or list of words, so that
// it can hardly name a program or a file.
func harmlessValue(v string) bool {
	return strings.Trim(v, plainLetters+"-,:+") == "" && !strings.ContainsAny(v, "/") && (v == "" || beginsPlain(v))
}

// settable reports whether a command may be given a variable of that name and value under a rule. A
// name that is not known takes only what switches something on, off or to a level: a word could be
// a file of the workspace that some program loads.
func settable(name, value string) bool {
	// No value, and one of points alone, make $(DEST)/x of a Makefile a place outside the
	// workspace.
	if !harmlessName(name) || !harmlessValue(value) || strings.Trim(value, ".") == "" {
		return false
	}
	return slices.Contains(harmlessNames, name) || strings.Trim(value, "0123456789.") == "" ||
		slices.Contains(strings.Fields(switches), strings.ToLower(value))
}

// switches are values that can hardly name a file.
const switches = `true false yes no on off y n enable disable enabled disabled auto always never none all debug info warn
	warning error trace verbose quiet silent dev development test testing staging prod production release`

// harmlessNames would count as dangerous by their spelling, or are known to take a word.
var harmlessNames = []string{"GOOS", "GOARCH", "GOARM", "GOAMD64", "GOMAXPROCS", "GOGC", "CGO_ENABLED", "NODE_ENV",
	"CARGO_TERM_COLOR", "CARGO_INCREMENTAL", "RUST_BACKTRACE", "RUST_LOG", "RUST_TEST_THREADS", "PYTHONUNBUFFERED",
	"PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "LC_ALL", "LANG", "TZ", "COMPOSE_PROJECT_NAME", "DOCKER_BUILDKIT"}

const (
	// Programs that have variables by which they run or load something.
	dangerousBegins = `LD_ DYLD_ GIT_ GIT BASH SHELL ZSH ENV PYTHON PYTEST PY_ PIP_ UV_ NODE NPM YARN PNPM BUN_ DENO_
		RUBY RUBY_ GEM_ BUNDLE RAKE PERL PERL5 GO CGO CARGO RUST CC CXX CPP C_ CPLUS MAKE CMAKE CTEST NINJA MESON
		PKG_ AR AS_ LINK LESS MAN XDG_ LC_ LOC NLS GCONV MALLOC GLIBC TERM DOCKER COMPOSE KUBE HELM AWS_ AZURE GOOGLE
		GCLOUD JAVA JDK _JAVA MAVEN MVN GRADLE ANT_ SBT CLASS R_ LUA ERL ELIXIR MIX_ HEX_ TCL PHP COMPOSER JULIA
		SSH SUDO SU_ TAR GZIP ZIP BZIP XZ_ ZSTD GREP RIPGREP RG_ FZF FD_ JQ_ BAT_ DIFF SED POSIXLY ASAN UBSAN TSAN LSAN
		LLVM CLANG GCC TF_ ANSIBLE VAGRANT NIX GTK QT_ X11 DISPLAY DBUS SYSTEMD OPENSSL SSL CURL WGET HG SVN CVS RSYNC
		PG MYSQL SQLITE PS READLINE INPUTRC HIST PROMPT EXINIT VIM EMACS TMUX SCREEN DIRENV MISE ASDF NVM PYENV RBENV
		CONDA VIRTUAL POETRY PDM HATCH TOX_ NOX_ COVERAGE DOTNET NUGET MSBUILD CORE_ COR_ COMPLUS MONO DENO SWIFT
		XCODE SDK ANDROID FLUTTER DART`
	dangerousParts = `PATH COMMAND CMD EXEC FLAGS OPTS OPTIONS ARGS PRELOAD PROXY WRAPPER LAUNCHER EDITOR PAGER BROWSER
		VISUAL SHELL LIB INCLUDE PLUGIN MODULE HOOK CONFIG RC SCRIPT INIT LOADER HOME ROOT DIR PROGRAM COMPILER LINKER
		ASKPASS TOOL HOST URL URI CERT TOKEN SECRET PASSWORD`
	dangerousNames = `IFS OPTARG OPTIND RANDOM SECONDS LINENO FUNCNAME DIRSTACK PIPESTATUS PPID UID EUID GROUPS REPLY
		COLUMNS LINES USER LOGNAME MAIL FPATH OLDPWD PWD LOCALDOMAIN RES_OPTIONS HOSTALIASES NAME_ AUTOCOMPLETE
		VERSION_CONTROL SIMPLE_BACKUP_SUFFIX COPROC TIMEFORMAT TMOUT FIGNORE GLOBIGNORE GLOBSORT CHILD_MAX EXECIGNORE
		FCEDIT HISTCMD IGNOREEOF MAPFILE OPTERR SRANDOM EPOCHSECONDS TEXTDOMAIN`
)
