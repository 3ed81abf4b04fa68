/**
 * Who may not import whom, and why. `boundaries.ts` walks every import past this one table, top down; the first rule
 * that forbids an import is the one reported. So the particular reasons stand above the general ones.
 *
 * `import-edges.ts` says how an import is named, `patterns.ts` how a pattern is read.
 */
import { TEST_FILES } from './workspace.ts';

export interface Rule {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly reason: string;
  /** Imports the rule lets pass. An absent side is any. */
  readonly except?: readonly { readonly from?: readonly string[]; readonly to?: readonly string[] }[];
}

const EVERYWHERE = ['**'];
const OURS = ['@meshwork/**'];

/** All files of these packages. */
const filesOf = (...packages: readonly string[]) => packages.map((name) => `packages/${name}/**`);
/** Everything these packages export. */
const entriesOf = (...packages: readonly string[]) =>
  packages.flatMap((name) => [`@meshwork/${name}`, `@meshwork/${name}/**`]);

/** All files in these folders of the agent. */
const inAgent = (...folders: readonly string[]) => folders.map((folder) => `packages/agent/src/${folder}/**`);

/** The commands that run a service in their own process have to import it; a demo brings its own coordinator along. */
const STARTING_A_SERVICE = [
  { from: ['packages/cli/src/commands/up.ts'], to: ['@meshwork/coordinator', '@meshwork/panel'] },
  { from: ['packages/cli/src/commands/coordinator.ts'], to: ['@meshwork/coordinator'] },
  { from: ['packages/cli/src/commands/panel.ts'], to: ['@meshwork/panel'] },
  { from: ['packages/cli/src/commands/demo.ts'], to: ['@meshwork/coordinator', '@meshwork/panel'] },
  { from: ['packages/cli/src/commands/agent/**'], to: ['@meshwork/agent'] },
];

const X509_LIBRARY = ['@peculiar/**', 'reflect-metadata'];

/** What a program may not load, however many files lie between. Imports of types load nothing. */
export const LOAD_RULES: readonly Rule[] = [
  {
    from: [
      ...['agent', 'client', 'dashboard'].map((name) => `packages/${name}/src/**`),
      'packages/cli/src/agent-main.ts',
    ],
    to: ['packages/contract/src/type.ts', 'typebox'],
    except: [{ from: TEST_FILES }],
    reason:
      'who only calls needs no schemas: take values from @meshwork/contract/vocabulary, /wire or /answers, and from @meshwork/contract only types',
  },
  {
    from: ['packages/agent/src/**', 'packages/cli/src/agent-main.ts'],
    to: X509_LIBRARY,
    except: [{ from: [...TEST_FILES, 'packages/agent/src/certificate-requests/request-thread.ts'] }],
    reason: 'an agent stays small: what writes certificate requests is loaded by a thread that ends with its request',
  },
];

export const RULES: readonly Rule[] = [
  // Packages meet at their exports.
  {
    from: EVERYWHERE,
    to: ['missing:**'],
    reason: 'there is no such file, or no such package in this workspace',
  },
  {
    from: EVERYWHERE,
    to: ['outside:**'],
    reason: 'a relative path that leaves its package goes around the exports of the other one',
  },
  {
    from: EVERYWHERE,
    to: ['inner:**'],
    reason: 'what a package does not export is its own business and may change without notice',
  },

  // Tests depend on the code, never the code on tests.
  {
    from: EVERYWHERE,
    to: TEST_FILES,
    except: [{ from: TEST_FILES }],
    reason: 'test code is never loaded by what we ship',
  },
  {
    from: EVERYWHERE,
    to: ['@meshwork/*/testing', '@meshwork/*/testing/**'],
    except: [{ from: [...TEST_FILES, 'bench/**'] }],
    reason: 'a package lends its test parts to tests and to the bench only',
  },

  // Arrows between packages point one way.
  {
    from: filesOf('coordinator', 'panel', 'agent', 'cli'),
    to: entriesOf('coordinator', 'panel', 'agent', 'cli'),
    // A panel is tested beside a real coordinator, which its tests start.
    except: [...STARTING_A_SERVICE, { from: TEST_FILES, to: ['@meshwork/coordinator/testing'] }],
    reason: 'processes meet only over the wire, through client',
  },
  {
    from: filesOf('addresses', 'time'),
    to: ['@meshwork/**', 'node:**'],
    except: [{ from: TEST_FILES }],
    reason: 'addresses and time run anywhere, in a browser too, and everything may be built on them',
  },
  {
    from: filesOf('contract'),
    to: OURS,
    reason: 'contract is what everything else is written against, so it knows nothing of ours',
  },
  {
    from: filesOf('policy'),
    to: OURS,
    except: [{ to: entriesOf('addresses') }],
    reason: 'policy is pure: policy and nodes in, answer out; it needs addresses only',
  },
  {
    from: filesOf('store'),
    to: OURS,
    except: [{ to: entriesOf('contract') }],
    reason: 'store keeps documents without knowing what they mean; it needs contract only',
  },
  {
    from: filesOf('client'),
    to: OURS,
    except: [{ to: entriesOf('time', 'contract') }],
    reason: 'client is derived from the operation table; it needs contract and time only',
  },
  {
    from: filesOf('service'),
    to: OURS,
    except: [{ to: entriesOf('addresses', 'time', 'contract', 'store') }],
    reason: 'service is what coordinator and panel have in common, and knows nothing of either',
  },
  {
    from: filesOf('pki'),
    to: OURS,
    except: [{ to: entriesOf('addresses') }],
    reason: 'pki reads and writes what others decide, and knows of the mesh only how addresses are spelled',
  },
  {
    from: filesOf('coordinator'),
    to: OURS,
    except: [{ to: entriesOf('addresses', 'time', 'contract', 'policy', 'pki', 'store', 'service') }],
    reason:
      'the coordinator is built from addresses, contract, policy, pki, store and service; everything else calls it',
  },
  {
    from: filesOf('panel'),
    to: OURS,
    except: [
      { to: entriesOf('time', 'contract', 'client', 'store', 'service') },
      { from: TEST_FILES, to: ['@meshwork/coordinator/testing'] },
    ],
    reason: 'the panel asks the coordinator through client and keeps what is its own in store',
  },
  {
    from: filesOf('dashboard'),
    to: OURS,
    except: [
      { to: entriesOf('contract', 'client') },
      {
        from: TEST_FILES,
        to: [
          ...['@meshwork/panel/testing', '@meshwork/coordinator/testing', '@meshwork/agent/testing/gateway'],
          ...['@meshwork/lab', '@meshwork/time'],
        ],
      },
    ],
    reason: 'the dashboard runs in a browser and can do only what the API can',
  },
  {
    from: filesOf('agent'),
    to: OURS,
    except: [
      {
        to: [
          ...entriesOf('addresses', 'time', 'contract', 'client'),
          '@meshwork/policy/firewall',
          '@meshwork/policy/routes',
        ],
      },
      {
        from: inAgent('certificate-requests'),
        to: ['@meshwork/pki/challenge', '@meshwork/pki/list-dates', '@meshwork/pki/request', '@meshwork/pki/text'],
      },
      { from: TEST_FILES, to: entriesOf('pki') },
    ],
    reason:
      'the agent runs on a node and knows only what the wire tells it; of the policy, how it becomes a table of nftables and which provider a route leads through; of certificates, how one is asked for and until when lists are good, and that in one folder',
  },
  {
    from: filesOf('lab'),
    to: OURS,
    except: [
      { to: entriesOf('addresses', 'time', 'contract', 'client', 'agent') },
      { from: TEST_FILES, to: ['@meshwork/coordinator/testing'] },
    ],
    reason: 'the lab runs agents against a coordinator as any node would: over the wire',
  },
  {
    from: filesOf('cli'),
    to: OURS,
    except: [
      { to: entriesOf('contract', 'client', 'lab') },
      // What is signed with the key of the root is signed on a machine without a coordinator.
      { from: ['packages/cli/src/commands/ca/**'], to: ['@meshwork/pki/offline'] },
      ...STARTING_A_SERVICE,
      { from: TEST_FILES, to: ['@meshwork/coordinator/testing'] },
    ],
    reason:
      'a command does what the API can, through client; only `up`, `coordinator`, `panel`, `demo` and `agent` start a service',
  },

  // Arrows within the coordinator.
  {
    from: ['packages/coordinator/src/areas/<area>/**'],
    to: ['packages/coordinator/src/areas/<!area>/**'],
    reason: 'areas meet in the mesh model, not in each other’s files',
  },
  {
    from: filesOf('coordinator'),
    to: ['fastify'],
    except: [{ from: ['packages/coordinator/src/http/**'] }],
    reason: 'only the http edge knows the web framework; use cases run without one',
  },

  // Arrows within the agent, from the bottom up: certificate-requests, host, stun, turn, view and wire, then rollback, engines, data-plane, and conversation beside them.
  {
    from: inAgent('engines/<engine>'),
    to: inAgent('engines/<!engine>'),
    reason: 'an engine is a folder of its own: engines meet in the view and in `engines/engines.ts`',
  },
  {
    from: inAgent('certificate-requests', 'host', 'stun', 'turn', 'view', 'wire'),
    to: inAgent(
      'conversation',
      'data-plane',
      'endpoints',
      'engines',
      'health',
      'identity',
      'probes',
      'relays',
      'rollback',
    ),
    except: [{ from: TEST_FILES }],
    reason: 'what everything else in the agent is built from knows none of it',
  },
  {
    from: inAgent('rollback'),
    to: inAgent('conversation', 'data-plane', 'engines', 'health'),
    except: [{ from: TEST_FILES }, { to: ['packages/agent/src/conversation/answer-shape.ts'] }],
    reason:
      'a rollback guards parts that it is given, and knows neither who they belong to nor how heartbeats are sent',
  },
  {
    from: inAgent('engines'),
    to: inAgent('conversation', 'data-plane', 'health', 'probes'),
    except: [{ from: TEST_FILES }],
    reason: 'an engine puts a view into effect, and knows neither where it came from nor which caller wants its state',
  },
  {
    from: inAgent('data-plane'),
    to: [...inAgent('engines/<engine>'), ...inAgent('conversation', 'health')],
    except: [{ from: TEST_FILES }],
    reason: 'the data plane is generic over the list of engines, and knows none by name',
  },
  {
    from: inAgent('conversation'),
    to: inAgent('data-plane', 'engines', 'health', 'probes', 'rollback'),
    except: [{ from: TEST_FILES }, { to: ['packages/agent/src/data-plane/data-plane.ts'] }],
    reason: 'the conversation drives any data plane, and knows what that can do by its interface alone',
  },

  // Arrows within the dashboard.
  {
    from: ['packages/dashboard/src/features/<feature>/**'],
    to: ['packages/dashboard/src/features/<!feature>/**'],
    reason: 'features share what is in `mesh/` and `ui/`, and are otherwise each a folder of its own',
  },
  {
    from: ['api', 'feature', 'live', 'mesh', 'session', 'ui'].map((part) => `packages/dashboard/src/${part}/**`),
    to: ['packages/dashboard/src/features/**'],
    reason: 'what features are built from knows none of them',
  },

  // One place for each outside thing.
  {
    from: EVERYWHERE,
    to: ['pg', 'node:sqlite'],
    // A test may reach around the store to tamper with it, and the bench has a raw one to compare with.
    except: [
      { from: [...filesOf('store'), ...TEST_FILES, 'bench/**'] },
      { from: ['packages/agent/src/engines/relay/relay-database.ts'], to: ['node:sqlite'] },
    ],
    reason: 'only store knows SQL, and one file of the agent what coturn reads',
  },
  {
    from: EVERYWHERE,
    to: X509_LIBRARY,
    except: [{ from: [...filesOf('pki'), ...TEST_FILES, 'bench/src/bare-ca.ts'] }],
    reason: 'only pki knows the library that reads and writes X.509',
  },
  {
    from: ['packages/*/src/**'],
    to: ['process.env', 'node:process'],
    except: [{ from: ['**/config.ts', ...TEST_FILES] }],
    reason: 'only config.ts reads the environment, so that it is validated once and reported whole',
  },
];
