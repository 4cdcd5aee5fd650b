/** The shell scripts that call `flowgate complete`. None evaluates typed words or returned values (docs/decisions/0116). */

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Works in plain bash from version 3.2, without the package bash-completion. */
const bash = `# flowgate completion for bash:  source <(flowgate completion bash)
_flowgate() {
  local value description
  COMPREPLY=()
  while IFS=$'\\t' read -r value description; do
    COMPREPLY+=("$value")
  done < <(command flowgate complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
}
complete -o bashdefault -o default -F _flowgate flowgate
`;

const zsh = `#compdef flowgate
# flowgate completion for zsh:  source <(flowgate completion zsh)  behind compinit, or a file _flowgate in $fpath
_flowgate() {
  local value description
  local -a found
  while IFS=$'\\t' read -r value description; do
    found+=("\${value//:/\\\\:}:\${description}")
  done < <(command flowgate complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)
  if (( \${#found} )); then
    _describe -V flowgate found
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == "_flowgate" ]]; then
  _flowgate "$@"
else
  compdef _flowgate flowgate
fi
`;

const fish = `# flowgate completion for fish:  flowgate completion fish | source
function __flowgate_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  command flowgate complete fish -- $words[2..-1] "$current" 2>/dev/null </dev/null
end
complete -c flowgate -e
complete -c flowgate -f -a '(__flowgate_complete)'
complete -c flowgate -n 'not count (__flowgate_complete) >/dev/null' -F
`;

export const shellScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
