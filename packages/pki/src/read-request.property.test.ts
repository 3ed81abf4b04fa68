import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AsnConvert } from '@peculiar/asn1-schema';
import { GeneralName, SubjectAlternativeName } from '@peculiar/asn1-x509';
import fc from 'fast-check';
import { newSigningKey } from './issuer.ts';
import { pemOf } from './pem.ts';
import { readRequest } from './read-request.ts';
import { SIGNING, x509 } from './x509.ts';

const { pair } = await newSigningKey();

/** A sound request for exactly these names, whatever they are. */
async function requestFor(names: readonly GeneralName[], subject = ''): Promise<string> {
  const value = AsnConvert.serialize(new SubjectAlternativeName([...names]));
  const extensions = names.length === 0 ? [] : [new x509.Extension('2.5.29.17', false, value)];
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: subject === '' ? [] : [{ CN: [subject] }],
    keys: pair,
    signingAlgorithm: SIGNING,
    extensions,
  });
  return pemOf('CERTIFICATE REQUEST', new Uint8Array(request.rawData));
}

const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
const hostname = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));
/** Everything that people and attackers write where a host name should be. One byte each, as certificates have them. */
const oddName = fc
  .tuple(
    hostname,
    fc.integer({ min: 0, max: 40 }),
    fc.constantFrom('\u0000', '\n', ' ', '\u007f', '\u00e9', '*', '_', '/', '..', '@', ',', '"'),
  )
  .map(([name, place, odd]) => name.slice(0, place) + odd + name.slice(place));

it('a request for sound names is read as it is, in lower case and each once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostname, { minLength: 1, maxLength: 20 }), async (names) => {
      const written = names.map((name, index) => (index % 2 === 0 ? name.toUpperCase() : name));
      const read = await readRequest(await requestFor(written.map((dNSName) => new GeneralName({ dNSName }))));
      assert.ok('names' in read, JSON.stringify(read));
      assert.deepEqual(read.names.dns, [...new Set(names)]);
    }),
    { numRuns: 60 },
  );
});

it('a request with one odd name is refused, and the refusal shows it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostname, { maxLength: 4 }), oddName, async (names, odd) => {
      const read = await readRequest(await requestFor([...names, odd].map((dNSName) => new GeneralName({ dNSName }))));
      assert.ok('faults' in read, JSON.stringify([odd, read]));
      assert.equal(read.faults.length, 1);
      assert.ok(read.faults[0]?.startsWith(`asks for the DNS name ${JSON.stringify(odd)}, `), read.faults[0]);
      // Nothing that could break a line or a terminal gets into an answer.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
      assert.doesNotMatch(read.faults[0] ?? '', /[\u0000-\u001f]/);
    }),
    { numRuns: 120 },
  );
});

it('a request that was damaged anywhere is refused, unless it still says exactly what was signed', async () => {
  const sound = await requestFor([new GeneralName({ dNSName: 'git-1.mesh' })], 'git-1.mesh');
  const der = Buffer.from(sound.split('\n').slice(1, -2).join(''), 'base64');
  const whole = await readRequest(sound);
  await fc.assert(
    fc.asyncProperty(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 }), async (place, change) => {
      const damaged = Buffer.from(der);
      damaged.writeUInt8(damaged.readUInt8(place) ^ change, place);
      const read = await readRequest(pemOf('CERTIFICATE REQUEST', damaged));
      // A length outside of what is signed can be written in several ways.
      if ('faults' in read) assert.ok(read.faults.length > 0);
      else assert.deepEqual(read, whole, `byte ${place} by ${change}`);
    }),
    { numRuns: 300 },
  );
});

it('any text at all is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.uint8Array().map((bytes) => pemOf('CERTIFICATE REQUEST', bytes)),
      ),
      async (text) => {
        assert.ok('faults' in (await readRequest(text)));
      },
    ),
    { numRuns: 300 },
  );
});
