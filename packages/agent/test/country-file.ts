/** A data file of countries, in MaxMind's format: of IPv4 networks, and small. https://maxmind.github.io/MaxMind-DB */

const ADDRESS_BITS = 32;
/** Between the tree and the data. */
const GAP = Buffer.alloc(16);
const MARKER = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);

/** What an address leads to: another node of the tree, the place of a country, or nothing. */
type Branch = { readonly node: number } | { readonly data: number } | undefined;

/** `countries`: by network, such as `8.8.8.0/24`, the two letters. */
export function countryFile(countries: Readonly<Record<string, string>>): Buffer {
  const nodes: [Branch, Branch][] = [[undefined, undefined]];
  const records: Buffer[] = [];
  let at = 0;
  for (const [network, iso_code] of Object.entries(countries)) {
    const record = map({ country: map({ iso_code: text(iso_code) }) });
    insert(nodes, network, at);
    records.push(record);
    at += record.length;
  }
  const tree = Buffer.concat(nodes.flat().map((branch) => pointer(branch, nodes.length)));
  return Buffer.concat([tree, GAP, ...records, MARKER, metadata(nodes.length)]);
}

function insert(nodes: [Branch, Branch][], network: string, data: number): void {
  const [address = '', length = ''] = network.split('/');
  const bits = address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');
  let node = 0;
  for (let depth = 0; depth < Number(length); depth++) {
    const side = bits[depth] === '1' ? 1 : 0;
    const here = nodes[node];
    if (here === undefined || depth >= ADDRESS_BITS) throw new Error(`${network} is no network`);
    if (depth + 1 === Number(length)) {
      here[side] = { data };
      return;
    }
    const next = here[side];
    if (next === undefined) {
      nodes.push([undefined, undefined]);
      here[side] = { node: nodes.length - 1 };
      node = nodes.length - 1;
    } else if ('node' in next) node = next.node;
    else throw new Error(`${network} lies in another network`);
  }
}

function pointer(branch: Branch, count: number): Buffer {
  const value = branch === undefined ? count : 'node' in branch ? branch.node : count + GAP.length + branch.data;
  return bytes(value, 3);
}

function metadata(node_count: number): Buffer {
  return map({
    node_count: whole(6, node_count, 4),
    record_size: whole(5, 24, 2),
    ip_version: whole(5, 4, 2),
    database_type: text('Test-Country'),
    languages: Buffer.concat([Buffer.from([1, 4]), text('en')]),
    binary_format_major_version: whole(5, 2, 2),
    binary_format_minor_version: whole(5, 0, 2),
    build_epoch: Buffer.concat([Buffer.from([8, 2]), bytes(0, 2), bytes(1_700_000_000, 6)]),
    description: map({ en: text('for tests') }),
  });
}

function map(members: Readonly<Record<string, Buffer>>): Buffer {
  const all = Object.entries(members);
  return Buffer.concat([Buffer.from([(7 << 5) | all.length]), ...all.flatMap(([name, value]) => [text(name), value])]);
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
}

function whole(type: number, value: number, length: number): Buffer {
  return Buffer.concat([Buffer.from([(type << 5) | length]), bytes(value, length)]);
}

function bytes(value: number, length: number): Buffer {
  const made = Buffer.alloc(length);
  made.writeUIntBE(value, 0, length);
  return made;
}
