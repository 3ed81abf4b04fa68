/** Host rules. Each change answers with what the rules take from agents, or may. */
import { also, noun } from '../../derived/noun.ts';
import { showFindings } from './finding-text.ts';
import { compiledForNode } from './node-rules.ts';
import { previewRules } from './preview.ts';
import { rate } from './rate.ts';
import { actionText, ruleFields, trafficText } from './rule-text.ts';

const RULE = {
  nodes: { value: 'selector', help: 'nodes it applies to: "*", tag:role:git, node:git-1' },
  direction: { help: 'in: to the node, out: from the node, forward: through the node' },
  action: { help: 'what happens to the traffic' },
  interface: { value: 'name', help: 'mesh, any or the name of an interface' },
  protocol: { help: 'protocol of the traffic' },
  ports: { value: 'port', help: 'destination ports of tcp and udp: 22, 8000-8999', off_help: 'all ports' },
  from: { value: 'network', help: 'source networks, of the side that opens the connection', off_help: 'any source' },
  to: { value: 'network', help: 'destination networks', off_help: 'any destination' },
  rate: {
    value: 'rate',
    help: 'limit of new connections, such as 10/minute, or 10/minute:20 for a burst of 20',
    read: rate,
    off_help: 'no limit',
  },
  note: { value: 'text', help: 'why the rule exists', off_help: 'remove the note' },
  enabled: { help: 'enable it', off: 'disabled', off_help: 'disable it' },
} as const;

const BEFORE = {
  value: 'rule',
  id_of: 'firewall',
  off: 'last',
  off_help: 'put it last',
  completes: 'firewall',
} as const;
const FORCE = { help: 'apply it even if it cuts agents off from the coordinator or from their peers' };

export const firewall = noun({
  noun: 'firewall',
  areas: ['firewall'],
  thing: 'rule',
  ids: 'firewall',
  records: { FirewallRule: ruleFields, ChangedFirewallRule: ruleFields },
  commands: {
    'firewall.list': {
      help: 'A rule in brackets is disabled.',
      columns: [
        ['#', ({ position }) => String(position)],
        ['ID', ({ id }) => id],
        ['NODES', ({ nodes }) => nodes.join(' ')],
        ['TRAFFIC', trafficText],
        ['ACTION', actionText],
        ['NOTE', ({ note }) => note ?? '-'],
      ],
      ordered: true,
    },
    'firewall.create': {
      summary: 'Create a host rule',
      parameters: {
        ...RULE,
        interface: { ...RULE.interface, default: 'any' },
        protocol: { ...RULE.protocol, default: 'any' },
        before: { ...BEFORE, help: 'insert it before this rule (default: last)' },
        force: FORCE,
      },
      after: ({ findings }, out) => showFindings(out, findings),
    },
    'firewall.update': {
      summary: 'Change a host rule',
      description: 'Change a host rule: only what is named. `mesh firewall move` changes its position.',
      parameters: { ...RULE, force: FORCE, id: { id_of: 'firewall', completes: 'firewall' } },
      without: ['before'],
      after: ({ findings }, out) => showFindings(out, findings),
    },
    'firewall.delete': {
      summary: 'Remove a host rule',
      parameters: { force: FORCE, id: { id_of: 'firewall', completes: 'firewall' } },
      confirm: {
        ask: ({ request: { params } }) => ({
          what: `removing rule ${params.id}`,
          describe: () => `Rule ${params.id} stops applying on all nodes it names.`,
        }),
      },
    },
    'firewall.preview': previewRules,
    'firewall.node': compiledForNode,
  },
  more: [
    also('firewall.update', {
      verb: 'move',
      summary: 'Move a host rule',
      description: 'Move a host rule to another position. Earlier rules are evaluated first.',
      only: ['before', 'force'],
      parameters: {
        before: { ...BEFORE, help: 'move it before this rule', needed: true },
        force: FORCE,
        id: { id_of: 'firewall', completes: 'firewall' },
      },
      after: ({ findings }, out) => showFindings(out, findings),
    }),
  ],
});
