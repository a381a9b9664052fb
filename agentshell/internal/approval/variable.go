package approval

import (
	"slices"
	"strings"
)

// A rule allows a line to set a variable only if it is known that no program takes the value for
// something to run, load or write. All other variables ask.

// wordVariables lists environment variables whose value is a plain word, such as a platform, a
// level or a locale. Programs only compare it with the words that they know.
var wordVariables = strings.Fields(`GOOS GOARCH GOARM GOARM64 GOAMD64 GO386 GOMIPS GOWASM CGO_ENABLED GO111MODULE NODE_ENV
	CARGO_TERM_COLOR RUST_LOG RUST_BACKTRACE RAILS_ENV RACK_ENV APP_ENV FLASK_ENV DJANGO_ENV MIX_ENV TZ LANG LC_ALL
	LOG_LEVEL LOGLEVEL COMPOSE_PROJECT_NAME ARCH TARGETARCH BUILD_TYPE`)

// switchVariables lists environment variables whose value is a number, or a word that turns
// something on, off or to a level.
var switchVariables = strings.Fields(`CI DEBUG VERBOSE QUIET TRACE SILENT COLOR NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE
	V Q J N X FOO BAR BAZ TEST TESTING COVERAGE COVER RACE FAST SLOW SHORT STRICT RELEASE DRY_RUN DRYRUN OFFLINE PORT
	WORKERS JOBS NPROC RETRIES SEED COUNT LIMIT TIMEOUT GOMAXPROCS GOGC GOMEMLIMIT CARGO_INCREMENTAL CARGO_NET_OFFLINE
	RUST_TEST_THREADS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONUTF8 DOCKER_BUILDKIT BUILDKIT
	COMPOSE_DOCKER_CLI_BUILD OMP_NUM_THREADS UPDATE_SNAPSHOTS UPDATE_GOLDEN UPDATE SKIP_SLOW
	GIT_TERMINAL_PROMPT DEBIAN_FRONTEND NEXT_TELEMETRY_DISABLED DO_NOT_TRACK HOMEBREW_NO_AUTO_UPDATE UV_OFFLINE
	PIP_NO_INPUT PIP_DISABLE_PIP_VERSION_CHECK NPM_CONFIG_LOGLEVEL TURBO_TELEMETRY_DISABLED DOTNET_CLI_TELEMETRY_OPTOUT
	ZERO_AR_DATE SOURCE_DATE_EPOCH`)

// switchValues lists words for switchVariables. They are hardly ever names of files.
var switchValues = strings.Fields(`true false yes no on off y n enable disable enabled disabled auto always never none all
	debug info warn warning error trace verbose quiet silent dev development test testing staging prod production release
	noninteractive`)

// isSettable reports whether a line that sets an environment variable to a value may be allowed by
// rules. A word is accepted only if programs compare it with known words; otherwise it could be the
// name of a file that a program loads.
func isSettable(name, value string) bool {
	return plainValue(value) && (slices.Contains(wordVariables, name) || slices.Contains(switchVariables, name) &&
		(strings.Trim(value, "0123456789.") == "" || slices.Contains(switchValues, strings.ToLower(value))))
}

// plainValue reports whether a value is a plain word: not a path, an option or a list of words, so
// that it hardly names a program or a file. An empty value, or one of dots only, is not plain,
// because it could turn $(DEST)/x in a Makefile into a path outside of the workspace.
func plainValue(v string) bool {
	return strings.Trim(v, plainLetters+"-,:+") == "" && !strings.Contains(v, "/") && beginsPlain(v) &&
		strings.Trim(v, ".") != ""
}

// isLoopName reports whether a loop or the builtin read may set a variable with that name. The name
// must have small letters, because programs look for code to run or load in variables with capital
// letters. Names that programs do read in small letters, such as those of proxies and npm settings,
// are excluded.
func isLoopName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	switch {
	case len(name) == 1 && name[0] >= 'A' && name[0] <= 'Z', slices.Contains(loopNames, name):
		return true
	case name == "" || !strings.Contains(letters, name[:1]) || strings.Trim(name, letters+"0123456789_") != "":
		return false
	case strings.HasSuffix(name, "proxy"), strings.Contains(name, "npm_"), strings.HasPrefix(name, "yarn_"),
		strings.HasPrefix(name, "bun_"):
		return false
	}
	return name != "histchars" && name != "auto_resume" // bash reads those
}

// loopNames lists names in capital letters that are common in loops and harmless.
var loopNames = strings.Fields(`FILE FILES PKG NAME ITEM LINE`)
