package program

import (
	"path"
	"slices"
	"strings"
)

// wordCheck returns the role of an operand, given its index from 0, or of the value of an option.
// The role is Operand if the word is acceptable.
type wordCheck func(r *reader, i int, w string) Role

// checkByName holds the checks by the names that the tables use in brackets and after colons.
var checkByName = map[string]wordCheck{
	// any: every word is data, whatever it begins with.
	"any": func(*reader, int, string) Role { return Operand },
	// none: the program changes something when it has an operand.
	"none": func(*reader, int, string) Role { return Known },
	// condition: -v and -R of test take the name of a variable, and with it arithmetic.
	"condition": func(_ *reader, _ int, w string) Role { return dangerIf(w == "-v" || w == "-R") },
	// output: of printf, whose %n would name a variable.
	"output": func(_ *reader, i int, w string) Role { return dangerIf(i == 0 && assignsVariable(w)) },
	// run: a script of package.json, which the rule must name.
	"run": func(_ *reader, i int, _ string) Role { return knownIf(i == 0) },
	// goal: of Maven; plugin:goal runs any plugin.
	"goal": func(_ *reader, _ int, w string) Role { return dangerIf(strings.Contains(w, ":")) },
	// compile: @file holds more words.
	"compile": func(_ *reader, _ int, w string) Role { return dangerIf(strings.HasPrefix(w, "@")) },
	// remotefile: host:file starts a remote shell, which is the plain meaning, but ::module and
	// -oProxyCommand are not.
	"remotefile": func(_ *reader, _ int, w string) Role { return knownIf(strings.Contains(w, ":")) },
	// input: the first is read, the next is written.
	"input": func(_ *reader, i int, _ string) Role { return dangerIf(i > 0) },
	// file: a local file. tar takes host:file for one on another host, and starts rsh to get it.
	"file": func(_ *reader, _ int, w string) Role { return dangerIf(strings.Contains(w, ":")) },
	// format: of git, or what it sorts by; %G and %(signature) ask gpg, which is a program of the
	// configuration. A sign or a blank may stand between.
	"format": func(_ *reader, _ int, w string) Role {
		plain := strings.NewReplacer("%+", "%", "%-", "%", "% ", "%").Replace(w)
		return knownIf(strings.Contains(plain, "%G") || strings.Contains(w, "signature"))
	},
	// merges: of git, how merges are shown; a merge that is made again runs drivers of the
	// configuration.
	"merges": func(_ *reader, _ int, w string) Role { return knownIf(w == "r" || strings.HasPrefix(w, "remerge")) },
	// lookup: a name that the program looks up among its own; a path would lead to somebody's code.
	"lookup": func(_ *reader, _ int, w string) Role {
		return knownIf(strings.ContainsAny(w, `/\\`) || strings.Contains(strings.ToLower(w), ".lua") ||
			slices.Contains([]string{".json", ".rb", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts"}, path.Ext(w)))
	},
	// web: an address. With another scheme than http (gopher://) curl sends any bytes to any
	// server, with file: it reads. Braces and brackets are patterns of curl's own: {file:}///x.
	"web": func(_ *reader, _ int, w string) Role {
		if strings.ContainsAny(w, "{}[]") {
			return Known
		}
		scheme, _, has := strings.Cut(strings.ToLower(w), ":/")
		return knownIf(has && scheme != "http" && scheme != "https" || strings.HasPrefix(scheme, "file:"))
	},
	// printed: the form in which kubectl prints; go-template-file=x reads a file.
	"printed": func(_ *reader, _ int, w string) Role {
		form, _, _ := strings.Cut(w, "=")
		return knownIf(strings.Contains(strings.ToLower(form), "file"))
	},
	// context: of docker, a directory; what is an address is built from elsewhere.
	"context": func(_ *reader, _ int, w string) Role {
		return knownIf(strings.Contains(w, ":") || w == "-" || strings.HasPrefix(w, "/"))
	},
	// switch: a project; what begins with / is an option of MSBuild, /logger:file loads code.
	"switch": func(_ *reader, _ int, w string) Role { return knownIf(strings.HasPrefix(w, "/")) },
	// module: of Go; mod changes go.mod and gets what is not there.
	"module": func(_ *reader, _ int, w string) Role { return knownIf(w == "mod") },
	// connection: of rclone; one that is described in a word (:sftp,ssh=command:) may name a
	// program.
	"connection": func(_ *reader, _ int, w string) Role {
		first, _, _ := strings.Cut(w, ":")
		return dangerIf(strings.HasPrefix(w, ":") || strings.Contains(first, ","))
	},
	// pager: a file; with + it is a command of the pager, which may start a shell.
	"pager": func(_ *reader, _ int, w string) Role { return dangerIf(strings.HasPrefix(w, "+")) },
	// date: a format. Anything else sets the clock.
	"date": func(_ *reader, _ int, w string) Role { return knownIf(!strings.HasPrefix(w, "+")) },
	// script: the program that an interpreter runs. Its own input is not one, and neither is a file
	// of more words (java @file) or an address (deno run https://x).
	"script": func(_ *reader, _ int, w string) Role {
		return dangerIf(w == "-" || strings.ContainsRune(w, ':') || strings.HasPrefix(w, "@") ||
			strings.HasPrefix(w, "/dev/") ||
			strings.HasPrefix(w, "/proc/"))
	},
	// named: the first names a program, which the rule must name; with @ it is fetched first.
	"named": func(_ *reader, i int, w string) Role {
		if strings.Contains(w, "@") {
			return Dangerous
		}
		return knownIf(i == 0)
	},
	// target: of make. A variable may hold a shell or a call of one.
	"target": func(_ *reader, _ int, w string) Role { return makeTargetRole(w) },
	// recipe: of just; before a slash stands the directory of another justfile.
	"recipe": func(_ *reader, _ int, w string) Role {
		return max(makeTargetRole(w), knownIf(strings.Contains(w, "/")))
	},
	// ldflags: of go; the linker may be told to run another one.
	"ldflags": func(_ *reader, _ int, w string) Role {
		return dangerIf(strings.Contains(w, "-ext") || strings.Contains(w, "-toolexec"))
	},
	// setting: of git config, one to read; with a second word it is written, unless an option says
	// otherwise.
	"setting": func(r *reader, i int, _ string) Role { return dangerIf(i > 0 && !r.seenOptions["--get"]) },
	// remote: of git, a remote of the configuration and what to get or send. A helper (ext::) is a
	// program, a path may be a repository that somebody prepared; + and an empty source overwrite
	// and delete.
	"remote": func(_ *reader, i int, w string) Role {
		if strings.Contains(w, "::") {
			return Dangerous
		}
		if i == 0 {
			return knownIf(!isName(w))
		}
		return knownIf(strings.HasPrefix(w, "+") || strings.HasPrefix(w, ":"))
	},
	// source: of git clone, where it comes from, and then where it goes.
	"source": func(_ *reader, i int, w string) Role {
		if strings.Contains(w, "::") {
			return Dangerous
		}
		return knownIf(i == 0 && !isName(w) && !isURL(w))
	},
	// url: of git remote add, a name and an address.
	"url": func(_ *reader, i int, w string) Role {
		if strings.Contains(w, "::") {
			return Dangerous
		}
		return knownIf(i == 0 && !isName(w) || i > 0 && !isURL(w))
	},
}

// assignsVariable reports whether a format of printf contains a %n, with or without a width and
// flags.
func assignsVariable(format string) bool {
	for s := format; ; {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			return false
		}
		s = strings.TrimLeft(s[i+1:], "0123456789.*'+- #hlLjzt")
		if strings.HasPrefix(s, "n") {
			return true
		}
		if s != "" {
			s = s[1:]
		}
	}
}

func dangerIf(b bool) Role {
	if b {
		return Dangerous
	}
	return Operand
}

func knownIf(b bool) Role {
	if b {
		return Known
	}
	return Operand
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func isName(w string) bool {
	return w != "" && strings.Contains(alphanumeric, w[:1]) && strings.Trim(w, alphanumeric+"-_.") == ""
}

// isURL reports whether w is a URL that git fetches without a special helper program:
// https://host/path or user@host:path.
func isURL(w string) bool {
	for _, scheme := range []string{"https://", "ssh://", "git@"} {
		if rest, ok := strings.CutPrefix(w, scheme); ok {
			return rest != "" && strings.Contains(alphanumeric, rest[:1])
		}
	}
	return false
}

func makeTargetRole(w string) Role {
	name, value, set := strings.Cut(w, "=")
	name = strings.TrimRight(name, ":+?")
	shell := slices.Contains([]string{"SHELL", ".SHELLFLAGS", "MAKE", "MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS",
		"MAKEFILES"}, name)
	if shell || set && (strings.ContainsAny(value, "$`") || strings.HasSuffix(name, "!")) {
		return Dangerous
	}
	recipe := strings.ContainsAny(w, "$`;|&<>()'\"\\ \t\n*?~#!{}") // a recipe has the name of its target as $@
	return knownIf(set || recipe || strings.HasPrefix(w, "+") || strings.HasPrefix(w, "@"))
}
