package approval

import (
	"slices"
	"strings"
)

// A line may set a variable under a rule if the variable is known not to name anything that a
// program runs, loads or writes. What is not in these lists asks.

// words take a plain word: platforms, levels and names of locales that programs compare with a
// list of their own.
var words = strings.Fields(`GOOS GOARCH GOARM GOARM64 GOAMD64 GO386 GOMIPS GOWASM CGO_ENABLED GO111MODULE NODE_ENV
	CARGO_TERM_COLOR RUST_LOG RUST_BACKTRACE RAILS_ENV RACK_ENV APP_ENV FLASK_ENV DJANGO_ENV MIX_ENV TZ LANG LC_ALL
	LOG_LEVEL LOGLEVEL COMPOSE_PROJECT_NAME ARCH TARGETARCH BUILD_TYPE`)

// switchNames take a number, or what switches something on, off or to a level.
var switchNames = strings.Fields(`CI DEBUG VERBOSE QUIET TRACE SILENT COLOR NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE
	V Q J N X FOO BAR BAZ TEST TESTING COVERAGE COVER RACE FAST SLOW SHORT STRICT RELEASE DRY_RUN DRYRUN OFFLINE PORT
	WORKERS JOBS NPROC RETRIES SEED COUNT LIMIT TIMEOUT GOMAXPROCS GOGC GOMEMLIMIT CARGO_INCREMENTAL CARGO_NET_OFFLINE
	RUST_TEST_THREADS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONUTF8 DOCKER_BUILDKIT BUILDKIT
	COMPOSE_DOCKER_CLI_BUILD OMP_NUM_THREADS UPDATE_SNAPSHOTS UPDATE_GOLDEN UPDATE SKIP_SLOW
	GIT_TERMINAL_PROMPT DEBIAN_FRONTEND NEXT_TELEMETRY_DISABLED DO_NOT_TRACK HOMEBREW_NO_AUTO_UPDATE UV_OFFLINE
	PIP_NO_INPUT PIP_DISABLE_PIP_VERSION_CHECK NPM_CONFIG_LOGLEVEL TURBO_TELEMETRY_DISABLED DOTNET_CLI_TELEMETRY_OPTOUT
	ZERO_AR_DATE SOURCE_DATE_EPOCH`)

// switches are values that can hardly name a file.
var switches = strings.Fields(`true false yes no on off y n enable disable enabled disabled auto always never none all
	debug info warn warning error trace verbose quiet silent dev development test testing staging prod production release
	noninteractive`)

// settable reports whether a command may be given a variable of that name and value under a rule.
// A word is taken only where a program compares it: elsewhere it could be a file of the workspace
// that some program loads.
func settable(name, value string) bool {
	return plainValue(value) && (slices.Contains(words, name) || slices.Contains(switchNames, name) &&
		(strings.Trim(value, "0123456789.") == "" || slices.Contains(switches, strings.ToLower(value))))
}

// plainValue reports whether a value is a plain word: no path, option or list of words, so that it
// can hardly name a program or a file. No value, and one of points alone, make $(DEST)/x of a
// Makefile a place outside the workspace.
func plainValue(v string) bool {
	return strings.Trim(v, plainLetters+"-,:+") == "" && !strings.Contains(v, "/") && beginsPlain(v) &&
		strings.Trim(v, ".") != ""
}

// local reports whether a loop, or read, may set a variable of that name: it is small letters, in
// which no program looks for what it runs or loads. Only a name that is in the environment already
// is passed on; there are proxies and settings of npm among those.
func local(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	switch {
	case len(name) == 1 && name[0] >= 'A' && name[0] <= 'Z', slices.Contains(counted, name):
		return true
	case name == "" || !strings.Contains(letters, name[:1]) || strings.Trim(name, letters+"0123456789_") != "":
		return false
	case strings.HasSuffix(name, "proxy"), strings.Contains(name, "npm_"), strings.HasPrefix(name, "yarn_"),
		strings.HasPrefix(name, "bun_"):
		return false
	}
	return name != "histchars" && name != "auto_resume" // bash reads those
}

// counted are names in capitals that loops of ordinary lines use.
var counted = strings.Fields(`FILE FILES PKG NAME ITEM LINE`)
