/** What operators do with the key of the root and with the master key: rarely, by hand, and recorded. */
import { defineOperations, Strict } from '../../operation.ts';
import { Timestamp } from '../../timestamp.ts';
import { Type } from '../../type.ts';
import { Authority, AuthorityIdText, exampleAuthority } from './authority-record.ts';
import { DeadlineWanted, exampleRotation, Rotation } from './rotation-record.ts';
import { MAX_REQUEST, MAX_ROOT_LIST, MIN_PASSPHRASE } from './vocabulary.ts';

const exampleRoot: Authority = {
  ...exampleAuthority,
  id: 'authority_01jcqv6p0df1b8x0v4q6k3j9zt',
  role: 'root',
  name: 'Meshwork root 9b2d11c4',
  issuer: null,
  not_after: '2036-11-12T09:00:00Z',
  certificates: 1,
  key: 'outside',
  key_exported_at: '2026-11-15T09:30:00Z',
};

/** As the start of a coordinator says it. */
const MasterKeyName = (description: string) => Type.String({ pattern: '^[0-9a-f]{16}$', description });

export const keyOperations = defineOperations({
  'ca.export_root': {
    method: 'POST',
    path: '/v1/ca/root/export',
    summary: 'Export the key of the root, sealed to a passphrase',
    description:
      'Answers with the key, encrypted (PKCS #8, PBES2), and the certificate of the root. The key stays in the installation until it is dropped, so that a lost answer loses nothing.',
    permission: 'ca:export',
    reach: 'mesh',
    confirmed: true,
    // What is kept of a repeatable request is its hash, which would make guessing the passphrase cheap.
    repeatable: false,
    body: Strict({
      passphrase: Type.String({
        minLength: MIN_PASSPHRASE,
        maxLength: 1024,
        description: 'What the exported key is encrypted with. It is kept nowhere.',
      }),
    }),
    answer: {
      status: 200,
      description: 'The key.',
      schema: Strict({
        authority: AuthorityIdText,
        name: Type.String({ description: 'The name of the root.' }),
        exported_at: Timestamp('When it was exported.'),
        key: Type.String({ description: 'The encrypted key, in PEM, as `openssl pkey` opens it.' }),
        certificate: Type.String({ description: 'The certificate of the root, in PEM.' }),
      }),
    },
    errors: ['root_key_outside', 'rotation_under_way'],
    example: {
      body: { passphrase: 'correct horse battery staple' },
      answer: {
        authority: exampleRoot.id,
        name: exampleRoot.name,
        exported_at: '2026-11-15T09:30:00Z',
        key: '-----BEGIN ENCRYPTED PRIVATE KEY-----\n…\n-----END ENCRYPTED PRIVATE KEY-----\n',
        certificate: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
      },
    },
  },
  'ca.drop_root_key': {
    method: 'POST',
    path: '/v1/ca/root/drop',
    summary: 'Drop the key of the root, which was exported',
    description:
      'For good. Needs a proof that the exported key can be opened. A last revocation list of the root is made first, which is good for longer than its intermediates. From then on intermediates are signed outside.',
    permission: 'ca:export',
    reach: 'mesh',
    confirmed: true,
    body: Strict({
      proof: Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'A signature of the exported key (ECDSA with SHA-256, DER in base64) over `meshwork: drop the key of ID, exported at TIME`, with the id of the root and its `key_exported_at`.',
      }),
    }),
    answer: { status: 200, description: 'The root as it is now.', schema: Authority },
    errors: ['root_key_outside', 'root_key_unproven', 'rotation_under_way'],
    example: { body: { proof: 'MEUCIQDx…' }, answer: exampleRoot },
  },
  'ca.request_intermediate': {
    method: 'POST',
    path: '/v1/ca/intermediate/request',
    summary: 'Request an intermediate that is signed outside',
    description:
      'Makes the key of a new intermediate, which stays in the installation, and a certificate request (CSR) for it with all extensions. The same request is answered until its certificate was taken in.',
    permission: 'ca:rotate',
    reach: 'mesh',
    answer: {
      status: 200,
      description: 'The request.',
      schema: Strict({
        name: Type.String({ description: 'The name of the new intermediate.' }),
        root: AuthorityIdText,
        requested_at: Timestamp('When its key was made.'),
        request: Type.String({ description: 'The request (PKCS #10), in PEM.' }),
      }),
    },
    errors: [],
    example: {
      answer: {
        name: exampleAuthority.name,
        root: exampleRoot.id,
        requested_at: '2026-11-15T09:40:00Z',
        request: '-----BEGIN CERTIFICATE REQUEST-----\n…\n-----END CERTIFICATE REQUEST-----\n',
      },
    },
  },
  'ca.take_intermediate': {
    method: 'POST',
    path: '/v1/ca/intermediate',
    summary: 'Take in an intermediate that was signed outside',
    description:
      'Checks the certificate and the revocation list against the request and the root, and starts the rotation to it. What is wrong with them is answered all at once.',
    permission: 'ca:rotate',
    reach: 'mesh',
    confirmed: true,
    body: Strict({
      certificate: Type.String({ minLength: 1, maxLength: MAX_REQUEST, description: 'The certificate, in PEM.' }),
      revocation_list: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_ROOT_LIST,
          description:
            'A new revocation list of the root, in PEM, good for as long as the intermediate. Absent: the one there is has to be.',
        }),
      ),
      deadline_s: DeadlineWanted,
    }),
    answer: { status: 200, description: 'The rotation.', schema: Rotation },
    errors: ['not_found', 'intermediate_refused', 'rotation_under_way'],
    example: {
      body: {
        certificate: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
        revocation_list: '-----BEGIN X509 CRL-----\n…\n-----END X509 CRL-----\n',
      },
      answer: exampleRotation,
    },
  },
  'ca.rewrap': {
    method: 'POST',
    path: '/v1/ca/rewrap',
    summary: 'Turn the master key over',
    description:
      'Reads the master key file again, and seals everything anew with its first key, in one commit. The keys after it are needed only to open what was sealed before. Can be run again at any time.',
    permission: 'ca:rotate',
    reach: 'mesh',
    confirmed: true,
    answer: {
      status: 200,
      description: 'What seals now.',
      schema: Strict({
        master_key: MasterKeyName('The master key that seals everything.'),
        sealed: Type.Integer({ description: 'Secrets that were sealed anew. 0: it sealed everything already.' }),
        unneeded: Type.Array(MasterKeyName('A master key.'), {
          description:
            'Further keys in the file of the coordinator that answered. Nothing in the store needs them; backups from before do.',
        }),
      }),
    },
    errors: ['master_key_refused'],
    example: { answer: { master_key: '9f86d081884c7d65', sealed: 4, unneeded: ['5c1f8e0b7a3d4c22'] } },
  },
});

export const keyEvents = {
  'authority.key_exported': {
    summary: 'The key of the root was exported',
    data: Strict({ name: Type.String({ description: 'Name of the root.' }) }),
  },
  'authority.key_dropped': {
    summary: 'The key of the root was dropped, and is kept outside',
    data: Strict({ name: Type.String({ description: 'Name of the root.' }) }),
  },
} as const;
