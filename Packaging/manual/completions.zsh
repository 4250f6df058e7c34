#compdef sleep-inducer

__sleep-inducer_complete() {
    local -ar non_empty_completions=("${@:#(|:*)}")
    local -ar empty_completions=("${(M)@:#(|:*)}")
    _describe -V '' non_empty_completions -- empty_completions -P $'\'\''
}

__sleep-inducer_custom_complete() {
    local -a completions
    completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")
    if [[ "${#completions[@]}" -gt 1 ]]; then
        __sleep-inducer_complete "${completions[@]:0:-1}"
    fi
}

__sleep-inducer_cursor_index_in_current_word() {
    if [[ -z "${QIPREFIX}${IPREFIX}${PREFIX}" ]]; then
        printf 0
    else
        printf %s "${#${(z)LBUFFER}[-1]}"
    fi
}

_sleep-inducer() {
    emulate -RL zsh -G
    setopt extendedglob nullglob numericglobsort
    unsetopt aliases banghist

    local -xr SAP_SHELL=zsh
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(builtin emulate zsh -c 'printf %s "${ZSH_VERSION}"')"
    local -r SAP_SHELL_VERSION

    local context state state_descr line
    local -A opt_args

    local -r command_name="${words[1]}"
    local -ar command_line=("${words[@]}")
    local -ir current_word_index="$((CURRENT - 1))"

    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'serve:Answer DNS, show the shield and the pages. This is the default.'
            'explain:Say whether names are allowed for a device, and why.'
            'upcoming:List the next nights, from the household or from the times given here.'
            'token:Print a new bearer token for the API, once.'
            'passcode:Set a new passcode. Every browser must log in again.'
            'doctor:Check this machine and the household'\''s data. The exit code is not 0 if something is wrong.'
            'healthy:Say whether the server runs and has all its ports. The exit code is 0 if so.'
            'backup:Write everything into one file for restore.'
            'restore:Replace the data with a backup. Stop the server first.'
            'export:Print everything as JSON, without secrets.'
            'import:Show what AdGuardHome.yaml or a Pi-hole archive brings; --apply takes it.'
            'cluster:Let several machines be one household, over etcd.'
            'wipe:Erase everything that this machine knows about the household.'
            'help:Show subcommand help information.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        serve|explain|upcoming|token|passcode|doctor|healthy|backup|restore|export|import|cluster|wipe|help)
            "_sleep-inducer_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_sleep-inducer_serve() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '*--bind[Listen only on this address, and serve its network. Repeat for more. Default\: every address on a home network (private or unique local; with --gateway, on its interfaces) and loopback.]:addr:'
        '--http-port[Port of the pages and the shield. Default\: 80, as a trial 8080.]:http-port:'
        '--https-port[Port for HTTPS, or off. Default\: 443, as a trial 8443.]:https-port:'
        '--dns-port[Port for DNS, or off. Default\: 53, as a trial 5300.]:dns-port:'
        '--dot-port[Port for DNS over TLS, or off. Default\: 853, as a trial 8530.]:dot-port:'
        '*--upstream[The upstream DNS server for allowed names. Repeat for more. Also tls\://addr\[\:853\]\[#name\] and https\://host/dns-query.]:addr\[\:port\]:'
        '*--local-upstream[The DNS server for the names of this home, usually the router.]:addr\[\:port\]:'
        '*--forwarder[A router that forwards the home'\''s DNS questions and adds the device to each (dnsmasq'\''s add-mac and strip-mac). Repeat for more. Only these routers are trusted.]:ip:'
        '*--private-answers[A public name that may lead to an address of this home, with all names below it, such as the name of your NAS. Repeat for more. Otherwise enrolled devices get no private address for a public name.]:name:'
        '--address[The address of the shield. Default\: the address that was asked.]:ip:'
        '*--gateway[On a machine that routes the home\: its interface to the home. Repeat for more. Enrolled devices then cannot go around this server.]:iface:'
        '*--behind-proxy[A reverse proxy that is believed when it says which device asks (X-Forwarded-For, X-Forwarded-Proto, Forwarded). An address or a network; several with commas. It can pose as every device\: name nobody else.]:addr\[,addr\]:'
        '*--proxy-name[A name under which the reverse proxy serves these pages. Repeat for more. It is never blocked, and looked up like any other.]:name:'
        '--viewers[Places for open pages that count down. One device gets a quarter of them, at most 64. Default\: a share of the open files, at most 4000.]:number:'
        '--name[This server'\''s own name.]:name:'
        '--passcode[The passcode, if none is stored. It replaces the one-time code.]:passcode:'
        '--time-zone[The household'\''s time zone, if none is stored.]:iana:'
        '--new-devices[The rule for new devices, if none is stored\: ignore or me.]:new-devices:'
        '--assets[Read templates and styles from this source tree, for development.]:dir:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_explain() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--device[The device that asks. Default\: the first person'\''s rules.]:ip|name:'
        '--at[Answer for this instant instead of now.]:iso8601:'
        '--json[One JSON object per name.]'
        '*:names:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_upcoming() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--bedtime[Bedtime. With --wake and --zone it replaces the household'\''s.]:hh\:mm:'
        '--wake[When the night ends.]:hh\:mm:'
        '--days[Weekdays of the bedtime. Default\: every day.]:mon,tue,…:'
        '--zone[IANA time zone.]:zone:'
        '--from[From this instant on. Default\: now.]:iso8601:'
        '--count[How many nights.]:count:'
        '--json[As a JSON array.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_token() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--name[The name of the program that uses it, for the list on the settings page.]:name:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_passcode() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_doctor() {
    local -i ret=1
    local -ar ___fix=('resolved')
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '*--gateway[Also check if this machine can be a gateway on this interface. Repeat for more.]:iface:'
        '--fix[Repair\: resolved switches off systemd-resolved'\''s own DNS server on port 53. It says each step, and how to undo it.]:what:{__sleep-inducer_complete "${___fix[@]}"}'
        '--json[Print the list as JSON.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_healthy() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_backup() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        ':file:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_restore() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        ':file:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_export() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_import() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--apply[Take it. Without this flag nothing changes.]'
        '*--adult[A new person who is an adult. Without it, everybody for whom something is blocked is a child.]:adult:'
        ':file:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_cluster() {
    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'start:Put this machine'\''s household into etcd, and print a code for another machine.'
            'invite:Print a code for one new machine. It holds for ten minutes.'
            'join:Make this machine one of the household'\''s.'
            'vote:Let this machine vote in the household'\''s own etcd.'
            'leave:Make the household this machine'\''s own again.'
            'remove:Take another machine out of the household. The household gets a new key.'
            'lead:Let this machine lead, if the machine with etcd is broken or away for long.'
            'status:Print the household'\''s machines.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        start|invite|join|vote|leave|remove|lead|status)
            "_sleep-inducer_cluster_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_sleep-inducer_cluster_start() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--name[What to call this machine. Default\: its host name.]:name:'
        '--address[This machine'\''s address for its etcd. Default\: the one on the router'\''s side.]:ip:'
        '--etcd[The addresses of an etcd that you run, with commas.]:url,…:'
        '--etcd-ca[The authority of etcd'\''s certificates, PEM.]:file:'
        '--etcd-cert[This household'\''s certificate for etcd, PEM.]:file:'
        '--etcd-key[The certificate'\''s key, PEM.]:file:'
        '--etcd-user[etcd'\''s user.]:name:'
        '--etcd-password-file[A file with the user'\''s password in its first line.]:file:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_cluster_invite() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_cluster_join() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--name[What to call this machine. Default\: its host name.]:name:'
        '--address[This machine'\''s address for its etcd. Default\: the one on the router'\''s side.]:ip:'
        '--vote[Let this machine vote in the household'\''s own etcd\: for three machines or more.]'
        '--wipe[Erase a household that is on this machine, without asking. A backup is kept.]'
        ':code:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_cluster_vote() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--address[This machine'\''s address for its etcd. Default\: the one on the router'\''s side.]:ip:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_cluster_leave() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--alone[Do not ask etcd\: it is gone, or does not know this machine any more.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_cluster_remove() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        ':name:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_cluster_lead() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_cluster_status() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--json[Print it as JSON.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_wipe() {
    local -i ret=1
    local -ar arg_specs=(
        '--data[The folder with the household'\''s data. Default\: ./data in a source tree, else /var/lib/sleep-inducer.]:dir:'
        '--yes[Do not ask first.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_sleep-inducer_help() {
    local -i ret=1
    local -ar arg_specs=(
        '*:subcommands:'
        '--version[Show the version.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

if [[ "${funcstack[1]}" = _sleep-inducer ]]; then
    _sleep-inducer "${@}"
else
    compdef _sleep-inducer sleep-inducer
fi
