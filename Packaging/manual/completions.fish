function __sleep-inducer_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __sleep-inducer_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __sleep-inducer_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __sleep-inducer_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __sleep-inducer_parse_tokens -S
    set -l unparsed_tokens (__sleep-inducer_tokens -pc)
    switch $unparsed_tokens[1]
    case 'sleep-inducer'
        __sleep-inducer_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'serve'
            __sleep-inducer_parse_subcommand 0 'data=' 'bind=+' 'http-port=' 'https-port=' 'dns-port=' 'dot-port=' 'upstream=+' 'local-upstream=+' 'forwarder=+' 'private-answers=+' 'address=' 'gateway=+' 'behind-proxy=+' 'proxy-name=+' 'viewers=' 'name=' 'passcode=' 'time-zone=' 'new-devices=' 'assets=' 'version' 'h/help'
        case 'explain'
            __sleep-inducer_parse_subcommand -r 1 'data=' 'device=' 'at=' 'json' 'version' 'h/help'
        case 'upcoming'
            __sleep-inducer_parse_subcommand 0 'data=' 'bedtime=' 'wake=' 'days=' 'zone=' 'from=' 'count=' 'json' 'version' 'h/help'
        case 'token'
            __sleep-inducer_parse_subcommand 0 'data=' 'name=' 'version' 'h/help'
        case 'passcode'
            __sleep-inducer_parse_subcommand 0 'data=' 'version' 'h/help'
        case 'doctor'
            __sleep-inducer_parse_subcommand 0 'data=' 'gateway=+' 'fix=' 'json' 'version' 'h/help'
        case 'healthy'
            __sleep-inducer_parse_subcommand 0 'data=' 'version' 'h/help'
        case 'backup'
            __sleep-inducer_parse_subcommand 1 'data=' 'version' 'h/help'
        case 'restore'
            __sleep-inducer_parse_subcommand 1 'data=' 'version' 'h/help'
        case 'export'
            __sleep-inducer_parse_subcommand 0 'data=' 'version' 'h/help'
        case 'import'
            __sleep-inducer_parse_subcommand 1 'data=' 'apply' 'adult=+' 'version' 'h/help'
        case 'cluster'
            __sleep-inducer_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'start'
                __sleep-inducer_parse_subcommand 0 'data=' 'name=' 'address=' 'etcd=' 'etcd-ca=' 'etcd-cert=' 'etcd-key=' 'etcd-user=' 'etcd-password-file=' 'version' 'h/help'
            case 'invite'
                __sleep-inducer_parse_subcommand 0 'data=' 'version' 'h/help'
            case 'join'
                __sleep-inducer_parse_subcommand 1 'data=' 'name=' 'address=' 'vote' 'wipe' 'version' 'h/help'
            case 'vote'
                __sleep-inducer_parse_subcommand 0 'data=' 'address=' 'version' 'h/help'
            case 'leave'
                __sleep-inducer_parse_subcommand 0 'data=' 'alone' 'version' 'h/help'
            case 'remove'
                __sleep-inducer_parse_subcommand 1 'data=' 'version' 'h/help'
            case 'lead'
                __sleep-inducer_parse_subcommand 0 'data=' 'version' 'h/help'
            case 'status'
                __sleep-inducer_parse_subcommand 0 'data=' 'json' 'version' 'h/help'
            end
        case 'wipe'
            __sleep-inducer_parse_subcommand 0 'data=' 'yes' 'version' 'h/help'
        case 'help'
            __sleep-inducer_parse_subcommand -r 1 'version'
        end
    end
end

function __sleep-inducer_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __sleep-inducer_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __sleep-inducer_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __sleep-inducer_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__sleep-inducer_tokens -p)
    if test -z "$(__sleep-inducer_tokens -t)"
        set -l index (count (__sleep-inducer_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'sleep-inducer' -f
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'serve' -d 'Answer DNS, show the shield and the pages. This is the default.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'explain' -d 'Say whether names are allowed for a device, and why.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'upcoming' -d 'List the next nights, from the household or from the times given here.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'token' -d 'Print a new bearer token for the API, once.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'passcode' -d 'Set a new passcode. Every browser must log in again.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'doctor' -d 'Check this machine and the household\'s data. The exit code is not 0 if something is wrong.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'healthy' -d 'Say whether the server runs and has all its ports. The exit code is 0 if so.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'backup' -d 'Write everything into one file for restore.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'restore' -d 'Replace the data with a backup. Stop the server first.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'export' -d 'Print everything as JSON, without secrets.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'import' -d 'Show what AdGuardHome.yaml or a Pi-hole archive brings; --apply takes it.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'cluster' -d 'Let several machines be one household, over etcd.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'wipe' -d 'Erase everything that this machine knows about the household.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve"' -l 'bind' -d 'Listen only on this address, and serve its network. Repeat for more. Default: every address on a home network (private or unique local; with --gateway, on its interfaces) and loopback.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" http-port' -l 'http-port' -d 'Port of the pages and the shield. Default: 80, as a trial 8080.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" https-port' -l 'https-port' -d 'Port for HTTPS, or off. Default: 443, as a trial 8443.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" dns-port' -l 'dns-port' -d 'Port for DNS, or off. Default: 53, as a trial 5300.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" dot-port' -l 'dot-port' -d 'Port for DNS over TLS, or off. Default: 853, as a trial 8530.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve"' -l 'upstream' -d 'The upstream DNS server for allowed names. Repeat for more. Also tls://addr[:853][#name] and https://host/dns-query.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve"' -l 'local-upstream' -d 'The DNS server for the names of this home, usually the router.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve"' -l 'forwarder' -d 'A router that forwards the home\'s DNS questions and adds the device to each (dnsmasq\'s add-mac and strip-mac). Repeat for more. Only these routers are trusted.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve"' -l 'private-answers' -d 'A public name that may lead to an address of this home, with all names below it, such as the name of your NAS. Repeat for more. Otherwise enrolled devices get no private address for a public name.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" address' -l 'address' -d 'The address of the shield. Default: the address that was asked.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve"' -l 'gateway' -d 'On a machine that routes the home: its interface to the home. Repeat for more. Enrolled devices then cannot go around this server.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve"' -l 'behind-proxy' -d 'A reverse proxy that is believed when it says which device asks (X-Forwarded-For, X-Forwarded-Proto, Forwarded). An address or a network; several with commas. It can pose as every device: name nobody else.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve"' -l 'proxy-name' -d 'A name under which the reverse proxy serves these pages. Repeat for more. It is never blocked, and looked up like any other.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" viewers' -l 'viewers' -d 'Places for open pages that count down. One device gets a quarter of them, at most 64. Default: a share of the open files, at most 4000.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" name' -l 'name' -d 'This server\'s own name.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" passcode' -l 'passcode' -d 'The passcode, if none is stored. It replaces the one-time code.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" time-zone' -l 'time-zone' -d 'The household\'s time zone, if none is stored.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" new-devices' -l 'new-devices' -d 'The rule for new devices, if none is stored: ignore or me.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" assets' -l 'assets' -d 'Read templates and styles from this source tree, for development.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer serve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer explain" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer explain" device' -l 'device' -d 'The device that asks. Default: the first person\'s rules.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer explain" at' -l 'at' -d 'Answer for this instant instead of now.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer explain" json' -l 'json' -d 'One JSON object per name.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer explain" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer explain" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer upcoming" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer upcoming" bedtime' -l 'bedtime' -d 'Bedtime. With --wake and --zone it replaces the household\'s.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer upcoming" wake' -l 'wake' -d 'When the night ends.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer upcoming" days' -l 'days' -d 'Weekdays of the bedtime. Default: every day.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer upcoming" zone' -l 'zone' -d 'IANA time zone.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer upcoming" from' -l 'from' -d 'From this instant on. Default: now.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer upcoming" count' -l 'count' -d 'How many nights.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer upcoming" json' -l 'json' -d 'As a JSON array.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer upcoming" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer upcoming" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer token" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer token" name' -l 'name' -d 'The name of the program that uses it, for the list on the settings page.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer token" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer token" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer passcode" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer passcode" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer passcode" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer doctor" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer doctor"' -l 'gateway' -d 'Also check if this machine can be a gateway on this interface. Repeat for more.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer doctor" fix' -l 'fix' -d 'Repair: resolved switches off systemd-resolved\'s own DNS server on port 53. It says each step, and how to undo it.' -rfka 'resolved'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer doctor" json' -l 'json' -d 'Print the list as JSON.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer doctor" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer doctor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer healthy" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer healthy" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer healthy" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer backup" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer backup" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer backup" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer restore" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer restore" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer restore" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer export" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer export" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer export" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer import" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer import" apply' -l 'apply' -d 'Take it. Without this flag nothing changes.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer import"' -l 'adult' -d 'A new person who is an adult. Without it, everybody for whom something is blocked is a child.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer import" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer cluster" -eq 1' -fa 'start' -d 'Put this machine\'s household into etcd, and print a code for another machine.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer cluster" -eq 1' -fa 'invite' -d 'Print a code for one new machine. It holds for ten minutes.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer cluster" -eq 1' -fa 'join' -d 'Make this machine one of the household\'s.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer cluster" -eq 1' -fa 'vote' -d 'Let this machine vote in the household\'s own etcd.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer cluster" -eq 1' -fa 'leave' -d 'Make the household this machine\'s own again.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer cluster" -eq 1' -fa 'remove' -d 'Take another machine out of the household. The household gets a new key.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer cluster" -eq 1' -fa 'lead' -d 'Let this machine lead, if the machine with etcd is broken or away for long.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_positional "sleep-inducer cluster" -eq 1' -fa 'status' -d 'Print the household\'s machines.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" name' -l 'name' -d 'What to call this machine. Default: its host name.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" address' -l 'address' -d 'This machine\'s address for its etcd. Default: the one on the router\'s side.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" etcd' -l 'etcd' -d 'The addresses of an etcd that you run, with commas.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" etcd-ca' -l 'etcd-ca' -d 'The authority of etcd\'s certificates, PEM.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" etcd-cert' -l 'etcd-cert' -d 'This household\'s certificate for etcd, PEM.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" etcd-key' -l 'etcd-key' -d 'The certificate\'s key, PEM.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" etcd-user' -l 'etcd-user' -d 'etcd\'s user.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" etcd-password-file' -l 'etcd-password-file' -d 'A file with the user\'s password in its first line.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster start" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster invite" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster invite" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster invite" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster join" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster join" name' -l 'name' -d 'What to call this machine. Default: its host name.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster join" address' -l 'address' -d 'This machine\'s address for its etcd. Default: the one on the router\'s side.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster join" vote' -l 'vote' -d 'Let this machine vote in the household\'s own etcd: for three machines or more.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster join" wipe' -l 'wipe' -d 'Erase a household that is on this machine, without asking. A backup is kept.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster join" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster join" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster vote" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster vote" address' -l 'address' -d 'This machine\'s address for its etcd. Default: the one on the router\'s side.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster vote" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster vote" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster leave" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster leave" alone' -l 'alone' -d 'Do not ask etcd: it is gone, or does not know this machine any more.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster leave" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster leave" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster remove" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster remove" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster lead" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster lead" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster lead" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster status" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster status" json' -l 'json' -d 'Print it as JSON.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster status" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer cluster status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer wipe" data' -l 'data' -d 'The folder with the household\'s data. Default: ./data in a source tree, else /var/lib/sleep-inducer.' -rfka ''
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer wipe" yes' -l 'yes' -d 'Do not ask first.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer wipe" version' -l 'version' -d 'Show the version.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer wipe" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'sleep-inducer' -n '__sleep-inducer_should_offer_completions_for_flags_or_options "sleep-inducer help" version' -l 'version' -d 'Show the version.'
