package code

import (
	"path"
	"strings"
)

// Language holds the rules for reading the source text of one programming language.
type Language struct {
	Name         string
	comments     []string // prefixes of comments that extend to the end of the line
	blocks       []block  // delimiters of block comments
	nestedBlocks bool     // block comments can be nested
	quotes       []quote  // delimiters of strings
	keywords     map[string]bool
	foldsCase    bool   // keywords can be written in either case
	wordBytes    string // further bytes that are allowed in words
	markup       bool   // words and strings occur only in tags

	firstBytes [256]bool // bytes that can begin a comment or a string
}

// block holds the delimiters of a block comment.
type block struct{ open, close string }

// quote describes one kind of string literal.
type quote struct {
	open, close string
	escape      byte // the escape character; 0: none
	multiline   bool // the string can extend over several lines
	oneChar     bool // it is a literal for a single character; without a closing quote it is none
}

// Of returns the language of a file with the given name, or nil if it is unknown.
func Of(name string) *Language {
	base := strings.ToLower(path.Base(name))
	ext := strings.TrimPrefix(path.Ext(base), ".")
	for _, r := range languageTable {
		for _, known := range strings.Fields(r.files) {
			if known == ext && ext != "" || strings.TrimPrefix(known, "=") == base && known[0] == '=' {
				return r.language()
			}
		}
	}
	return nil
}

// Named returns the language with a name as used in fenced code blocks: "go", "python", "c++". It
// returns nil if the name is unknown.
func Named(name string) *Language {
	name = strings.ToLower(name)
	for _, r := range languageTable {
		if strings.ToLower(r.name) == name {
			return r.language()
		}
	}
	return Of("x." + name)
}

// languageRow describes one language in table.
type languageRow struct {
	name, files string // the language's name, and its file extensions or "=" followed by whole file names
	kind        syntaxKind
	words       string // keywords, separated by blanks
}

// syntaxKind is a group of languages with the same syntax for comments and strings.
type syntaxKind uint8

const (
	cLike syntaxKind = iota
	cRaw             // like cLike, with multi-line strings in backticks
	cChar            // like cLike, with ' for single characters only, and nested comments
	hash             // # comments, multi-line strings
	python
	lua
	sql
	haskell
	lisp
	config // # or ; comments, single-line strings
	json
	css
	xml
)

// language returns the rules for the language that r describes.
func (r languageRow) language() *Language {
	var (
		double    = quote{`"`, `"`, '\\', false, false}
		single    = quote{`'`, `'`, '\\', false, false}
		char      = quote{`'`, `'`, '\\', false, true}
		slash     = []block{{"/*", "*/"}}
		multiline = func(q quote) quote { q.multiline = true; return q }
	)
	l := &Language{Name: r.name, keywords: map[string]bool{}}
	for _, w := range strings.Fields(r.words) {
		l.keywords[w] = true
	}
	switch r.kind {
	case cLike:
		l.comments, l.blocks, l.quotes = []string{"//"}, slash, []quote{{`"""`, `"""`, '\\', true, false}, double, char}
		if r.name == "PHP" || r.name == "Dart" {
			l.quotes[2] = single
		}
	case cRaw:
		l.comments, l.blocks, l.quotes = []string{"//"}, slash, []quote{double, single, {"`", "`", '\\', true, false}}
		if r.name == "Go" {
			l.quotes[1], l.quotes[2].escape = char, 0
		}
	case cChar:
		l.comments, l.blocks, l.nestedBlocks, l.quotes = []string{"//"}, slash, true, []quote{multiline(double), char}
	case hash:
		l.comments, l.quotes = []string{"#"}, []quote{multiline(double), {`'`, `'`, 0, true, false}}
	case python:
		l.comments, l.quotes = []string{"#"},
			[]quote{{`"""`, `"""`, '\\', true, false}, {`'''`, `'''`, '\\', true, false}, double, single}
	case lua:
		l.comments, l.blocks, l.quotes = []string{"--"}, []block{{"--[[", "]]"}},
			[]quote{double, single, {"[[", "]]", 0, true, false}}
	case sql:
		l.comments, l.blocks, l.quotes, l.foldsCase = []string{"--"}, slash,
			[]quote{{`'`, `'`, 0, true, false}, double},
			true
	case haskell:
		l.comments, l.blocks, l.nestedBlocks, l.quotes = []string{"--"}, []block{{"{-", "-}"}, {"(*", "*)"}}, true,
			[]quote{double, char}
	case lisp:
		l.comments, l.quotes, l.wordBytes = []string{";"}, []quote{multiline(double)}, "-*?!"
	case config:
		l.comments, l.quotes, l.wordBytes = []string{"#"},
			[]quote{{`"""`, `"""`, '\\', true, false}, {`'''`, `'''`, 0, true, false}, double,
				{`'`, `'`, 0, false, true}}, "-"
		if r.name == "INI" {
			l.comments = []string{"#", ";"}
		}
	case json:
		l.comments, l.blocks, l.quotes = []string{"//"}, slash, []quote{double}
	case css:
		l.blocks, l.quotes, l.wordBytes = slash, []quote{double, single}, "-@"
		if r.name == "SCSS" {
			l.comments = []string{"//"}
		}
	case xml:
		l.blocks, l.quotes, l.markup, l.wordBytes = []block{{"<!--", "-->"}},
			[]quote{{`"`, `"`, 0, true, false}, {`'`, `'`, 0, true, false}}, true, "-:"
	}
	for _, c := range l.comments {
		l.firstBytes[c[0]] = true
	}
	for _, b := range l.blocks {
		l.firstBytes[b.open[0]] = true
	}
	for _, q := range l.quotes {
		l.firstBytes[q.open[0]] = true
	}
	return l
}

// languageTable lists the known languages.
var languageTable = []languageRow{
	{"Go", "go", cRaw,
		"break case chan const continue default defer else fallthrough for func go goto if import interface map " +
			"package range return select struct switch type var nil true false iota"},
	{"C", "c h", cLike,
		"auto break case char const continue default do double else enum extern float for goto if inline int long " +
			"register restrict return short signed sizeof static struct switch typedef union unsigned void volatile " +
			"while bool true false NULL"},
	{"C++", "cc cpp cxx hh hpp hxx m mm cu ino", cLike,
		"alignas auto bool break case catch char class const constexpr continue decltype default delete do double " +
			"else enum explicit export extern false float for friend goto if inline int long mutable namespace new " +
			"noexcept nullptr operator private protected public return short signed sizeof static static_cast struct " +
			"switch template this throw true try typedef typename union unsigned using virtual void volatile while"},
	{"C#", "cs", cLike,
		"abstract as async await base bool break byte case catch char class const continue decimal default delegate " +
			"do double else enum event false finally float for foreach get if in int interface internal is lock long " +
			"namespace new null object out override params private protected public readonly record ref return " +
			"sealed set short static string struct switch this throw true try typeof using var virtual void " +
			"while yield"},
	{"Java", "java groovy gradle", cLike,
		"abstract assert boolean break byte case catch char class const continue default do double else enum extends " +
			"final finally float for if implements import instanceof int interface long native new null package " +
			"private protected public record return short static super switch synchronized this throw throws " +
			"transient true false try var void volatile while def"},
	{"Kotlin", "kt kts", cLike,
		"as break by class companion continue data do else false for fun if import in interface internal is null " +
			"object open override package private protected public return sealed super suspend this throw true try " +
			"typealias val var when while"},
	{"Scala", "scala sbt", cLike,
		"abstract case catch class def do else enum extends false final finally for given if implicit import lazy " +
			"match new null object override package private protected return sealed super then this throw trait true " +
			"try type using val var while with yield"},
	{"Swift", "swift", cLike,
		"actor as async await break case catch class continue default defer do else enum extension false fileprivate " +
			"for func guard if import in init inout internal is let nil open override private protocol public return " +
			"self static struct super switch throw throws true try typealias var where while"},
	{"Dart", "dart", cLike,
		"abstract as assert async await break case catch class const continue default do dynamic else enum export " +
			"extends extension factory false final finally for get if implements import in is late library mixin new " +
			"null on part required return set static super switch this throw true try typedef var void while " +
			"with yield"},
	{"JavaScript", "js jsx mjs cjs", cRaw,
		"async await break case catch class const continue debugger default delete do else export extends false " +
			"finally for from function get if import in instanceof let new null of return set static super switch " +
			"this throw true try typeof undefined var void while with yield"},
	{"TypeScript", "ts tsx mts cts", cRaw,
		"abstract any as async await boolean break case catch class const continue declare default delete do else " +
			"enum export extends false finally for from function get if implements import in infer instanceof " +
			"interface is keyof let namespace never new null number of private protected public readonly return set " +
			"static string super switch this throw true try type typeof undefined unknown var void while yield"},
	{"Rust", "rs", cChar,
		"as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod " +
			"move mut pub ref return self Self static struct super trait true type union unsafe use where while"},
	{"Zig", "zig zon", cChar,
		"align and anytype break catch comptime const continue defer else enum errdefer error export extern fn for " +
			"if inline null or orelse packed pub return struct switch test true false try undefined union " +
			"unreachable usingnamespace var volatile while"},
	{"PHP", "php", cLike,
		"abstract and array as break case catch class clone const continue declare default do echo else elseif empty " +
			"extends false final finally fn for foreach function global if implements include instanceof interface " +
			"isset match namespace new null or private protected public readonly require return static switch this " +
			"throw trait true try unset use var while yield"},
	{"Protobuf", "proto", cLike,
		"bool bytes double enum extend float import int32 int64 map message oneof option optional package repeated " +
			"required reserved returns rpc service string stream syntax uint32 uint64 true false"},
	{"Python", "py pyi pyw bzl star =build =sconstruct", python,
		"and as assert async await break case class continue def del elif else except False finally for from global " +
			"if import in is lambda match None nonlocal not or pass raise return self True try while with yield"},
	{"Ruby", "rb rake gemspec =gemfile =rakefile", python,
		"alias and begin break case class def defined do else elsif end ensure false for if in module next nil not " +
			"or redo require rescue retry return self super then true undef unless until when while yield"},
	{"Perl", "pl pm t", hash,
		"and cmp continue do else elsif eq foreach for ge gt if last le local lt my ne next no not or our package " +
			"redo require return sub undef unless until use while xor"},
	{"R", "r", python, "break else FALSE for function if in Inf NA NaN next NULL repeat return TRUE while"},
	{"Julia", "jl", python,
		"abstract baremodule begin break catch const continue do else elseif end export false finally for function " +
			"global if import in let local macro module mutable nothing primitive quote return struct true try using " +
			"where while"},
	{"Elixir", "ex exs", python,
		"after alias and case catch cond def defmacro defmodule defp defstruct do else end false fn for if import in " +
			"nil not or quote raise receive require rescue true try unless unquote use when with"},
	{"Shell", "sh bash zsh ksh fish =.bashrc =.profile =.zshrc =pkgbuild", hash,
		"case do done elif else esac export fi for function if in local read readonly return select set shift source " +
			"then trap unset until while"},
	{"Makefile", "mk =makefile =gnumakefile", config,
		"define else endef endif export ifdef ifeq ifndef ifneq include override"},
	{"Dockerfile", "dockerfile =dockerfile =containerfile", config,
		"ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL ONBUILD RUN SHELL STOPSIGNAL USER " +
			"VOLUME WORKDIR"},
	{"Lua", "lua", lua,
		"and break do else elseif end false for function goto if in local nil not or repeat return then true " +
			"until while"},
	{"SQL", "sql", sql,
		"add all alter and as asc begin between by case check column commit constraint create cross default delete " +
			"desc distinct drop else end exists foreign from full group having if in index inner insert into is join " +
			"key left like limit not null offset on or order outer primary references returning right rollback " +
			"select set table then trigger union unique update using values view when where with"},
	{"Haskell", "hs elm purs", haskell,
		"case class data deriving do else family forall foreign if import in infix infixl infixr instance let module " +
			"newtype of then type where"},
	{"OCaml", "ml mli fs fsi", haskell,
		"and as assert begin class constraint do done else end exception external for fun function functor if in " +
			"include inherit initializer lazy let match method module mutable new object of open or private rec sig " +
			"struct then to true false try type val virtual when while with"},
	{"Lisp", "lisp el clj cljs cljc edn scm rkt", lisp,
		"and cond def defmacro defn defun defvar do fn if in-ns lambda let let* letrec loop nil ns or progn quote " +
			"recur require set! setq true false unless use when"},
	{"YAML", "yaml yml", config, "true false null yes no on off"},
	{"TOML", "toml =cargo.lock =poetry.lock", config, "true false inf nan"},
	{"INI", "ini cfg conf properties editorconfig gitconfig =.editorconfig =.gitconfig", config,
		"true false yes no on off"},
	{"HCL", "tf tfvars hcl nomad", config,
		"data dynamic false for for_each if in locals module null output provider resource terraform true variable"},
	{"Nix", "nix", hash, "assert else false if in inherit let null or rec then true with"},
	{"JSON", "json json5 jsonc jsonl geojson webmanifest", json, "true false null"},
	{"CSS", "css", css,
		"@media @import @font-face @keyframes @supports @layer @container important inherit initial unset none auto"},
	{"SCSS", "scss less sass", css,
		"@media @import @use @forward @mixin @include @extend @function @return @if @else @for @each @while " +
			"@keyframes important inherit initial unset none auto"},
	{"XML", "xml html htm xhtml svg xsl xsd plist vue svelte csproj", xml, ""},
}
