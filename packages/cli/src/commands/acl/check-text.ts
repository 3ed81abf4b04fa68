import type { OwnershipCheck, OwnershipFinding } from '@meshwork/contract';
import { scopeText } from '../../rights-text.ts';
import { printable } from '../../terminal-text.ts';
import { counted } from '../../wording.ts';

/** Nodes or ingresses that are named; the rest are counted. */
const NAMED = 5;

/** A finding is what it is about, why, and what to do. */
export function checkText({ findings }: OwnershipCheck): string {
  if (findings.length === 0) return 'every tag, name and host name could be set by its own boundary';
  const blocks = findings.map((finding) =>
    [headline(finding), `  ${finding.detail}`, `  ${finding.remedy}`].map(printable).join('\n'),
  );
  const total = counted(findings.length, 'finding');
  return [...blocks, `${total}; nothing has to change now: what is set stays as it is`].join('\n\n');
}

const WORDS: Readonly<Record<OwnershipFinding['kind'], string>> = { tag: 'tag', name: 'name', domain: 'host name' };

const SUBJECTS: Readonly<Record<OwnershipFinding['subjects'][number]['kind'], string>> = {
  node: 'node',
  ingress: 'ingress',
  dns: 'DNS record',
};

function headline({ kind, value, boundary, count, subjects }: OwnershipFinding): string {
  const named = subjects.slice(0, NAMED).map(({ name }) => name);
  const rest = count - named.length;
  const whose = counted(count, SUBJECTS[subjects[0]?.kind ?? 'node']);
  return `${WORDS[kind]} ${value}  ${whose} of ${scopeText(boundary)}: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
