/** What a shell runs to complete a command line. Each asks the program itself, so that it never goes out of date. */
export const COMPLETE = '__complete';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

// Words are taken from the line itself, because bash breaks them at colons, which tags and ids of services have. What stands
// before the last colon is on the line already.
const BASH = `# bash completion for mesh
_mesh() {
  local line=\${COMP_LINE:0:COMP_POINT} word prefix value rest
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=\${words[\${#words[@]}-1]}
  prefix=\${word%"\${word##*[:=]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    COMPREPLY+=("\${value#"$prefix"}")
  done < <("$1" ${COMPLETE} "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _mesh mesh
`;

const ZSH = `#compdef mesh
# zsh completion for mesh
_mesh() {
  local line
  local -a found
  for line in "\${(@f)$("\${words[1]}" ${COMPLETE} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then
    _describe -t values mesh found
  else
    _files
  fi
}
compdef _mesh mesh
`;

const FISH = `# fish completion for mesh
function __mesh_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (command $words[1] ${COMPLETE} $words[2..-1] 2>/dev/null)
    if test (count $found) -eq 0
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $found
    end
end
complete -c mesh -f -a '(__mesh_complete)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
