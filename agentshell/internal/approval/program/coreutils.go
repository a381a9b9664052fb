package program

const (
	digestOptions = `-b,--binary -t,--text --tag -z,--zero -c,--check --ignore-missing --quiet --status --strict
		-w,--warn --help --version --`
	// binutils holds the options of the binary utilities. Some can load a library.
	binutils     = `@file --help --version !--plugin: !--target-plugin:`
	whichOptions = `-a,--all --help --version --`
)

// coreTables returns the tables of programs that every system has. Programs whose purpose is
// writing (cp, mv, tee) may be allowed by a rule. An option with which a reading program writes,
// such as sort -o, is dangerous.
func coreTables() map[string]string {
	return map[string]string{
		"ls": `-a,--all -A,--almost-all --author -b,--escape --block-size: -B,--ignore-backups -c -C --color?
		-d,--directory -f -F?,--classify? --file-type
		--format: --full-time -g --group-directories-first -G,--no-group -h,--human-readable --si -H --hyperlink?
		--indicator-style: -i,--inode -I:,--ignore:
		-k,--kibibytes -l -L,--dereference -m -n,--numeric-uid-gid -N,--literal -o -p -q,--hide-control-chars
		--show-control-chars -Q,--quote-name
		--quoting-style: -r,--reverse -R,--recursive -s,--size -S --sort: --time: --time-style: -t -T:,--tabsize: -u
		-U -v -w:,--width: -x -X -Z,--context
		--zero -1 --hide: --help --version -- [any]`,
		"dir": "= ls", "vdir": "= ls",
		"cat": `-A,--show-all -b,--number-nonblank -e -E,--show-ends -n,--number -s,--squeeze-blank -t -T,--show-tabs -u
		-v,--show-nonprinting --help --version -- [any]`,
		"tac": `-b,--before -r,--regex -s:,--separator: --help --version --`,
		"nl": `-b:,--body-numbering: -n:,--number-format: -w:,--number-width: -s:,--number-separator: -v: -i: --help
		--version --`,
		"head": `-c:,--bytes: -n:,--lines: -q,--quiet,--silent -v,--verbose -z,--zero-terminated number --help --version
		-- [any]`,
		"tail": `-c:,--bytes: -f -F --follow? -n:,--lines: --max-unchanged-stats: --pid: -q,--quiet,--silent --retry
		-s:,--sleep-interval: -v,--verbose
		-z,--zero-terminated number --help --version -- [any]`,
		"wc": `-c,--bytes -m,--chars -l,--lines -L,--max-line-length -w,--words --total: ~--files0-from: --help
			--version
		-- [any]`,
		"cut": `-b:,--bytes: -c:,--characters: -d:,--delimiter: -f:,--fields: -n --complement -s,--only-delimited
		--output-delimiter: -z,--zero-terminated --help --version -- [any]`,
		"tr": `-c,-C,--complement -d,--delete -s,--squeeze-repeats -t,--truncate-set1 --help --version -- [any]`,
		"sort": `-b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort
		-i,--ignore-nonprinting -M,--month-sort
		-h,--human-numeric-sort -n,--numeric-sort -R,--random-sort -r,--reverse --sort: -V,--version-sort
		--batch-size: -c --check? -C --debug -k:,--key:
		-m,--merge -s,--stable -S:,--buffer-size: -t:,--field-separator: --parallel: -u,--unique -z,--zero-terminated
		--help --version -- !-o:,--output:
		!--compress-program: ~-T:,--temporary-directory: ~--files0-from: ~--random-source:`,
		"uniq": `-c,--count -d,--repeated -D --all-repeated? -f:,--skip-fields: --group? -i,--ignore-case
		-s:,--skip-chars: -u,--unique -z,--zero-terminated
		-w:,--check-chars: number --help --version -- [input]`,
		"comm": `-1 -2 -3 --check-order --nocheck-order --output-delimiter: --total -z,--zero-terminated --help
			--version
		--`,
		"join": `-a: -e: -i,--ignore-case -j: -o: -t: -v: -1: -2: --check-order --nocheck-order --header -z --help
		--version --`,
		"paste": `-d:,--delimiters: -s,--serial -z,--zero-terminated --help --version --`,
		"fold":  `-b,--bytes -s,--spaces -w:,--width: number --help --version --`,
		"fmt": `-c,--crown-margin -p:,--prefix: -s,--split-only -t,--tagged-paragraph -u,--uniform-spacing -w:,--width:
		-g:,--goal: number --help --version --`,
		"expand":   `-i,--initial -t:,--tabs: --help --version --`,
		"unexpand": `-a,--all --first-only -t:,--tabs: --help --version --`,
		"column": `-t,--table -s:,--separator: -o:,--output-separator: -c:,--output-width: -x,--fillrows -n: -J,--json
		--`, "rev": `--`,
		"od": `-A:,--address-radix: -j:,--skip-bytes: -N:,--read-bytes: -t:,--format: -v,--output-duplicates
		-w?,--width? -a -b -c -d -f -i -l -o -s -x --help --version --`,
		"hexdump": `-b -c -C,--canonical -d -n:,--length: -o -s:,--skip: -v -x --`,
		"strings": `@file -a,--all -f -n:,--bytes: -t:,--radix: -e: number --help --version --`,
		"nm":      binutils, "ar": `bundle -t -v ~-x ~-r !--plugin:`, "objdump": binutils, "size": binutils,
		"xxd":    `words -a -b -c: -g: -l: -s: -p,-ps -u -i ~-r [input]`,
		"base64": `-d,--decode -i,--ignore-garbage -w:,--wrap: --help --version --`, "base32": "= base64",
		"md5sum": digestOptions, "sha1sum": digestOptions, "sha224sum": digestOptions, "sha256sum": digestOptions,
		"sha384sum": digestOptions,
		"sha512sum": digestOptions, "b2sum": digestOptions + " -l:,--length:",
		"cksum": `-a:,--algorithm: --debug --untagged --raw --base64 --help --version --`,
		"sum":   `-r -s,--sysv --help --version --`,
		"diff": `--normal -q,--brief -s,--report-identical-files -c -C: --context? -u -U: --unified? -e,--ed -n,--rcs
		-y,--side-by-side -W:,--width: --left-column
		--suppress-common-lines -p,--show-c-function -F:,--show-function-line: --label: -t,--expand-tabs
		-T,--initial-tab --tabsize: --suppress-blank-empty
		-r,--recursive --no-dereference -N,--new-file --unidirectional-new-file --ignore-file-name-case
		--no-ignore-file-name-case -x:,--exclude:
		-S:,--starting-file: -i,--ignore-case -E,--ignore-tab-expansion -Z,--ignore-trailing-space
		-b,--ignore-space-change -w,--ignore-all-space
		-B,--ignore-blank-lines -I:,--ignore-matching-lines: -a,--text --strip-trailing-cr -D:,--ifdef: -d,--minimal
		--horizon-lines: --speed-large-files
		--color? --palette: number ~-l,--paginate ~-X:,--exclude-from: ~--from-file: ~--to-file: -v,--version --help
		-- [any]`,
		"cmp": `-b,--print-bytes -i:,--ignore-initial: -l,--verbose -n:,--bytes: -s,--quiet,--silent -v,--version --help
		--`,
		"stat": `-L,--dereference -f,--file-system --cached: -c:,--format: --printf: -t,--terse --help --version --
		[any]`,
		"file": `-b,--brief -i,--mime --mime-type --mime-encoding --extension -h,--no-dereference -k,--keep-going
		-L,--dereference -N,--no-pad -r,--raw -0,--print0
		-p,--preserve-date -e:,--exclude: -F:,--separator: -v,--version --help -- ~-z,--uncompress ~-Z
		~-m:,--magic-file: ~-f:,--files-from: !-C,--compile [any]`,
		"du": `-0,--null -a,--all --apparent-size -B:,--block-size: -b,--bytes -c,--total -D,--dereference-args
		-d:,--max-depth: -H -h,--human-readable --inodes -k
		-L,--dereference -l,--count-links -m -P,--no-dereference -S,--separate-dirs --si -s,--summarize
		-t:,--threshold: --time? --time-style: --exclude:
		-x,--one-file-system ~-X:,--exclude-from: ~--files0-from: --help --version -- [any]`,
		"df": `-a,--all -B:,--block-size: -h,--human-readable -H,--si -i,--inodes -k -l,--local --no-sync --output?
		-P,--portability -t:,--type: -T,--print-type
		-x:,--exclude-type: --total --help --version -- [any]`,
		"tree": `apart -a -d -l -f -x -L: -P: -I: --ignore-case --matchdirs --metafirst --prune --info --noreport
			--charset:
		--filelimit: -q -N -Q -p -u -g -s -h --si -D
		--timefmt: -F --inodes --device -v -t -c -U -r --dirsfirst --filesfirst --sort: -i -A -S -n -C -X -J
		--gitignore --help --version ~--gitfile: ~--infofile:
		~--fromfile ~--fromtabfile ~-R ~-H: ~-T: ~--nolinks ~--hintro: ~--houtro: !-o: -- [any]`,
		"pwd":      `-L,--logical -P,--physical --help --version`,
		"basename": `-a,--multiple -s:,--suffix: -z,--zero --help --version -- [any]`,
		"dirname":  `-z,--zero --help --version -- [any]`, "readlink": `-f,--canonicalize -e,--canonicalize-existing
		-m,--canonicalize-missing -n,--no-newline -q,--quiet -s,--silent -v -z,--zero --help --version --`,
		"realpath": `-e,--canonicalize-existing -m,--canonicalize-missing -L,--logical -P,--physical -q,--quiet
		--relative-to: --relative-base: -s,--strip,--no-symlinks -z,--zero --help --version --`,
		"date": `-u,--utc,--universal -d:,--date: -r:,--reference: -R,--rfc-email -I?,--iso-8601? --rfc-3339: --debug
		~-f:,--file: ~-s:,--set: --help --version -- [date]`,
		"cal": `-1 -3 -y -m -s --`, "seq": `-f:,--format: -s:,--separator: -w,--equal-width --help --version`,
		"sleep": `--help --version`, "nproc": `--all --ignore: --help --version`,
		"uname": `-a,--all -s,--kernel-name -n,--nodename -r,--kernel-release -v,--kernel-version -m,--machine -p -i
		-o,--operating-system --help --version`,
		"id":     `-a -g,--group -G,--groups -n,--name -r,--real -u,--user -z,--zero --help --version`,
		"whoami": `--help --version`, "groups": `--help --version`,
		"hostname": `-f,--fqdn -s,--short -i,--ip-address -I,--all-ip-addresses -d,--domain ~-F:,--file: ~-b,--boot
		[none]`, "uptime": `-p,--pretty -s,--since --help --version`,
		"free":     `-b,--bytes -k,--kibi -m,--mebi -g,--gibi -h,--human --si -t,--total -w,--wide --help`,
		"printenv": `-0,--null --help --version [any]`,
		"ps": `-A -a -d -e -f -F -j -l -L -T -N -w -y -o: -p: -C: -u: -U: -t: --pid: --ppid: --sort: --forest
		--no-headers --headers --cols: --width: [any]`,
		"pgrep": `-l,--list-name -a,--list-full -f,--full -n,--newest -o,--oldest -c,--count -x,--exact -i,--ignore-case
		-u:,--euid: -P:,--parent: -d:,--delimiter: --`,
		"which": whichOptions, "whereis": `-b -m -s`, "lsof": `-i? -n -P -p: -t -c: -u: -a`, "lscpu": `-J,--json`,
		"lsblk":  `-a,--all -f,--fs -J,--json -l,--list -o:,--output: -p,--paths`,
		"getent": ``, "locale": `-a,--all-locales`, "tty": `-s,--silent`, "arch": ``, "factor": ``, "expr": `[any]`,
		"numfmt": `--from: --to: --suffix: --padding: --format: --field: -d:,--delimiter: --`,
		"cp": `-a,--archive -b --copy-contents -d -f,--force -i,--interactive -H -l,--link -L,--dereference
		-n,--no-clobber -P,--no-dereference -p --preserve?
		--no-preserve: --parents -R,-r,--recursive --reflink? --sparse: -s,--symbolic-link -u --update? -v,--verbose
		-x,--one-file-system -T,--no-target-directory
		~-t:,--target-directory: ~--backup? ~-S:,--suffix: ~--remove-destination --help --version --`,
		"mv": `-f,--force -i,--interactive -n,--no-clobber -u --update? -v,--verbose -T,--no-target-directory
		--strip-trailing-slashes ~-t:,--target-directory:
		~-b ~--backup? ~-S:,--suffix: --help --version --`,
		"ln": `-s,--symbolic -f,--force -n,--no-dereference -r,--relative -v,--verbose -T,--no-target-directory
		-i,--interactive ~-t:,--target-directory: ~-b ~--backup? ~-S:,--suffix: --help --version --`,
		"mkdir": `-m:,--mode: -p,--parents -v,--verbose --help --version --`,
		"rmdir": `-p,--parents -v,--verbose --ignore-fail-on-non-empty --help --version --`,
		"touch": `-a -c,--no-create -d:,--date: -h,--no-dereference -m -r:,--reference: -t: --time: --help --version
		--`,
		"tee":      `-a,--append -i,--ignore-interrupts -p --output-error? --help --version --`,
		"truncate": `-c,--no-create -o,--io-blocks -r:,--reference: -s:,--size: --help --version --`,
		"mktemp":   `-d,--directory -u,--dry-run -q,--quiet ~-p?,--tmpdir? ~--suffix: --help --version --`,
		"rm": `-f,--force -i -I --interactive? --one-file-system -d,--dir -v,--verbose --preserve-root?
			~-r,-R,--recursive
		~--no-preserve-root --help --version --`, "unlink": `--help --version --`,
		"chmod": `-c,--changes -f,--silent,--quiet -v,--verbose ~-R,--recursive ~--reference: plus --help --version --`,
		"chown": `-c,--changes -f,--silent,--quiet -v,--verbose -h,--no-dereference ~-R,--recursive ~--reference: --help
		--version --`, "chgrp": "= chown",
		"shred": `-n:,--iterations: -v,--verbose -z,--zero -u -f,--force --`, "sync": `-d,--data -f,--file-system --`,
		"split": `-a:,--suffix-length: --additional-suffix: -b:,--bytes: -C:,--line-bytes: -d -x --numeric-suffixes?
		--hex-suffixes? -e,--elide-empty-files -l:,--lines: -n:,--number:
		-t:,--separator: -u,--unbuffered --verbose !--filter: --help --version --`,
		"csplit": `-b:,--suffix-format: -f:,--prefix: -k,--keep-files -n:,--digits: -s,--quiet,--silent
		-z,--elide-empty-files --help --version --`,
		"shuf": `-e,--echo -i:,--input-range: -n:,--head-count: -r,--repeat -z,--zero-terminated !-o:,--output:
		~--random-source: --help --version --`,
		"install": `-d,--directory -m:,--mode: -p,--preserve-timestamps -v,--verbose -C,--compare -D
		-T,--no-target-directory !-s,--strip !--strip-program: ~-t:,--target-directory:
		~-g:,--group: ~-o:,--owner: ~-b ~--backup? ~-S:,--suffix: --help --version --`,
		"patch": `-p:,--strip: -R,--reverse --dry-run -N,--forward -s,--silent --verbose -E !-e,--ed ~-o:,--output:
		~-d:,--directory: ~-i:,--input: ~-r:,--reject-file: -- [none]`,
		"less": `-N -S -R -F -X -i -n --help --version !-o: !-O: !-k: ~-t: !--lesskey-file: !--lesskey-src:
		!--lesskey-content: !--log-file: !--LOG-FILE: [pager]`, "more": `-d -f -s [pager]`, "most": `[pager]`,
		"pr": `number --`, "look": `-d -f`, "tsort": `--`, "logname": ``, "users": ``, "who": `-a -b -q
			-u`, "ptx": `--`,
	}
}
