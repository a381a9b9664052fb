# Made by: agentshell completion bash

_agentshell_files() {
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "$1" -- "$cur"))
}

_agentshell() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} place= more= at=$COMP_CWORD
    COMPREPLY=()
    # --flag=value comes as three words.
    if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
    if (( at > 1 )); then
        case ${COMP_WORDS[1]} in {{known}}) place=${COMP_WORDS[1]} ;; esac
    fi
    if (( at > 2 )); then
        case "$place ${COMP_WORDS[2]}" in {{known}}) place+=" ${COMP_WORDS[2]}" ;; esac
    fi
    case $place:$prev in
{{values}}    esac
    if [[ -z $more ]]; then
        case $place in
{{next}}        esac
    fi
    COMPREPLY=($(compgen -W "$more" -- "$cur"))
}

complete -F _agentshell agentshell
