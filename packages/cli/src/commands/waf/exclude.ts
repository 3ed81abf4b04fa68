/** `mesh waf exclude` and `mesh waf replay`: exclusions by hand, and those that are proposed for an event. */
import type { WafExclusionRules, WafPolicy, WafProposal, WafReplay } from '@meshwork/contract';
import { isId } from '@meshwork/contract';
import { Argument, Option } from 'commander';
import { usage } from '../../derived/flags.ts';
import { Failure } from '../../failure.ts';
import { printable } from '../../terminal-text.ts';
import type { CommandWords, Running } from '../../words/command-words.ts';
import { type ExclusionFlags, exclusionOf, exclusionOptions, isGiven } from './exclusion-flags.ts';
import { exclusionState, exclusionText } from './exclusion-text.ts';
import { policyText } from './policy-text.ts';
import { replayText } from './replay-text.ts';

interface Flags extends ExclusionFlags {
  readonly note?: string;
  readonly enforce?: true;
}

const WHERE = `Host and path are mandatory: an exclusion that holds everywhere turns a rule off. Rules that add up and judge,
such as 949110, cannot be excluded.`;

export const exclude: CommandWords<WafPolicy> = {
  summary: 'Add an exclusion to a WAF policy',
  description:
    'Add an exclusion to a WAF policy: as a draft, or with --enforce in force at once. Name an event instead of a policy to add all that are proposed for it.',
  help: `${WHERE}

Examples:
  mesh waf exclude wafevent_01jcqvc37ee3xv9k7d0w8m2b4n
  mesh waf exclude public --rule 942100 --host git.example.net --path /search --parameter argument:q`,
  only: [],
  parameters: { id: { flag: 'event-or-policy', completes: 'waf' } },
  options: () => [
    ...exclusionOptions(),
    new Option('--note <text>', 'for people: why it is there'),
    new Option('--enforce', 'put it in force at once, without a draft'),
  ],
  async run(running) {
    const { request, options, out } = running;
    const flags = options as Flags;
    const id = request.params.id ?? '';
    const wanted = isId('wafevent', id)
      ? await proposed(running, flags)
      : { policy: id, event: null, exclusions: [exclusionOf(flags)] };
    const policy = await addAll(running, wanted);
    await out.result(policy, () => policyText(policy, out));
    for (const one of policy.exclusions.slice(-wanted.exclusions.length)) {
      out.notice(printable(`${exclusionState(one)}: ${exclusionText(one)} (${one.id})`));
    }
  },
};

interface Wanted {
  readonly policy: string;
  readonly event: string | null;
  readonly exclusions: readonly WafExclusionRules[];
}

async function proposed({ client, request }: Running, flags: Flags): Promise<Wanted> {
  const id = request.params.id ?? '';
  if (isGiven(flags)) throw usage('an event says itself where rules are left out; name the policy to say it by flags');
  const { body } = await client.call('waf.propose', { params: { id } });
  const { policy, exclusions, why_none } = body as WafProposal;
  if (exclusions.length === 0) {
    const message = `no exclusion lets the request through: ${why_none ?? 'none is known'}`;
    throw new Failure(message, { exit: 'conflict', code: 'no_exclusion' });
  }
  return { policy, event: id, exclusions: exclusions.map(({ replay: _, ...rules }) => rules) };
}

async function addAll({ client, options }: Running, { policy, event, exclusions }: Wanted): Promise<WafPolicy> {
  const { note, enforce } = options as Flags;
  const same = {
    ...(note === undefined ? {} : { note }),
    ...(event === null ? {} : { event }),
    ...(enforce === true ? { draft: false } : {}),
  };
  let last: WafPolicy | undefined;
  for (const rules of exclusions) {
    const { body } = await client.call('waf.exclude', { params: { id: policy }, body: { ...rules, ...same } });
    last = body as WafPolicy;
  }
  if (last === undefined) throw new Error('there was no exclusion to add');
  return last;
}

export const replay: CommandWords<WafReplay> = {
  description:
    'Show what an exclusion would have done to recorded events: one that the policy has, by its id, or one that flags say. Nothing is changed.',
  help: WHERE,
  only: [],
  own_arguments: () => [new Argument('[exclusion]', 'id of an exclusion of the policy')],
  options: exclusionOptions,
  async run(running) {
    const { request, send, out } = running;
    request.body = await replayed(running);
    const answer = await send();
    await out.result(answer, () => replayText(answer, out));
  },
};

async function replayed({ client, request, words: [id], options }: Running): Promise<WafExclusionRules> {
  if (id === undefined) return exclusionOf(options);
  if (isGiven(options)) throw usage('name an exclusion, or say by flags what it is');
  const { body } = await client.call('waf.show', { params: request.params });
  const found = (body as WafPolicy).exclusions.find((one) => one.id === id);
  if (found === undefined) {
    const message = `the policy has no exclusion ${String(id)}`;
    throw new Failure(message, { exit: 'not_found', code: 'not_found', hint: `mesh waf show ${request.params.id}` });
  }
  const { rule, tag, host, path, below, parameter } = found;
  return { rule, tag, host, path, below, parameter };
}
