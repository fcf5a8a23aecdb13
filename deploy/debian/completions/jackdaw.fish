# Completion of jackdaw for fish. The program itself says what it takes; all else is files.

function __jackdaw_commands
    jackdaw --help | sed -n '/^COMMANDS:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
end

# The lines of a section of a command's help.
function __jackdaw_help
    jackdaw help $argv[1] 2>/dev/null | sed -n "/^$argv[2]:/,/^\$/s/^  //p"
end

function __jackdaw_options
    set -l words (commandline -opc)
    __jackdaw_help $words[2] OPTIONS | sed -n 's/^\(--[a-z-]*\).*/\1/p'
end

function __jackdaw_boards
    set -l words (commandline -opc)
    echo auto
    __jackdaw_help $words[2] BOARDS | tr -d ' ' | tr , '\n' | sed '/^$/d'
end

function __jackdaw_console
    echo watch
    __jackdaw_help ctl 'CONSOLE COMMANDS' | sed -n 's/^\([a-z]\{1,\}\).*/\1/p' | sort -u
end

function __jackdaw_follows
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[-1] = $argv[1]
end

complete -c jackdaw -n __fish_use_subcommand -f -a '(__jackdaw_commands)'
complete -c jackdaw -n __fish_use_subcommand -l version -d 'Show the version'
complete -c jackdaw -n '__fish_seen_subcommand_from help' -f -a '(__jackdaw_commands)'
complete -c jackdaw -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__jackdaw_options)'
complete -c jackdaw -n '__jackdaw_follows --board' -a '(__jackdaw_boards)'
complete -c jackdaw -n '__jackdaw_follows ctl' -f -a '(__jackdaw_console)'
complete -c jackdaw -l help -s h -d 'Show help'
