/** The mesh CA. PEM goes to standard output as it is, so that it can be written to a file; details go to standard error. */
import type { AnswerOf, Authority, Certificate, CertificateWithChain, Operations } from '@meshwork/contract';
import { noun } from '../../derived/noun.ts';
import type { Output } from '../../output.ts';
import { SOURCE_HELP, textOf } from '../../read-source.ts';
import { fields } from '../../table.ts';
import { printable } from '../../terminal-text.ts';
import { when } from '../../when.ts';
import { counted } from '../../wording.ts';
import type { CommandWords, Running } from '../../words/command-words.ts';
import { downloadLists } from './download-lists.ts';
import { dropRootKey, exportRoot, requestIntermediate, signIntermediate, takeIntermediate } from './root-key.ts';
import { rotationText } from './rotation-text.ts';

const CERTIFICATE = { flag: 'certificate', id_of: 'certificate' } as const;

const REASON = { help: 'why; shown in the list' };

/** PEM, for a file. */
const pem: CommandWords<string> = { run: async ({ send, out }) => out.verbatim(await send()) };

export const ca = noun({
  noun: 'ca',
  areas: ['ca'],
  thing: 'certificate',
  watches: ['certificate', 'authority'],
  records: { Certificate: certificateFields },
  more: [signIntermediate],
  commands: {
    'ca.show': {
      print: ({ authorities, uncertified_domains: domains, rotation }) =>
        [
          ...authorities.map(authorityFields),
          ...(rotation === null ? [] : [rotationText(rotation)]),
          ...(domains.length === 0
            ? []
            : [`The root does not certify ${domains.join(', ')}: rotate it with \`mesh ca rotate --what root\`.`]),
        ].join('\n\n'),
    },
    'ca.bundle': pem,
    'ca.crl': downloadLists,
    'ca.issue': {
      description:
        'Issue a certificate: sign a certificate request. It can ask for names and addresses of nodes inside your scope or, with the profile ingress, for host names of ingresses. The private key stays where it was made.',
      arguments: ['request'],
      parameters: {
        request: { find: textOf, value: 'file', help: SOURCE_HELP },
        lifetime_s: { help: 'how long it lives (default: as long as the settings allow)' },
      },
      help: 'The certificate and its intermediate go to standard output, details to standard error.',
      run: printChain,
    },
    'ca.certificates': {
      verb: 'list',
      columns: [
        ['ID', ({ id }) => id],
        ['NAME', nameOf],
        ['PROFILE', ({ profile }) => profile],
        ['STATE', ({ state, current }) => (state === 'valid' && !current ? 'valid, replaced' : state)],
        ['EXPIRES', ({ not_after }) => not_after],
        ['REQUESTED BY', ({ requested_by }) => requested_by.name],
      ],
      parameters: {
        expires_within_s: { help: 'only valid ones that expire within this time, such as 7d' },
        current: { help: 'without those that another one took the place of' },
        q: { help: 'part of a name, or a serial number' },
      },
    },
    'ca.rotate': {
      parameters: {
        what: {
          help: 'intermediate: a new one under the same root; root: a new root with one (default: intermediate)',
        },
        deadline_s: { help: 'use the new ones after this time in any case (default: wait for every node)' },
        hold_s: {
          help: 'publish them at least this long before they are used, such as 7d (default: no longer than nodes need)',
        },
      },
      confirm: {
        ask: ({ request: { body } }) => ({
          what: `rotating the ${rotatedIn(body)}`,
          describe: () =>
            `New authorities are published to every node, and used when each fresh one has proven that it trusts them. ${
              rotatedIn(body) === 'root'
                ? 'Machines outside the mesh that trust the root need the new bundle before the switch: --hold 7d gives them a week.'
                : 'Programs notice nothing.'
            }`,
        }),
      },
      print: rotationText,
    },
    'ca.cancel_rotation': {
      summary: 'Cancel the rotation, until the new authorities are used',
      run: async ({ send, out }) => {
        await send();
        await out.result({ cancelled: true }, () => 'cancelled the rotation; nodes drop the new authorities');
      },
    },
    'ca.export_root': exportRoot,
    'ca.drop_root_key': dropRootKey,
    'ca.request_intermediate': requestIntermediate,
    'ca.take_intermediate': takeIntermediate,
    'ca.rewrap': {
      confirm: {
        ask: () => ({
          what: 'turning the master key over',
          describe: () =>
            'Everything that is sealed at rest is sealed anew with the first key of the master key file. Have that key in your backup, and in the file of every coordinator.',
        }),
      },
      print: rewrapText,
    },
    'ca.certificate': { verb: 'certificate', parameters: { id: CERTIFICATE }, run: printChain },
    'ca.revoke': {
      parameters: { id: CERTIFICATE, reason: REASON },
      confirm: {
        ask: ({ given }) => ({
          what: `revoking certificate ${given}`,
          describe: () =>
            `Every program that checks revocation lists refuses certificate ${given} from then on, for good.`,
        }),
      },
    },
    'ca.revoke_all': {
      parameters: {
        node: { help: 'the node, by id or name', completes: 'node' },
        serial: { help: 'in hexadecimal' },
        reason: REASON,
      },
      confirm: {
        ask: ({ request: { body } }) => ({
          what: `revoking ${whatIn(body)}`,
          describe: () => `Every program that checks revocation lists refuses ${whatIn(body)} from then on, for good.`,
        }),
      },
      print: ({ revoked }) => `revoked ${counted(revoked, 'certificate')}`,
    },
  },
});

function rewrapText({ master_key, sealed, unneeded }: AnswerOf<Operations['ca.rewrap']>): string {
  const done = sealed === 0 ? 'seals everything already' : `seals everything now (${counted(sealed, 'secret')})`;
  const rest =
    unneeded.length === 0
      ? 'No other key is in the file.'
      : `Take ${unneeded.join(', ')} out of the file of every coordinator, and keep it with the backups from before.`;
  return `the master key ${master_key} ${done}\n${rest}`;
}

function rotatedIn(body: unknown): string {
  return (body as { readonly what?: string }).what ?? 'intermediate';
}

function whatIn(body: unknown): string {
  const { node, serial } = body as { readonly node?: string; readonly serial?: string };
  return node === undefined ? `serial number ${serial}` : `all certificates of ${node}`;
}

async function printChain({ send, out }: Running<CertificateWithChain>): Promise<void> {
  const certificate = await send();
  if (out.json) return out.result(certificate, () => '');
  out.notice(certificateFields(certificate, out));
  await out.verbatim(certificate.chain);
}

const KEY_WORDS = {
  kept: 'in the installation',
  outside: 'kept outside the installation',
  deleted: 'deleted',
} as const;

function authorityFields(authority: Authority): string {
  const { constraints, revocation_list: list } = authority;
  return fields([
    ['name', authority.name],
    ['role', authority.role],
    ['state', `${authority.state} since ${when(authority.state_since)}`],
    ['valid until', when(authority.not_after)],
    ['key', KEY_WORDS[authority.key]],
    ['certificates', `${authority.certificates} valid`],
    ['revocation list', list === null ? 'none yet' : `${counted(list.entries, 'entry')}, made ${when(list.made_at)}`],
    ...(authority.revocation_list_url === null ? [] : [['list address', authority.revocation_list_url] as const]),
    ['certifies', [...constraints.domains, ...constraints.networks, `spiffe://${constraints.trust_domain}`].join(', ')],
    ['SHA-256', authority.fingerprint],
    ['serial', authority.serial],
    ['id', authority.id],
  ]);
}

function certificateFields(certificate: Certificate, _: Output): string {
  const { names, revoked } = certificate;
  return fields([
    ['id', certificate.id],
    ['names', [...names.dns, ...names.addresses, ...names.uris].join(', ')],
    ['profile', certificate.profile],
    ['state', revoked === null ? certificate.state : `revoked ${when(revoked.at)} (${revoked.reason})`],
    ['valid until', when(certificate.not_after)],
    ['serial', certificate.serial],
    ['key', certificate.key_type],
    ['requested by', printable(certificate.requested_by.name)],
  ]);
}

function nameOf({ names, serial }: Certificate): string {
  return names.dns[0] ?? names.uris[0] ?? names.addresses[0] ?? serial;
}
