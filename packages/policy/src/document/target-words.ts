import { enclosingNetwork, parseAddress } from '@meshwork/addresses';
import { parseAllow } from './allow.ts';
import { quote } from './problems.ts';
import { parseTarget } from './target.ts';

/** What is wrong with a text that is no target of a test, and what was meant. */
export function targetWords(text: string): string {
  const short = text.slice(0, 200);
  const [, whom = '', what = ''] = /^(.*?):((?:tcp|udp|icmp)(?::[^:]*)?|\*|\d+)$/is.exec(short) ?? ['', short, ''];
  const meant = guesses(short, whom, what).find((guess) => parseTarget(guess) !== undefined);
  if (meant !== undefined) return `${quote(text)} is not a target. Did you mean ${quote(meant)}?`;
  if (enclosingNetwork(whom) !== undefined) {
    return `${quote(text)} asks about a whole network. A test asks about one address, such as "10.20.1.1:tcp:443".`;
  }
  const allow = parseAllow(what);
  if (what === '*' || (allow !== undefined && allow.from !== allow.to)) {
    return `${quote(text)} asks about many ports. A test asks about one, such as "git-1:tcp:22".`;
  }
  if (/^(?:tcp|udp):\d+$/.test(what) && allow === undefined) {
    return `${quote(text)} has a port that is not one of 1 to 65535, written without leading zeros.`;
  }
  return `${quote(text)} is not a target. Write whom and what: "git-1:tcp:22", "group:git-servers:icmp", "10.20.1.1:udp:53" or "[fd00::1]:tcp:443".`;
}

function guesses(text: string, whom: string, what: string): readonly string[] {
  const bare = whom.replace(/^node:/, '').replace(/^\[(.*)\]$/s, '$1');
  const bracketed = parseAddress(bare)?.family === 6 ? `[${bare}]` : bare;
  return [text.trim().toLowerCase(), `${bare}:${what}`, `${bracketed}:${what}`, `${bracketed}:tcp:${what}`];
}
