package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// homeDir describes a directory that programs need. It lies below the home directory, or below the
// value of an environment variable.
type homeDir struct {
	variable string // environment variable with the directory, or with one above it; "": none
	below    string // path below the variable's value
	home     string // path below the home directory, if the variable is not set
}

// cacheDirs lists the caches of compilers and package managers. Every command may write them.
var cacheDirs = []homeDir{
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

// packageDirs lists directories with fetched packages and installed programs. Commands can only
// read them: nothing can be added without a network, and a change would take effect in other
// projects.
var packageDirs = []homeDir{
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

// resolve returns the path of the directory for the given home directory and environment, or "" if
// it has none.
func (h homeDir) resolve(home string, environ []string) string {
	if h.variable != "" {
		if dir := variable(environ, h.variable); filepath.IsAbs(dir) {
			first, _, _ := strings.Cut(dir, string(os.PathListSeparator))
			return filepath.Join(first, h.below)
		}
	}
	if home == "" || h.home == "" {
		return ""
	}
	return filepath.Join(home, filepath.FromSlash(h.home))
}

// defaultDirs returns the directories, besides the workspace, that every command may write and
// those that it may read.
func (p Policy) defaultDirs() (writable, readable []string) {
	for _, c := range cacheDirs {
		if resolved := c.resolve(p.Home, p.Environ); resolved != "" {
			writable = append(writable, resolved)
		}
	}
	for _, s := range packageDirs {
		if resolved := s.resolve(p.Home, p.Environ); resolved != "" {
			readable = append(readable, resolved)
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
		if p.isNarrow(dir) {
			readable = append(readable, dir)
		}
	}
	return writable, readable
}

// isNarrow reports whether a directory may be shown to commands as a whole. It returns false for a
// directory that contains the user's home directory, or all kinds of files, such as /tmp.
func (p Policy) isNarrow(dir string) bool {
	for _, wide := range []string{"/", p.Home, filepath.Dir(p.Home), "/home", "/root", "/tmp", "/var/tmp"} {
		if wide != "" && wide != "." && within(wide, dir) {
			return false
		}
	}
	return true
}

// within reports whether path is dir or lies below it. Both paths must be clean.
func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+string(filepath.Separator))
}
