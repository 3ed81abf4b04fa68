/**
 * The operator's data file of countries, in MaxMind's format (https://maxmind.github.io/MaxMind-DB). The engine takes any file and then
 * finds no country in it, so that what is denied would pass: therefore it is read here first.
 */
import { type FileHandle, open } from 'node:fs/promises';
import type { WafAssignment } from '@meshwork/contract';

/** The format's: the metadata begin in here. */
const TAIL_BYTES = 128 * 1024;
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const GAP_BYTES = 16;
/** Ours: no record that is looked for is as long. */
const RECORD_BYTES = 4096;
/** Ours: places without a country, such as satellites, come first in some files. */
const MOST_RECORDS = 200;
/** Ours: also of one that leads in a circle. */
const MOST_NODES = 20_000;
const MOST_DEPTH = 8;

type WafRules = Pick<WafAssignment['rules'], 'clients'>;
type Value = string | number | readonly Value[] | { readonly [name: string]: Value };

interface Tree {
  readonly count: number;
  readonly record_size: number;
  readonly data_at: number;
}

export function namesCountries({ clients: { allowed_countries, denied_countries } }: WafRules): boolean {
  return allowed_countries.length + denied_countries.length > 0;
}

/** Why a policy cannot tell countries apart, in words. Undefined: it can, or it names none. */
export async function lackOfCountries(rules: WafRules, path: string | undefined): Promise<string | undefined> {
  if (!namesCountries(rules)) return undefined;
  if (path === undefined) return 'it names countries, and this gateway has no data file of them (MESH_WAF_COUNTRIES)';
  const fault = await faultOfCountryFile(path);
  return fault === undefined ? undefined : `it names countries, and ${fault}`;
}

/** In words. Undefined: it says of addresses which country they are of. */
export async function faultOfCountryFile(path: string): Promise<string | undefined> {
  try {
    const handle = await open(path, 'r');
    try {
      return (await hasCountries(handle)) ? undefined : `${path} does not say of addresses which country they are of`;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof RangeError || error instanceof FormatError) return `${path} is no data file of countries`;
    return `${path} cannot be read`;
  }
}

class FormatError extends Error {}

async function hasCountries(handle: FileHandle): Promise<boolean> {
  const tree = await treeIn(handle);
  const ahead = [0];
  let records = 0;
  for (let looked = 0; looked < MOST_NODES && records < MOST_RECORDS; looked++) {
    const node = ahead.pop();
    if (node === undefined) return false;
    for (const next of await branchesOf(handle, tree, node)) {
      if (next < tree.count) ahead.push(next);
      else if (next > tree.count) {
        records++;
        if (await isOfCountry(handle, tree, next - tree.count - GAP_BYTES)) return true;
      }
    }
  }
  return false;
}

async function treeIn(handle: FileHandle): Promise<Tree> {
  const { size } = await handle.stat();
  const length = Math.min(size, TAIL_BYTES);
  const tail = await read(handle, size - length, length);
  const at = tail.lastIndexOf(MARKER);
  if (at === -1) throw new FormatError('it has no metadata');
  const metadata = await valueAt(async (from, most) => tail.subarray(from, from + most), at + MARKER.length);
  const { node_count: count, record_size, build_epoch, binary_format_major_version: version } = fieldsOf(metadata);
  const isKnown = typeof count === 'number' && typeof record_size === 'number' && [24, 28, 32].includes(record_size);
  if (!isKnown || version !== 2 || typeof build_epoch !== 'number' || build_epoch === 0) {
    throw new FormatError('its metadata are of another kind');
  }
  const data_at = (count * record_size) / 4 + GAP_BYTES;
  if (data_at > size) throw new FormatError('it is shorter than it says');
  return { count, record_size, data_at };
}

/** Two numbers a node: another node, none (the count itself), or a place in the data. */
async function branchesOf(handle: FileHandle, { record_size }: Tree, node: number): Promise<readonly number[]> {
  const length = record_size / 4;
  const bytes = await read(handle, node * length, length);
  if (record_size === 32) return [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
  if (record_size === 24) return [bytes.readUIntBE(0, 3), bytes.readUIntBE(3, 3)];
  const middle = bytes.readUInt8(3);
  return [(middle >> 4) * 2 ** 24 + bytes.readUIntBE(0, 3), (middle & 15) * 2 ** 24 + bytes.readUIntBE(4, 3)];
}

/** As the engine looks for it. */
async function isOfCountry(handle: FileHandle, { data_at }: Tree, place: number): Promise<boolean> {
  const record = await valueAt((from, most) => read(handle, data_at + from, most), place);
  const { country } = fieldsOf(record);
  return country !== undefined && /^[A-Z]{2}$/.test(String(fieldsOf(country).iso_code));
}

function fieldsOf(value: Value): { readonly [name: string]: Value } {
  return typeof value === 'object' && !Array.isArray(value) ? (value as { readonly [name: string]: Value }) : {};
}

type Reads = (from: number, most: number) => Promise<Buffer>;

async function valueAt(reads: Reads, place: number, depth = 0): Promise<Value> {
  return (await decoded(reads, await reads(place, RECORD_BYTES), 0, depth))[0];
}

/** A value, and where the next one begins. */
async function decoded(reads: Reads, bytes: Buffer, at: number, depth: number): Promise<readonly [Value, number]> {
  if (depth > MOST_DEPTH) throw new FormatError('its records are too deep');
  const control = bytes.readUInt8(at);
  if (control >> 5 === 1) {
    const [to, after] = pointer(bytes, at, control);
    return [await valueAt(reads, to, depth + 1), after];
  }
  const isExtended = control >> 5 === 0;
  const type = isExtended ? bytes.readUInt8(at + 1) + 7 : control >> 5;
  const [size, begins] = sizeAt(bytes, at + (isExtended ? 2 : 1), control & 31);
  if (type === 7 || type === 11) return await collection(reads, bytes, { begins, size, depth, isMap: type === 7 });
  if (type === 14) return [size, begins]; // a boolean is its size
  const content = bytes.subarray(begins, begins + size);
  if (content.length < size) throw new FormatError('a record does not end');
  if (type === 2) return [content.toString('utf8'), begins + size];
  return [Number(`0x${content.toString('hex') || '0'}`), begins + size];
}

interface Collection {
  readonly begins: number;
  readonly size: number;
  readonly depth: number;
  readonly isMap: boolean;
}

async function collection(
  reads: Reads,
  bytes: Buffer,
  { begins, size, depth, isMap }: Collection,
): Promise<readonly [Value, number]> {
  const list: Value[] = [];
  let at = begins;
  for (let index = 0; index < (isMap ? 2 * size : size); index++) {
    const [value, after] = await decoded(reads, bytes, at, depth + 1);
    list.push(value);
    at = after;
  }
  if (!isMap) return [list, at];
  const pairs = list.flatMap((name, index) => (index % 2 === 0 ? [[String(name), list[index + 1] ?? '']] : []));
  return [Object.fromEntries(pairs) as Value, at];
}

function sizeAt(bytes: Buffer, at: number, said: number): readonly [size: number, after: number] {
  if (said < 29) return [said, at];
  const length = said - 28;
  const base = [29, 285, 65_821][length - 1] ?? 0;
  return [base + bytes.readUIntBE(at, length), at + length];
}

function pointer(bytes: Buffer, at: number, control: number): readonly [to: number, after: number] {
  const length = (control >> 3) & 3;
  const high = control & 7;
  if (length === 3) return [bytes.readUInt32BE(at + 1), at + 5];
  const base = [0, 2048, 526_336][length] ?? 0;
  return [high * 256 ** (length + 1) + bytes.readUIntBE(at + 1, length + 1) + base, at + 2 + length];
}

async function read(handle: FileHandle, from: number, most: number): Promise<Buffer> {
  const buffer = Buffer.alloc(most);
  const { bytesRead } = await handle.read(buffer, 0, most, from);
  return buffer.subarray(0, bytesRead);
}
