/** The text of resolv.conf with lines of ours in it. All outside of them stays as it is, byte for byte. */
import { MESH_DOMAIN } from '@meshwork/contract/vocabulary';

const BEGIN = '# BEGIN mesh: written by the mesh agent, changes here are lost';
const END = '# END mesh';
/** What stands in a block. One that lost its end is no longer than this. */
const OUR_LINE = new RegExp(`^(?:nameserver [0-9a-f.:]+|search .*\\b${MESH_DOMAIN})$`);

/**
 * The server comes first: it refuses what is not of the mesh, and the resolver goes on to the next one. Of several lines with search
 * domains only the last counts, so that ours comes last and repeats the others.
 */
export function withMesh(text: string, server: string): string {
  const rest = withoutMesh(text);
  const searched = searchDomains(rest).filter((domain) => domain !== MESH_DOMAIN);
  const open = rest === '' || rest.endsWith('\n') ? '' : '\n';
  const first = block(`nameserver ${server}`);
  return `${first}${rest}${open}${block(`search ${[...searched, MESH_DOMAIN].join(' ')}`)}`;
}

export function withoutMesh(text: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.trimEnd() !== BEGIN) {
      kept.push(lines[at] ?? '');
      continue;
    }
    if (OUR_LINE.test(lines[at + 1]?.trimEnd() ?? '')) at++;
    if (lines[at + 1]?.trimEnd() === END) at++;
  }
  return kept.join('');
}

function block(line: string): string {
  return `${BEGIN}\n${line}\n${END}\n`;
}

function searchDomains(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  return lines.findLast(([word]) => word === 'search' || word === 'domain')?.slice(1) ?? [];
}
