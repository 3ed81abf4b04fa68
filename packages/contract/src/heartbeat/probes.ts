/**
 * What the coordinator asks a node to try or to look at right now, and what came of it. Nothing of it is kept: a probe that is
 * not answered in time is over. An agent says in its abilities which kinds it answers.
 */

import { NodeIdText } from '../node-fields.ts';
import { Strict } from '../operation.ts';
import { type Static, type TOptional, Type } from '../type.ts';
import { WafTestResult } from '../waf-reports.ts';
import { WafTestRequest } from '../waf-rules.ts';
import { Applied } from './applied.ts';
import { ShowChallengeProbe, ShowChallengeResult } from './challenge-probes.ts';
import { IngressCheckProbe, IngressCheckResult, IngressProofProbe, IngressProofResult } from './ingress-probes.ts';
import { MAX_FOREIGN_RULES, MAX_LOOKED_AT, MAX_PROBES } from './limits.ts';
import { ForeignRule, LinkReport } from './observed.ts';
import { ATTEMPT_OUTCOMES, CHALLENGE_FAULTS, CHALLENGE_TYPES, MAX_SHOWN } from './probe-kinds.ts';
import { APPLIED_SECTIONS, type AppliedSection } from './sections.ts';
import { WafAssignment } from './waf-section.ts';

const ProbeId = Type.String({ pattern: '^[A-Za-z0-9_-]{8,40}$', description: 'Of the probe.' });
const Milliseconds = (description: string) => Type.Integer({ minimum: 1, maximum: 10_000, description });
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const PROTOCOLS = ['tcp', 'udp', 'icmp'] as const;
const Port = (description: string) => Type.Integer({ minimum: 0, maximum: 65_535, description });

export const ProbeFlow = Strict(
  {
    from: Type.String({ maxLength: 45, description: 'The address of the source in the mesh.' }),
    to: Type.String({ maxLength: 45, description: 'The address of the destination: in the mesh, or behind it.' }),
    protocol: Type.Enum(PROTOCOLS, { description: 'The protocol.' }),
    port: Port('Of the destination. 0: `icmp` has none.'),
    source_port: Port('Of the source, which tells this attempt from other traffic. 0: `icmp` has none.'),
  },
  { description: 'The packets that a probe is about.' },
);
export type ProbeFlow = Static<typeof ProbeFlow>;

export const Probe = Strict(
  {
    id: ProbeId,
    look: Type.Optional(
      Strict(
        {
          peers: Type.Array(NodeIdText, {
            maxItems: MAX_LOOKED_AT,
            description: 'Links to exchange a keepalive over.',
          }),
          rules: Type.Array(Type.String({ maxLength: 64 }), {
            maxItems: MAX_LOOKED_AT,
            description: 'Firewall rules to read the counters of.',
          }),
          within_ms: Milliseconds('How long to wait for the peers.'),
        },
        { description: 'Say how things are right now.' },
      ),
    ),
    watch: Type.Optional(
      Strict(
        {
          flow: ProbeFlow,
          for_ms: Milliseconds('How long to watch.'),
        },
        {
          description:
            'Watch for the packets of an attempt. Answered twice: when it has begun, and with what was seen.',
        },
      ),
    ),
    attempt: Type.Optional(
      Strict(
        {
          flow: ProbeFlow,
          within_ms: Milliseconds('How long to wait for an answer.'),
        },
        { description: 'Send the first packet of a flow, and see what comes back.' },
      ),
    ),
    challenge: Type.Optional(
      Strict(
        {
          type: Type.Enum(CHALLENGE_TYPES, { description: 'Where the answer is.' }),
          name: Type.String({ maxLength: 253, description: 'The name of the node, or one below it.' }),
          token: Type.String({ pattern: '^[A-Za-z0-9_-]{16,86}$', description: 'What the file is called.' }),
          within_ms: Milliseconds('How long to wait for it.'),
        },
        { description: 'Fetch what a program on this node shows for a name. Only addresses of the node are asked.' },
      ),
    ),
    waf: Type.Optional(
      Strict(
        {
          policy: WafAssignment,
          request: WafTestRequest,
          within_ms: Milliseconds('How long the engine may take.'),
        },
        { description: 'Try a request on a WAF policy, apart from what the gateway serves.' },
      ),
    ),
    ingress_proof: Type.Optional(IngressProofProbe),
    ingress_check: Type.Optional(IngressCheckProbe),
    show_challenge: Type.Optional(ShowChallengeProbe),
  },
  {
    description:
      'One of `look`, `watch`, `attempt`, `challenge`, `waf`, `ingress_proof`, `ingress_check` and `show_challenge`.',
  },
);
export type Probe = Static<typeof Probe>;

export const Probes = Type.Array(Probe, {
  maxItems: MAX_PROBES,
  description: 'What to try or look at right now. Sent once.',
});

/** What came of a look at one link. */
const LookedAtLink = Strict({
  peer: NodeIdText,
  heard: Type.Boolean({ description: 'Whether a packet came from the peer since the probe began.' }),
  took_ms: Type.Optional(Count('How long that took.')),
  link: Type.Optional(LinkReport),
});

const AppliedNow = Strict(
  Object.fromEntries(APPLIED_SECTIONS.map((name) => [name, Type.Optional(Applied)])) as AppliedFields,
  { description: 'What is in effect, of the sections that nothing is being changed about at this moment.' },
);
type AppliedFields = Record<AppliedSection, TOptional<typeof Applied>>;

const RuleCount = Strict({
  rule: Type.String({ maxLength: 64, description: 'Id of the rule.' }),
  packets: Count('What it has dropped since it was loaded.'),
});

const Words = (description: string) => Type.String({ maxLength: 500, description });

export const ProbeResult = Strict(
  {
    id: ProbeId,
    error: Type.Optional(Words('Why it could not be done. Absent: it was.')),
    look: Type.Optional(
      Strict(
        {
          links: Type.Array(LookedAtLink, { maxItems: MAX_LOOKED_AT, description: 'The links it was asked about.' }),
          filter: Type.Optional(Words('How the packet filter differs from what was applied. Absent: it does not.')),
          applied: Type.Optional(AppliedNow),
          foreign: Type.Optional(
            Type.Array(ForeignRule, {
              maxItems: MAX_FOREIGN_RULES,
              description: 'Rules of other programs there are now.',
            }),
          ),
          rules: Type.Array(RuleCount, { maxItems: MAX_LOOKED_AT, description: 'The counters it was asked about.' }),
        },
        { description: 'How things are.' },
      ),
    ),
    watch: Type.Optional(
      Strict(
        {
          state: Type.Enum(['begun', 'ended'], { description: '`begun`: it watches from now on.' }),
          arrived: Count('Packets of the flow that arrived at the host.'),
          passed: Count('Those that every packet filter of the host let through.'),
          interface: Type.Optional(Type.String({ maxLength: 15, description: 'By which they arrived.' })),
          verdict: Type.Optional(
            Words('The last rule that decided, as nftables lists it, with its table and chain. Absent: none was seen.'),
          ),
        },
        { description: 'What arrived.' },
      ),
    ),
    attempt: Type.Optional(
      Strict(
        {
          outcome: Type.Enum(ATTEMPT_OUTCOMES, {
            description:
              '`refused`: it arrived and nothing listens. `sent`: over UDP, without an answer, which shows nothing by itself. `unreachable`: the host itself has no way there, or was answered that there is none.',
          }),
          took_ms: Count('Until then.'),
          detail: Type.Optional(Words('In the words of the operating system.')),
        },
        { description: 'What became of the attempt.' },
      ),
    ),
    challenge: Type.Optional(
      Strict(
        {
          shown: Type.Optional(
            Type.String({
              maxLength: MAX_SHOWN,
              description: 'The text of the file, or the certificate as DER in base64. Absent: nothing was shown.',
            }),
          ),
          fault: Type.Optional(Type.Enum(CHALLENGE_FAULTS, { description: 'What was wrong. Absent: nothing.' })),
          detail: Type.Optional(Words('What was wrong, and where.')),
        },
        { description: 'What a program on this node shows.' },
      ),
    ),
    waf: Type.Optional(WafTestResult),
    ingress_proof: Type.Optional(IngressProofResult),
    ingress_check: Type.Optional(IngressCheckResult),
    show_challenge: Type.Optional(ShowChallengeResult),
  },
  { description: 'One of what a probe can be, as the probe was; or `error`.' },
);
export type ProbeResult = Static<typeof ProbeResult>;
