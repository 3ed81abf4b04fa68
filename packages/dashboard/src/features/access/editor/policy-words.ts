/** What can stand at a place of a policy. The words of the language are the contract's; those of the mesh come from its nodes. */
import type { MeshWords } from '../../../mesh/mesh-words.ts';
import { groupsOf } from '../text/groups.ts';
import type { Place } from '../text/place.ts';

interface Word {
  readonly label: string;
  readonly detail?: string;
}

const NAMES: readonly { readonly of: string; readonly words: readonly Word[] }[] = [
  {
    of: '',
    words: [
      { label: 'groups', detail: 'names for nodes' },
      { label: 'grants', detail: 'who may reach what' },
      { label: 'tests', detail: 'what must and must not be allowed' },
      { label: 'stale', detail: 'whether peers keep a stale node' },
      { label: 'tag_owners', detail: 'who may set a tag or take a name' },
      { label: 'domain_owners', detail: 'who may use a host name' },
    ],
  },
  {
    of: 'grants/#',
    words: [
      { label: 'from', detail: 'a group' },
      { label: 'to', detail: 'a group or a network' },
      { label: 'allow', detail: 'ports to open' },
      { label: 'via', detail: 'who may forward to the network' },
      { label: 'within', detail: 'only inside one boundary' },
      { label: 'when', detail: 'conditions on the source' },
      { label: 'expires', detail: 'when the grant ends' },
      { label: 'note', detail: 'why the grant exists' },
    ],
  },
  {
    of: 'grants/#/when',
    words: [
      { label: 'fresh', detail: 'it sends heartbeats' },
      { label: 'agent_version', detail: 'minimum agent version' },
      { label: 'tag', detail: 'it has this tag' },
    ],
  },
  {
    of: 'tests/#',
    words: [
      { label: 'from', detail: 'a node, or group:NAME' },
      { label: 'allow', detail: 'must be allowed' },
      { label: 'deny', detail: 'must be denied' },
    ],
  },
];

/** Members whose own members have names of the author's choice. */
const NAMED_FREELY: ReadonlySet<unknown> = new Set(['groups', 'tag_owners', 'domain_owners']);

const ALLOWS: readonly Word[] = [
  { label: '*', detail: 'everything' },
  { label: 'icmp', detail: 'ping' },
  { label: 'tcp:*', detail: 'every tcp port' },
  { label: 'udp:*', detail: 'every udp port' },
  { label: 'tcp:22' },
  { label: 'tcp:443' },
  { label: 'udp:53' },
];

/** `grants/2/allow/0` is `grants/#/allow/#`, and the name of a group or of what has owners does not matter either. */
function patternOf({ path }: Place): string {
  return path
    .map((part, index) => (typeof part === 'number' || (index === 1 && NAMED_FREELY.has(path[0])) ? '#' : part))
    .join('/');
}

export async function wordsAt(place: Place, text: string, mesh: MeshWords): Promise<readonly Word[]> {
  const pattern = patternOf(place);
  if (place.is_name && pattern === 'tag_owners')
    return mesh.tags.map((tag) => ({ label: `tag:${tag}`, detail: 'tag' }));
  if (place.is_name) return NAMES.find(({ of }) => of === pattern)?.words ?? [];
  const written = place.written?.text ?? '';
  const groups = (prefix = '') =>
    [...groupsOf(text)].map(([name, selectors]) => ({
      label: `${prefix}${name}`,
      detail: selectors.join(', ').slice(0, 60),
    }));
  const nodes = async (prefix: string, suffix = '') => {
    if (!written.startsWith(prefix)) return [];
    const found = await mesh.nodesLike(written.slice(prefix.length));
    return found.map((name) => ({ label: `${prefix}${name}${suffix}`, detail: 'node' }));
  };
  switch (pattern) {
    case 'groups/#/#':
      return [
        { label: '*', detail: 'every node' },
        ...groups('group:').filter(({ label }) => label !== `group:${String(place.path[1])}`),
        ...mesh.tags.map((tag) => ({ label: `tag:${tag}`, detail: 'tag' })),
        ...mesh.scopes.map((scope) => ({ label: `scope:${scope}`, detail: 'boundary' })),
        ...(await nodes('node:')),
      ];
    case 'tag_owners/#/#':
    case 'domain_owners/#/#':
      return [...mesh.scopes.map((scope) => ({ label: `scope:${scope}`, detail: 'boundary' })), ...groups('group:')];
    case 'grants/#/from':
    case 'grants/#/via':
      return groups();
    case 'grants/#/to':
      return [...groups(), ...mesh.networks.map((network) => ({ label: network, detail: 'network' }))];
    case 'grants/#/allow/#':
      return allows(mesh);
    case 'grants/#/within':
      return [{ label: 'boundary', detail: 'the same team, surface and environment' }];
    case 'grants/#/when/tag':
      return mesh.tags.map((label) => ({ label }));
    case 'tests/#/from':
      return [...groups('group:'), ...(await nodes(''))];
    case 'tests/#/allow/#':
    case 'tests/#/deny/#': {
      const end = /:(?=tcp|udp|icmp|$)/.exec(written);
      if (end !== null) return allows(mesh).map(({ label }) => ({ label: `${written.slice(0, end.index)}:${label}` }));
      return [...groups('group:'), ...(await nodes(''))].map((word) => ({ ...word, label: `${word.label}:` }));
    }
    case 'stale':
      return [
        { label: 'keep', detail: 'peers keep a stale node' },
        { label: 'drop', detail: 'until it sends heartbeats again' },
      ];
    default:
      return [];
  }
}

function allows({ ports }: MeshWords): readonly Word[] {
  const own = [...ports].map(([label, detail]) => ({ label, detail }));
  return [...own, ...ALLOWS.filter(({ label }) => !ports.has(label))];
}
