package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// place is a directory below the home directory that programs need, or below what a variable names.
type place struct {
	variable string // names the directory itself, or what rest is below of
	rest     string // below the variable
	home     string // where it is without the variable
}

// caches are written by the programs that own them.
var caches = []place{
	{"GOCACHE", "", ".cache/go-build"},
	{"", "", ".cache/golangci-lint"},
	{"", "", ".cache/staticcheck"},
	{"npm_config_cache", "", ".npm"},
	{"", "", ".cache/yarn"},
	{"", "", ".cache/node-gyp"},
	{"PIP_CACHE_DIR", "", ".cache/pip"},
	{"", "", ".cache/pypoetry"},
	{"UV_CACHE_DIR", "", ".cache/uv"},
	{"", "", ".cache/mypy"},
	{"", "", ".cache/ccache"},
	{"CCACHE_DIR", "", ".ccache"},
	{"", "", ".cache/sccache"},
	{"", "", ".cache/zig"},
	{"", "", ".cache/bazel"},
	{"", "", ".cache/deno"},
	{"", "", ".gradle/caches"},
}

// sources are packages that were fetched and programs that were installed below the home directory.
// Without a network nothing can be added to them, and what is changed there would run in other
// projects: they are read.
var sources = []place{
	{"GOMODCACHE", "", ""},
	{"GOPATH", "pkg/mod", "go/pkg/mod"},
	{"GOPATH", "bin", "go/bin"},
	{"", "", "sdk"},
	{"CARGO_HOME", "registry", ".cargo/registry"},
	{"CARGO_HOME", "git", ".cargo/git"},
	{"CARGO_HOME", "bin", ".cargo/bin"},
	{"RUSTUP_HOME", "", ".rustup"},
	{"NVM_DIR", "versions", ".nvm/versions"},
	{"", "", ".local/share/pnpm/store"},
	{"", "", ".pnpm-store"},
	{"", "", ".bun"},
	{"", "", ".volta"},
	{"PYENV_ROOT", "", ".pyenv"},
	{"", "", ".local/lib"},
	{"", "", ".local/bin"},
	{"", "", ".local/share/uv"},
	{"", "", ".local/pipx"},
	{"", "", ".local/share/pipx"},
	{"", "", ".rbenv"},
	{"", "", ".gem"},
	{"", "", ".asdf"},
	{"", "", ".local/share/mise"},
	{"", "", ".sdkman"},
	{"", "", ".m2/repository"},
	{"", "", ".ghcup"},
	{"", "", ".dotnet"},
	{"", "", ".nix-profile"},
}

// at returns where a place is, "" for nowhere.
func (p place) at(home string, environ []string) string {
	if p.variable != "" {
		if dir := variable(environ, p.variable); filepath.IsAbs(dir) {
			first, _, _ := strings.Cut(dir, string(os.PathListSeparator))
			return filepath.Join(first, p.rest)
		}
	}
	if home == "" || p.home == "" {
		return ""
	}
	return filepath.Join(home, filepath.FromSlash(p.home))
}

// places returns the default directories of a policy, those to write and those to read.
func (p Policy) places() (writable, readable []string) {
	for _, c := range caches {
		if at := c.at(p.Home, p.Environ); at != "" {
			writable = append(writable, at)
		}
	}
	for _, s := range sources {
		if at := s.at(p.Home, p.Environ); at != "" {
			readable = append(readable, at)
		}
	}
	for _, dir := range filepath.SplitList(variable(p.Environ, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		dir = filepath.Clean(dir)
		if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "VERSION")); err == nil && filepath.Base(dir) == "bin" {
			if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "pkg", "tool")); err == nil {
				dir = filepath.Dir(dir) // a distribution of Go
			}
		}
		if p.narrow(dir) {
			readable = append(readable, dir)
		}
	}
	return writable, readable
}

// narrow reports whether a directory is none in which a person keeps everything.
func (p Policy) narrow(dir string) bool {
	for _, wide := range []string{"/", p.Home, filepath.Dir(p.Home), "/home", "/root", "/tmp", "/var/tmp"} {
		if wide != "" && wide != "." && within(wide, dir) {
			return false
		}
	}
	return true
}

// within reports whether path is dir or lies below it. Both are clean.
func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+string(filepath.Separator))
}
