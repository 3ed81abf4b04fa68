/**
 * docs/operate/certificates.md as tests run it: as it stands there. Some of it needs `mesh` alone and is run by a test of the CLI,
 * some needs nodes. Each test takes what is its own, and fails when it has left something out; the page fails when it has something that
 * is in no list here.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../../docs/operate/certificates.md', import.meta.url));

/** Who runs a block: certificates-doc.test.ts of the CLI, or certificates.test.ts or acme.test.ts of the lab. */
type Runner = 'mesh' | 'nodes' | 'acme';

/** For each section that has blocks, in their order. */
const BLOCKS: Readonly<Record<string, readonly Runner[]>> = {
  'What is there after the first start': ['mesh'],
  'On a node': ['nodes'],
  'TLS in both directions with nginx': ['nodes', 'nodes'],
  'A certificate for a service': ['mesh', 'mesh'],
  'A certificate for an ingress': ['mesh', 'mesh'],
  'ACME, with certbot and others': ['acme', 'acme', 'acme', 'acme'],
  'Trusting the mesh from outside': ['mesh', 'acme', 'mesh', 'mesh'],
  'Replacing the authorities': ['mesh'],
  'Taking one back': ['mesh'],
  'The key of the root': ['mesh', 'mesh', 'mesh', 'mesh', 'mesh', 'mesh'],
  'Turning the master key over': ['mesh', 'mesh', 'mesh'],
  'When the root is lost': ['mesh'],
};

/** Whole commands in the text, which are in no block. */
const IN_TEXT: Readonly<Record<string, Runner>> = {
  'mesh settings set ca.node_lifetime_s=86400': 'mesh',
  'mesh ca cancel-rotation': 'mesh',
  'openssl x509 -in cert.pem -noout -serial': 'mesh',
  'mesh ca revoke-all --serial 5C1F…': 'mesh',
  'openssl req -in intermediate.csr -noout -text': 'mesh',
};

/** Where a person would answer at a terminal, these flags do. */
const ANSWERS: Readonly<Record<string, string>> = {
  'mesh ca export-root': '--passphrase-file passphrase',
  'mesh ca drop-root-key': '--passphrase-file passphrase --yes',
  'mesh ca sign-intermediate': '--passphrase-file passphrase',
  'mesh ca take-intermediate': '--yes',
  'mesh ca rewrap': '--yes',
  'mesh ca rotate': '--yes',
  'mesh ca revoke': '--yes',
  'mesh acme deactivate': '--yes',
  'openssl pkey': '-passin file:passphrase',
  'openssl x509 -req': '-passin file:passphrase',
  'openssl ca -gencrl': '-passin file:passphrase',
  'certbot certonly': '--non-interactive --agree-tos --register-unsafely-without-email',
  // Without a terminal it waits up to eight minutes first, so that not every machine renews at once.
  'certbot renew': '--no-random-sleep-on-renew',
};

interface Section {
  readonly title: string;
  /** Of any language: commands, and what programs are configured with. */
  readonly blocks: readonly string[];
  readonly in_text: readonly string[];
}

export class CertificatesPage {
  readonly #runner: Runner;
  readonly #sections: readonly Section[];
  readonly #left: Set<string>;

  private constructor(runner: Runner, sections: readonly Section[]) {
    this.#runner = runner;
    this.#sections = sections;
    const blocks = sections.flatMap(({ title }) => this.#own(title).map((block) => `${title}: ${block}`));
    const in_text = Object.keys(IN_TEXT).filter((command) => IN_TEXT[command] === runner);
    this.#left = new Set([...blocks, ...in_text]);
  }

  static async open(runner: Runner): Promise<CertificatesPage> {
    return new CertificatesPage(runner, sectionsOf(await readFile(PAGE, 'utf8')));
  }

  /** What a section has to run here, in order. */
  blocks(title: string): readonly string[] {
    const own = this.#own(title);
    assert.ok(own.length > 0, `${title} has nothing to run here`);
    for (const block of own) this.#left.delete(`${title}: ${block}`);
    return own;
  }

  /** A command in the text, by how it begins. */
  inText(start: string): string {
    const [found, ...more] = this.#sections.flatMap(({ in_text }) => in_text).filter((one) => one.startsWith(start));
    assert.ok(found !== undefined && more.length === 0, `${start} is there ${more.length + 1} times, or not at all`);
    this.#left.delete(found);
    return found;
  }

  /** What of the page this test did not take. */
  get left(): readonly string[] {
    return [...this.#left];
  }

  /** What the page has, in the form of the lists above: blocks by section, and whole commands in the text. */
  get shape(): { readonly blocks: Readonly<Record<string, number>>; readonly in_text: readonly string[] } {
    const having = this.#sections.filter(({ blocks }) => blocks.length > 0);
    const lines = this.#sections.flatMap(({ blocks }) => blocks).flatMap((block) => block.split('\n'));
    const isMentioned = (command: string) => lines.some((line) => `${line} `.startsWith(`${command} `));
    return {
      blocks: Object.fromEntries(having.map(({ title, blocks }) => [title, blocks.length])),
      in_text: this.#sections.flatMap(({ in_text }) => in_text).filter((command) => !isMentioned(command)),
    };
  }

  #own(title: string): readonly string[] {
    const blocks = this.#sections.find((section) => section.title === title)?.blocks ?? [];
    return blocks.filter((_, place) => BLOCKS[title]?.[place] === this.#runner);
  }
}

/** What the tests together run, in the form of `CertificatesPage.shape`. */
export const CERTIFICATES_PAGE_RUN: CertificatesPage['shape'] = {
  blocks: Object.fromEntries(Object.entries(BLOCKS).map(([title, runners]) => [title, runners.length])),
  in_text: Object.keys(IN_TEXT),
};

/** The lines of a block, for a test that runs them apart and knows how many there are. */
export function linesOf(block: string, count: number): readonly string[] {
  const lines = block.trim().split('\n');
  assert.equal(lines.length, count, `this has another number of lines than the test runs:\n${block}`);
  return lines;
}

/** What a shell is to run: with what this place has in the place of what the page made up, and with answers for a terminal. */
export function asRun(block: string, places: Readonly<Record<string, string>> = {}): string {
  let text = block;
  for (const [written, here] of Object.entries(places)) text = text.replaceAll(written, here);
  return text.split('\n').map(answered).join('\n');
}

function answered(line: string): string {
  const [, answer] = Object.entries(ANSWERS).find(([command]) => line.startsWith(command)) ?? [];
  return answer === undefined ? line : line.replace(/(?= >|$)/, ` ${answer}`);
}

function sectionsOf(page: string): readonly Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const fenced = /^```\w*\n(.*?)^```$/gms;
      const rest = text.replaceAll(fenced, '');
      return {
        title: text.split('\n', 1)[0] ?? '',
        blocks: [...text.matchAll(fenced)].map(([, block = '']) => block),
        in_text: [...rest.matchAll(/`((?:mesh|openssl|certbot|curl) [^`]+)`/g)].map(([, command = '']) => command),
      };
    });
}
