/** An address for every declared page, with content on it. */
import { anAcmeAccount } from './acme-account.ts';
import { aCertificate } from './certificate-request.ts';
import type { Scene } from './scene.ts';
import { aGivenCertificate } from './scene-given.ts';
import { anIngress, anIngressWithRules, ingressesOfOtherKinds } from './scene-ingress.ts';
import { anOutsideAuthority } from './scene-outside.ts';
import { RELAYED } from './scene-paths.ts';
import { DRIFTING, PENDING, RELAY, SILENT } from './scene-roster.ts';
import { aWaf } from './scene-waf.ts';

interface Visit {
  /** Also the name of its pictures. */
  readonly name: string;
  /** As the router knows it. */
  readonly page: string;
  readonly path: (scene: Scene) => Promise<string> | string;
}

type Way = Readonly<Record<string, (scene: Scene) => Promise<string> | string>>;

const otherIngress = (name: string) => async (scene: Scene) => {
  await ingressesOfOtherKinds(scene);
  return `/ingress/${await ingressNamed(scene, name)}`;
};
const node = (name: string) => (scene: Scene) => `/nodes/${scene.node(name).id}`;

/** Detail pages, and pages with a search. Each has a name of its own. */
const WAYS: Readonly<Record<string, Way>> = {
  '/nodes': {
    nodes: () => '/nodes',
    'nodes-filtered': () => '/nodes?state=stale',
    'nodes-none': () => '/nodes?q=no-such-node',
  },
  '/nodes/$id': {
    node: node('git-1'),
    'node-silent': node(SILENT),
    'node-drifting': node(DRIFTING),
    'node-pending': node(PENDING),
    'node-none': () => '/nodes/node_01jcqv5s3ee3xv9k7d0w8m2b4n',
  },
  '/nodes/operations/$id': { operation: async (scene) => `/nodes/operations/${await anOperation(scene)}` },
  '/relays': { relays: () => '/relays', 'relays-map': () => '/relays?view=map' },
  '/relays/$name': {
    relay: () => `/relays/${RELAY}`,
    'relay-standby': () => `/relays/${RELAY}?use=standby`,
    'relay-none': () => '/relays/no-such-relay',
  },
  '/ingress': {
    ingresses: async (scene) => {
      await anIngress(scene);
      await ingressesOfOtherKinds(scene);
      return '/ingress';
    },
    'ingresses-none': () => '/ingress?q=no-such-name',
  },
  '/ingress/$id': {
    ingress: async (scene) => `/ingress/${await anIngress(scene)}`,
    'ingress-rules': async (scene) => `/ingress/${await anIngressWithRules(scene)}`,
    'ingress-tcp': async (scene) => `/ingress/${await ingressesOfOtherKinds(scene)}`,
    'ingress-few': otherIngress('other-ssh'),
    'ingress-moved': otherIngress('moved'),
    'ingress-unserved': async (scene) => `/ingress/${await ingressNamed(scene, 'git')}`,
    'ingress-ordered': async (scene) => `/ingress/${(await anOutsideAuthority(scene)).ingress}`,
    'ingress-none': () => '/ingress/no-such-ingress',
  },
  '/ingress/$id/edit': {
    'ingress-edit': async (scene) => `/ingress/${await anIngress(scene)}/edit`,
    'ingress-edit-tcp': async (scene) => `/ingress/${await ingressesOfOtherKinds(scene)}/edit`,
  },
  '/given-certificates': {
    'given-certificates': async (scene) => {
      await aGivenCertificate(scene);
      return '/given-certificates';
    },
  },
  '/given-certificates/$id': {
    'given-certificate': async (scene) => `/given-certificates/${await aGivenCertificate(scene)}`,
    'given-certificate-none': () => '/given-certificates/no-such-certificate',
  },
  '/given-certificates/$id/replace': {
    'given-certificate-replace': async (scene) => `/given-certificates/${await aGivenCertificate(scene)}/replace`,
  },
  '/outside-authorities': {
    'outside-authorities': async (scene) => {
      await anOutsideAuthority(scene);
      return '/outside-authorities';
    },
  },
  '/outside-authorities/$id': {
    'outside-authority': async (scene) => `/outside-authorities/${(await anOutsideAuthority(scene)).authority}`,
    'outside-authority-none': () => '/outside-authorities/no-such-authority',
  },
  '/outside-authorities/$id/edit': {
    'outside-authority-edit': async (scene) =>
      `/outside-authorities/${(await anOutsideAuthority(scene)).authority}/edit`,
  },
  '/waf': {
    waf: async (scene) => {
      await aWaf(scene);
      return '/waf';
    },
    'waf-none': () => '/waf?q=no-such-name',
  },
  '/waf/$id': {
    'waf-policy': async (scene) => `/waf/${(await aWaf(scene)).policy}`,
    'waf-unused': async (scene) => {
      await aWaf(scene);
      return `/waf/${(await scene.client.call('waf.show', { params: { id: 'strict' } })).body.id}`;
    },
    'waf-policy-none': () => '/waf/no-such-policy',
  },
  '/waf/$id/edit': { 'waf-edit': async (scene) => `/waf/${(await aWaf(scene)).policy}/edit` },
  '/waf/events': {
    'waf-events': async (scene) => {
      await aWaf(scene);
      return '/waf/events';
    },
    'waf-events-none': () => '/waf/events?rule=100001',
  },
  '/waf/events/$id': {
    'waf-event': async (scene) => `/waf/events/${(await aWaf(scene)).event}`,
    'waf-event-none': () => '/waf/events/wafevent_01jcqv5s3ee3xv9k7d0w8m2b4n',
  },
  '/waf/test': {
    'waf-test': async (scene) => `/waf/test?policy=${(await aWaf(scene)).policy}`,
  },
  '/links/$a/$b': {
    link: () => `/links/${RELAYED.join('/')}`,
    'link-direct': () => '/links/web-1/db-1',
    'link-none': () => '/links/web-1/no-such-node',
  },
  '/names': {
    names: async (scene) => {
      await someRecords(scene);
      return '/names';
    },
    'names-nodes': () => '/names?view=nodes',
    'names-none': () => '/names?q=no-such-name',
  },
  '/topology': {
    topology: () => '/topology',
    'topology-node': (scene) => `/topology?node=${scene.node('relay-fra').id}`,
    'topology-list': () => '/topology?view=list',
  },
  '/reach': {
    reach: () => '/reach',
    'reach-allowed': () => '/reach?from=laptop-ana&to=git-1&port=tcp:22',
    'reach-denied': () => '/reach?from=ci-1&to=db-1&port=tcp:5432',
    'reach-unknown': () => '/reach?from=laptop-anna&to=git-1&port=tcp:22',
  },
  '/access/versions/$n': {
    'access-version': () => '/access/versions/1',
    'access-version-text': () => '/access/versions/1?view=text',
  },
  '/firewall/nodes/$id': { 'firewall-node': (scene) => `/firewall/nodes/${scene.node('db-1').id}` },
  '/tokens/new': { 'token-new': () => '/tokens/new?for=enrolment' },
  '/tokens/$id': { token: async (scene) => `/tokens/${await aToken(scene)}` },
  '/certificates': {
    certificates: async (scene) => {
      await aCertificate(scene);
      await anAcmeAccount(scene);
      return '/certificates';
    },
    'certificates-filtered': () => '/certificates?node=git-1&state=valid',
    'certificates-none': () => '/certificates?q=no-such-name',
  },
  '/certificates/$id': { certificate: async (scene) => `/certificates/${await aCertificate(scene)}` },
  '/people/$id': { person: async (scene) => `/people/${await aPerson(scene)}` },
  '/roles/$name': { role: () => '/roles/operator' },
  '/audit/$id': { 'audit-entry': async (scene) => `/audit/${await anEntry(scene)}` },
};

export function visitsOf(pages: readonly string[]): readonly Visit[] {
  return pages.flatMap((page): readonly Visit[] => {
    const ways = WAYS[page];
    if (ways !== undefined) return Object.entries(ways).map(([name, path]) => ({ name, page, path }));
    if (page.includes('$')) throw new Error(`Say in visits.ts where ${page} leads.`);
    return [{ name: page === '/' ? 'overview' : page.slice(1).replaceAll('/', '-'), page, path: () => page }];
  });
}

async function someRecords({ client }: Scene): Promise<void> {
  const scope = { team: 'platform', surface: '*', environment: 'production' };
  const addresses = ['100.64.0.5', '100.64.0.6'];
  await client.call('dns.create', { body: { name: 'wiki', cname: 'git-1.mesh', note: 'moves with the proxy' } });
  await client.call('dns.create', { body: { name: '*.apps', addresses, scope } });
  const routing_domains = ['corp.example.org=10.20.0.53', 'corp.example.org=10.20.0.54', 'lab.test=10.20.7.53'];
  await client.call('settings.update', { body: { dns: { routing_domains } } });
}

export async function ingressNamed({ client }: Scene, name: string): Promise<string> {
  return (await client.call('ingress.show', { params: { id: name } })).body.id;
}

async function anOperation({ client }: Scene): Promise<string> {
  const { items } = (await client.call('operations.list', { query: { limit: 1 } })).body;
  return idOf(items);
}

export async function aToken({ client }: Scene): Promise<string> {
  return idOf((await client.call('tokens.list', { query: { q: 'prometheus' } })).body.items);
}

async function anEntry({ client }: Scene): Promise<string> {
  return idOf((await client.call('audit.list', { query: { limit: 1 } })).body.items);
}

export async function aPerson(scene: Scene): Promise<string> {
  const { items } = await scene.session('owner').must<{ items: { id: string }[] }>(200, 'GET', '/api/v1/users?q=ada');
  return idOf(items);
}

function idOf(items: readonly { readonly id: string }[]): string {
  const [first] = items;
  if (first === undefined) throw new Error('There is none.');
  return first.id;
}
