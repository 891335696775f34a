/** What a shell runs to complete; each script asks the program itself, so it need not be renewed with it. */
export const SCRIPTS = {
  bash: `# Load it in ~/.bashrc: source <(spanledger completions bash)
_spanledger() {
  local word words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <(spanledger completions words -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _spanledger spanledger
`,
  zsh: `#compdef spanledger
# Load it in ~/.zshrc, after compinit: source <(spanledger completions zsh)
_spanledger() {
  local word about found=0
  local -a plain described
  while IFS=$'\\t' read -r word about; do
    found=1
    described+=("\${word//:/\\\\:}\${about:+:$about}")
  done < <(spanledger completions words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( found )); then _describe -t spanledger spanledger described; else _files; fi
}
compdef _spanledger spanledger
`,
  fish: `# Load it once: spanledger completions fish >~/.config/fish/completions/spanledger.fish
function __spanledger_words
    set -l typed (commandline -opc) (commandline -ct)
    spanledger completions words -- $typed[2..-1] 2>/dev/null
end
complete -c spanledger -f -a '(__spanledger_words)'
complete -c spanledger -F -n 'not count (__spanledger_words) >/dev/null'
`,
} as const;
export type Shell = keyof typeof SCRIPTS;
