# Completion of jackdaw for fish. The program itself says what it takes; all else is files.

function __jackdaw_commands
    jackdaw --help | sed -n '/^COMMANDS:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
end

function __jackdaw_options
    set -l words (commandline -opc)
    jackdaw help $words[2] 2>/dev/null | sed -n 's/^  \(--[a-z-]*\) .*/\1/p'
end

complete -c jackdaw -n __fish_use_subcommand -f -a '(__jackdaw_commands)'
complete -c jackdaw -n __fish_use_subcommand -l version -d 'Show the version'
complete -c jackdaw -n '__fish_seen_subcommand_from help' -f -a '(__jackdaw_commands)'
complete -c jackdaw -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__jackdaw_options)'
complete -c jackdaw -l help -s h -d 'Show help'
