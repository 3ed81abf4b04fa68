/** WAF policies, what they found, and where their rules do not look. */
import type { WafPolicy } from '@meshwork/contract';
import { noun } from '../../derived/noun.ts';
import { printable } from '../../terminal-text.ts';
import { ago } from '../../when.ts';
import { listed } from '../../wording.ts';
import { eventText, rulesOfEvent } from './event-text.ts';
import { exclude, replay } from './exclude.ts';
import { NO_LISTS, POLICY } from './policy-parameters.ts';
import { inForce, policyText, usedBy } from './policy-text.ts';
import { proposalText } from './replay-text.ts';
import { summaryText } from './summary-text.ts';
import { testRequest } from './test-request.ts';

const RULES = `A rule has a name, an action (block, allow, or score with points), and conditions that all have to be met. A
condition is a part of the request, a test, and values with commas between, of which one has to fit; "not" in front of the
test turns it round:
  --rule 'no-xmlrpc: block if path equals /xmlrpc.php'
  --rule 'scripts: score 3 if header:User-Agent matches ^curl/ and address not in_networks 10.0.0.0/8'
A value with a space or a comma, and transforms, are given as JSON, as \`mesh waf show --json\` prints them.`;

const FILTERS = {
  policy: { help: 'only of this policy, by id or name', completes: 'waf' },
  ingress: { help: 'only of this ingress, by id or name', completes: 'ingress' },
  route: { value: 'path', help: 'only of this route, by its path' },
  rule: { help: 'only with a match of this rule: 942100' },
  address: { value: 'address', help: 'only of this client, or of this network: 192.0.2.0/24' },
  verdict: {
    help: 'only what was refused (blocked), would have been (detected), or passed although rules matched (scored)',
  },
  from: { flag: 'since', value: 'when', help: 'only from this time on: 1h, or a timestamp' },
  to: { flag: 'until', value: 'when', help: 'only before this time' },
} as const;

const EXCLUSION = { flag: 'exclusion', id_of: 'wafexclusion' } as const;
const EVENT = { flag: 'event', id_of: 'wafevent' } as const;

export const waf = noun({
  noun: 'waf',
  areas: ['waf'],
  thing: 'policy',
  // A route that takes or leaves a policy, and a gateway that goes or comes back, change where it is in force.
  watches: ['waf', 'ingress', 'node'],
  records: { WafPolicy: policyText, WafEvent: eventText },
  commands: {
    'waf.create': {
      description:
        'Create a WAF policy. It inspects nothing until an ingress names it (--waf of `mesh ingress set`), and by default it only records what it finds.',
      help: RULES,
      parameters: {
        ...POLICY,
        name: { help: 'what people will call it' },
        'scope.team': { help: 'the team it is for; by default the scope of the token' },
        'scope.surface': { help: 'the surface it is for' },
        'scope.environment': { help: 'the environment it is for' },
      },
    },
    'waf.list': {
      columns: [
        ['ID', ({ id }) => id],
        ['NAME', ({ name }) => name],
        ['MODE', ({ mode }) => mode],
        ['PARANOIA', ({ paranoia }) => String(paranoia.block)],
        ['THRESHOLD', ({ thresholds }) => String(thresholds.inbound)],
        ['USED BY', usedBy],
        ['IN FORCE', inForce],
        ['DRAFTS', ({ exclusions }) => String(exclusions.filter(({ draft }) => draft).length)],
      ],
    },
    'waf.update': {
      description: 'Change a WAF policy: only what is named. A list, such as that of rules, is replaced as a whole.',
      help: RULES,
      parameters: { ...POLICY, ...NO_LISTS, name: { help: 'what people will call it from now on' } },
    },
    'waf.delete': {
      summary: 'Remove a WAF policy',
      confirm: {
        ask: ({ session, request: { params } }) => ({
          what: `removing WAF policy ${params.id}`,
          describe: async () => {
            const { body } = await session.client.call('waf.show', { params: { id: params.id ?? '' } });
            return removalText(body);
          },
        }),
      },
    },
    'waf.test': testRequest,
    'waf.replay': replay,
    'waf.exclude': exclude,
    'waf.enforce': {
      parameters: { exclusion: EXCLUSION },
      help: '`mesh waf replay POLICY EXCLUSION` shows before what it would let through.',
    },
    'waf.include': {
      description: 'Remove an exclusion from a WAF policy. The rules look there again.',
      parameters: { exclusion: EXCLUSION },
      async run({ send, out, request: { params } }) {
        await send();
        const { id = '', exclusion = '' } = params;
        await out.result({ id, exclusion, removed: true }, () => printable(`removed ${exclusion} from policy ${id}`));
      },
    },
    'waf.events': {
      description: 'List what the WAF found, the newest first.',
      thing: 'event',
      parameters: FILTERS,
      ordered: true,
      columns: [
        ['ID', ({ id }) => id],
        ['AT', ({ at }) => ago(at)],
        ['VERDICT', ({ verdict }) => verdict],
        ['SCORE', ({ score_in }) => String(score_in)],
        ['ADDRESS', ({ address }) => address],
        ['REQUEST', ({ method, host, path }) => `${method} ${host}${path}`],
        ['RULES', rulesOfEvent],
      ],
    },
    'waf.event': { parameters: { id: EVENT } },
    'waf.summary': {
      description: 'Count WAF events. Without --since and --until: the last 24 hours.',
      parameters: FILTERS,
      print: summaryText,
    },
    'waf.propose': {
      description:
        'Propose exclusions for a WAF event: the fewest and narrowest with which the request would have passed, and what else they would have let through. Nothing is changed.',
      parameters: { id: EVENT },
      print: proposalText,
    },
  },
});

function removalText({ name, used_by, exclusions }: WafPolicy): string {
  const users = listed([...new Set(used_by.map((use) => use.name))]);
  if (users !== '') return `${users} still use ${name}: it is refused until they have another policy, or none.`;
  return `${name} goes with its ${exclusions.length} exclusions. No ingress uses it; its events stay.`;
}
