package program

// searchTables returns the tables of programs that search text and files. Their first operand may
// be a pattern, which is data even if it looks like an option.
func searchTables() map[string]string {
	return map[string]string{
		"grep": `-E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -e:,--regexp: -f:,--file:
		-i,--ignore-case --no-ignore-case -w,--word-regexp
		-x,--line-regexp -z,--null-data -s,--no-messages -v,--invert-match -V,--version --help -m:,--max-count:
		-b,--byte-offset -n,--line-number --line-buffered
		-H,--with-filename -h,--no-filename --label: -o,--only-matching -q,--quiet,--silent --binary-files: -a,--text
		-I -d:,--directories: -D:,--devices:
		-r,--recursive -R,--dereference-recursive --include: --exclude: ~--exclude-from: --exclude-dir:
		-L,--files-without-match -l,--files-with-matches
		-c,--count -T,--initial-tab -Z,--null -B:,--before-context: -A:,--after-context: -C:,--context:
		--color?,--colour? -U,--binary -y number -- [any]`,
		"egrep": "= grep", "fgrep": "= grep",
		"rg": `-A:,--after-context: -B:,--before-context: -C:,--context: --auto-hybrid-regex --no-auto-hybrid-regex
		--binary --block-buffered -b,--byte-offset
		-s,--case-sensitive --color: --colors: --column --context-separator: -c,--count --count-matches --crlf --debug
		--dfa-size-limit: -E:,--encoding:
		--engine: --field-context-separator: --field-match-separator: -f:,--file: --files -l,--files-with-matches
		--files-without-match -F,--fixed-strings
		-L,--follow -g:,--glob: --glob-case-insensitive --heading -h,--help -. --hidden --iglob: -i,--ignore-case
		--include-zero -v,--invert-match --json
		--line-buffered -n,--line-number -x,--line-regexp -M:,--max-columns: --max-columns-preview -m:,--max-count:
		-d:,--max-depth: --max-filesize: --mmap
		-U,--multiline --multiline-dotall --no-config --no-filename -I --no-heading --no-hidden --no-ignore
		--no-ignore-dot --no-ignore-exclude --no-ignore-files
		--no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs -N,--no-line-number --no-messages
		--no-mmap --no-unicode -0,--null --null-data
		--one-file-system -o,--only-matching --passthru --path-separator: -P,--pcre2 --pcre2-version -p,--pretty
		-q,--quiet --regex-size-limit: -e:,--regexp:
		-r:,--replace: -S,--smart-case --sort: --sortr: --stats --stop-on-nonmatch -a,--text -j:,--threads: --trace
		--trim -t:,--type: -T:,--type-not:
		--type-add: --type-clear: --type-list -u,--unrestricted -V,--version --vimgrep -H,--with-filename
		-w,--word-regexp ~--ignore-file:
		~-z,--search-zip !--pre: ~--pre-glob: !--hostname-bin: ~--hyperlink-format: -- [any]`,
		"fd": `-H,--hidden --no-hidden -I,--no-ignore --no-ignore-vcs --no-ignore-parent -u,--unrestricted
		-s,--case-sensitive -i,--ignore-case -g,--glob --regex
		-F,--fixed-strings --and: -a,--absolute-path --relative-path -l,--list-details -L,--follow -p,--full-path
		-0,--print0 -d:,--max-depth: --min-depth:
		--exact-depth: -E:,--exclude: --prune -t:,--type: -e:,--extension: -S:,--size: --changed-within:
		--changed-before: -o:,--owner: --format: -c:,--color:
		-j:,--threads: --max-results: -1 -q,--quiet --show-errors --path-separator: --one-file-system
		--strip-cwd-prefix? -h,--help -V,--version !-x>,--exec>
		!-X>,--exec-batch> ~--batch-size: ~--ignore-file: ~-C:,--base-directory: ~--search-path: -- [any]`,
		"fdfind": "= fd",
		"find": `words -H -L -P -O0 -O1 -O2 -O3 -amin: -anewer: -atime: -cmin: -cnewer: -ctime: -empty -executable
			-false
		-fstype: -gid: -group: -ilname: -iname: -inum:
		-ipath: -iregex: -iwholename: -links: -lname: -mmin: -mtime: -name: -newer: -nogroup -nouser -path: -perm:
		-readable -regex: -samefile: -size: -true
		-type: -uid: -used: -user: -wholename: -writable -xtype: -a -and -o -or -not -daystart -depth -d -follow
		-ignore_readdir_race -noignore_readdir_race
		-maxdepth: -mindepth: -mount -xdev -noleaf -regextype: -warn -nowarn -ls -print -print0 -printf: -prune -quit
		-newermt: -newerat: -newerct: -help
		-version !-exec> !-execdir> !-ok> !-okdir> !-delete !-fprint: !-fprint0: !-fprintf:: !-fls: ~-files0-from:
		~-D: [any]`,
		"ag": `!--pager: -i,--ignore-case -l,--files-with-matches -n,--norecurse -v,--invert-match -w,--word-regexp
		-Q,--literal -c,--count -- [any]`,
		"ack": `!--pager: ~--ackrc: -i,--ignore-case -l,--files-with-matches -v,--invert-match -w,--word-regexp
		-Q,--literal -c,--count -- [any]`,
		"jq": `-c,--compact-output -n,--null-input -e,--exit-status -s,--slurp -R,--raw-input -r,--raw-output
		--raw-output0 -j,--join-output -a,--ascii-output
		-C,--color-output -M,--monochrome-output --tab --indent: --unbuffered --stream --stream-errors --seq
		-S,--sort-keys --arg:: --argjson:: ~--slurpfile::
		~--rawfile:: ~-f,--from-file ~-L: ~--args ~--jsonargs -h,--help -V,--version [any]`,
		"locate": `-c,--count -i,--ignore-case -l:,--limit: -b,--basename -e,--existing [any]`,
		"wdiff":  `-1,--no-deleted -2,--no-inserted -3,--no-common -s,--statistics`,
		"cloc":   `!--extract-with: !--diff-list-file: ~--config:`, "scc": `-f:,--format: ~-o:,--output:`,
		"tokei": `-f,--files`,
		"bat": `-n,--number -p,--plain -A,--show-all -l:,--language: -r:,--line-range: --style: --color: --theme:
		!--pager: ~--paging: -- [any]`, "batcat": "= bat",
	}
}
