package program

// archiveTables returns the tables of programs that list archives and compress files. Extracting an
// archive writes files, so only a rule that names the option allows it.
func archiveTables() map[string]string {
	return map[string]string{
		"tar": `bundle -t,--list -v,--verbose -z,--gzip,--gunzip,--ungzip -j,--bzip2 -J,--xz --zstd --lzma
		-f:file,--file:file -O,--to-stdout --exclude: --strip-components: --wildcards
		--no-wildcards -p,--preserve-permissions --numeric-owner --full-time -R,--block-number --totals?
		--show-stored-names --help --version --usage -a,--auto-compress
		~-x,--extract,--get ~-c,--create ~-r,--append ~-u,--update ~-A,--catenate,--concatenate ~-d,--diff,--compare
		~--delete ~--test-label ~-C:,--directory: ~-P,--absolute-names
		~-T:,--files-from: ~-X:,--exclude-from: ~-k,--keep-old-files ~--overwrite ~-m,--touch ~-h,--dereference
		~-b:,--blocking-factor: ~-g:,--listed-incremental: ~-K:,--starting-file:
		~-N:,--newer: ~-V:,--label: ~-H:,--format: ~--force-local ~--one-file-system ~--remove-files ~-W,--verify
		~-w,--interactive ~-M,--multi-volume ~-L:,--tape-length:
		~--index-file: ~--volno-file: ~--backup? ~--suffix: ~--transform: ~--xform: ~-Z,--compress
		~-s,--preserve-order ~-S,--sparse ~-i ~-B ~-U ~-l ~-o ~-G ~-n
		!-I:,--use-compress-program: !--to-command: !--checkpoint-action: ~--checkpoint?
		!-F:,--info-script:,--new-volume-script: !--rsh-command: !--rmt-command: -- [any]`,
		"gtar": "= tar", "bsdtar": `bundle -t,--list -v -z -j -J -f:file,--file:file ~-x ~-c ~-C:
			!--use-compress-program:
		!--to-command: [any]`,
		"cpio": `-t,--list -v,--verbose ~-i,--extract ~-o,--create ~-p,--pass-through !--rsh-command: !--to-command:
		!-F:,--file: !-I: !-O:`,
		"zip": `-r -q -v -9 -1 -0 -j -u -x: -i: ~-m ~-O: ~-b: ~-@ !-T,--test
		!-TT:,--unzip-command:`, "zipinfo": `-1 -l -s -m -v -h -t [any]`,
		"unzip": `-l -t -v -z -p -c -q -C ~-d: ~-o ~-n ~-x: [any]`,
		"gzip": `-c,--stdout -d,--decompress -f,--force -k,--keep -l,--list -n,--no-name -q,--quiet -r,--recursive
		-t,--test
		-v,--verbose -1,--fast -9,--best -2 -3 -4 -5 -6 -7 -8 --help -V,--version ~-S:,--suffix: --`,
		"gunzip": "= gzip", "zcat": "= gzip",
		"bzip2": `-c,--stdout -d,--decompress -f,--force -k,--keep -q,--quiet -t,--test -v,--verbose -1,--fast -9,--best
		-s,--small --help -V,--version --`, "bunzip2": "= bzip2", "bzcat": "= bzip2",
		"xz": `-c,--stdout -d,--decompress -f,--force -k,--keep -l,--list -q,--quiet -t,--test -v,--verbose -0 -1 -6 -9
		-e,--extreme -T:,--threads: -H -h,--help -V,--version ~--files? ~-S:,--suffix: --`,
		"unxz": "= xz", "xzcat": "= xz", "zstd": `-c,--stdout -d,--decompress -k,--keep -l,--list -q,--quiet -t,--test
		-v,--verbose -19 -h -V,--version !-o: ~--output-dir-flat: ~--output-dir-mirror: ~--filelist: ~--patch-from:
		~-D: --`,
	}
}
