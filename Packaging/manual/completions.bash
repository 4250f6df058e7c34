#!/bin/bash

__sleep-inducer_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__sleep-inducer_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__sleep-inducer_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__sleep-inducer_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_sleep-inducer() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __sleep-inducer_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    serve|explain|upcoming|token|passcode|doctor|healthy|backup|restore|export|import|cluster|wipe|help)
        # Offer subcommand argument completions
        "_sleep-inducer_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'serve explain upcoming token passcode doctor healthy backup restore export import cluster wipe help' -- "${cur}"))
        ;;
    esac
}

_sleep-inducer_serve() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(--bind --upstream --local-upstream --forwarder --private-answers --gateway --behind-proxy --proxy-name)
    non_repeating_options=(--data --http-port --https-port --dns-port --dot-port --address --viewers --name --passcode --time-zone --new-devices --assets)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    '--bind')
        return
        ;;
    '--http-port')
        return
        ;;
    '--https-port')
        return
        ;;
    '--dns-port')
        return
        ;;
    '--dot-port')
        return
        ;;
    '--upstream')
        return
        ;;
    '--local-upstream')
        return
        ;;
    '--forwarder')
        return
        ;;
    '--private-answers')
        return
        ;;
    '--address')
        return
        ;;
    '--gateway')
        return
        ;;
    '--behind-proxy')
        return
        ;;
    '--proxy-name')
        return
        ;;
    '--viewers')
        return
        ;;
    '--name')
        return
        ;;
    '--passcode')
        return
        ;;
    '--time-zone')
        return
        ;;
    '--new-devices')
        return
        ;;
    '--assets')
        return
        ;;
    esac
}

_sleep-inducer_explain() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--data --device --at)
    __sleep-inducer_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    '--device')
        return
        ;;
    '--at')
        return
        ;;
    esac
}

_sleep-inducer_upcoming() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--data --bedtime --wake --days --zone --from --count)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    '--bedtime')
        return
        ;;
    '--wake')
        return
        ;;
    '--days')
        return
        ;;
    '--zone')
        return
        ;;
    '--from')
        return
        ;;
    '--count')
        return
        ;;
    esac
}

_sleep-inducer_token() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data --name)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    '--name')
        return
        ;;
    esac
}

_sleep-inducer_passcode() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_doctor() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=(--gateway)
    non_repeating_options=(--data --fix)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    '--gateway')
        return
        ;;
    '--fix')
        __sleep-inducer_add_completions -W 'resolved'
        return
        ;;
    esac
}

_sleep-inducer_healthy() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_backup() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_restore() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_export() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_import() {
    repeating_flags=()
    non_repeating_flags=(--apply --version -h --help)
    repeating_options=(--adult)
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    '--adult')
        return
        ;;
    esac
}

_sleep-inducer_cluster() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __sleep-inducer_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    start|invite|join|vote|leave|remove|lead|status)
        # Offer subcommand argument completions
        "_sleep-inducer_cluster_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'start invite join vote leave remove lead status' -- "${cur}"))
        ;;
    esac
}

_sleep-inducer_cluster_start() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data --name --address --etcd --etcd-ca --etcd-cert --etcd-key --etcd-user --etcd-password-file)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    '--name')
        return
        ;;
    '--address')
        return
        ;;
    '--etcd')
        return
        ;;
    '--etcd-ca')
        return
        ;;
    '--etcd-cert')
        return
        ;;
    '--etcd-key')
        return
        ;;
    '--etcd-user')
        return
        ;;
    '--etcd-password-file')
        return
        ;;
    esac
}

_sleep-inducer_cluster_invite() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_cluster_join() {
    repeating_flags=()
    non_repeating_flags=(--vote --wipe --version -h --help)
    repeating_options=()
    non_repeating_options=(--data --name --address)
    __sleep-inducer_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    '--name')
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_sleep-inducer_cluster_vote() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data --address)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_sleep-inducer_cluster_leave() {
    repeating_flags=()
    non_repeating_flags=(--alone --version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_cluster_remove() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_cluster_lead() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_cluster_status() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_wipe() {
    repeating_flags=()
    non_repeating_flags=(--yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--data)
    __sleep-inducer_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--data')
        return
        ;;
    esac
}

_sleep-inducer_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __sleep-inducer_offer_flags_options -1
}

complete -o filenames -F _sleep-inducer sleep-inducer
