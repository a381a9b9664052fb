package program

// shellTables returns the tables of shell builtins, those of bash and of other shells that resemble
// it. A builtin that takes the name of a variable can evaluate code in it, such as a[$(...)], even
// if every word is literal. One that changes how later commands are read can hide them. Both count
// as taking code.
func shellTables() map[string]string {
	return map[string]string{
		":": "data", "true": "data", "false": "data", "echo": "data",
		"[": "data [condition]", "test": "data [condition]", "printf": "!-v: -- [output]",
		"type": "-a -f -p -P -t -- [any]", "help": "-d -s -m -- [any]", "times": "", "umask": "-S -p",
		"ulimit": "-a -H -S [none]", "dirs": "-c -l -p -v", "caller": "",
		"kill": "-l -L -s: -n: number -- [any]", "jobs": "-l -n -p -r -s !-x>", "wait": "!-p: ~-n ~-f", "bg": "",
		"fg": "", "disown": "-a -h -r", "exit": "", "logout": "", "return": "", "break": "", "continue": "",
		"shift":   "",
		"suspend": "-f",
		".":       "code", "source": "code", "alias": "code", "bind": "code", "builtin": "code", "cd": "alters",
		"command": "code -v> -V>", "command -v": "[any]", "command -V": "[any]", "compgen": "code", "complete": "code",
		"compopt": "alters", "declare": "alters",
		"enable": "alters", "eval": "code", "exec": "code",
		"export": "alters", "fc": "code", "getopts": "alters", "hash": "alters", "history": "alters", "let": "alters",
		"local": "alters", "mapfile": "code", "popd": "alters", "pushd": "alters", "read": "alters",
		"readarray": "code",
		"readonly":  "alters", "set": "alters",
		"shopt": "alters", "trap": "code", "typeset": "alters", "unalias": "alters", "unset": "alters",
		"coproc": "code",
		"chdir":  "alters", "print": "alters", "noglob": "alters", "nocorrect": "alters", "autoload": "alters",
		"zmodload": "alters", "emulate": "alters", "function": "code",
	}
}
